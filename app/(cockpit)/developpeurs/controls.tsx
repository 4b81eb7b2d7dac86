'use client';
import { KeyRound } from 'lucide';
import { useState } from 'react';
import { CapDialog } from '#app/_cockpit/caps/credential-cap.tsx';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { SecretDialog, type SecretWords, type ShownOnce } from '#app/_cockpit/dialogs/secret-dialog.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { type ChoosableSpace, SpaceChoice } from '#app/_cockpit/spaces/space-choice.tsx';
import { SpacesDialog } from '#app/_cockpit/spaces/spaces-dialog.tsx';
import { CodeBlock } from '#app/_ui/data/code-block.tsx';
import { AmountField } from '#app/_ui/form/amount-field.tsx';
import { Checkbox } from '#app/_ui/form/choice.tsx';
import { ChoiceGroup } from '#app/_ui/form/choice-group.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import { useAsked } from '#app/_ui/use-asked.ts';
import { type Permission, SCOPE_PERMISSIONS, SCOPES, type Scope } from '#lib/core/actor.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { changeKeyCap, changeKeySpaces, endKey, newKey, replaceKey } from './actions.ts';
import { quickStart } from './quick-start.ts';

type Made = ShownOnce & { name: string };

const KEY_WORDS: SecretWords<Made> = {
  ready: ({ name }) => `La clé «\u00a0${name}\u00a0» est prête`,
  copied: 'J’ai copié la clé',
  copy: 'Copier la clé',
  warning: (
    <>Copiez-la maintenant&nbsp;: elle ne sera plus jamais affichée. Atelier n’en garde qu’une empreinte.</>
  ),
  previousUntil: (day) => `L’ancienne clé fonctionne jusqu’au ${day}\u00a0: remplacez-la partout d’ici là.`,
  previousEnded: 'L’ancienne clé ne fonctionne plus.',
};

/** What all dialogs that create a key share: their texts, and a first request to try it with. */
function keyDialog(origin: string) {
  return {
    icon: KeyRound,
    words: KEY_WORDS,
    below: (made: Made) => <CodeBlock label="Premier appel" samples={quickStart(origin, made.secret)} />,
  };
}

function Lifetime() {
  return (
    <Field label="Durée" name="expiresInDays">
      <Select defaultValue="90">
        <option value="30">30 jours</option>
        <option value="90">90 jours</option>
        <option value="365">Un an</option>
        <option value="never">Sans fin</option>
      </Select>
    </Field>
  );
}

const WITHOUT_EFFECT: Partial<Record<Scope, string>> = {
  'brain:write': 'Sans effet tant que vous n’avez pas vous-même le droit d’écrire.',
  'studio:generate': 'Sans effet tant que vous n’avez pas vous-même le droit de générer.',
};

function ScopeBoxes({ permissions }: { permissions: readonly Permission[] }) {
  const [spends, setSpends] = useState(false);
  const lacks = (scope: Scope) => {
    const permission = SCOPE_PERMISSIONS[scope];
    return permission !== undefined && !permissions.includes(permission);
  };
  return (
    <ChoiceGroup legend="Ce que la clé peut faire" name="scopes">
      {SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          name="scopes"
          value={scope}
          defaultChecked={scope === 'brain:read' || scope === 'projects:read'}
          label={
            <>
              {SCOPE_WORDS[scope].label} <code className="font-mono text-ink-faint text-xs">{scope}</code>
            </>
          }
          hint={(lacks(scope) && WITHOUT_EFFECT[scope]) || SCOPE_WORDS[scope].hint}
          {...(scope === 'studio:generate'
            ? { onChange: (event) => setSpends(event.currentTarget.checked) }
            : {})}
        />
      ))}
      {/* Kept while the box is not ticked: mounted again, the field would forget what was typed. Disabled fields are not submitted. */}
      <fieldset role="none" hidden={!spends} disabled={!spends} className="min-w-0">
        <AmountField
          label="Plafond par mois, en $US"
          name="monthlyCapMicros"
          hint="Ce que la clé peut débiter de votre crédit en un mois UTC, retenues comprises."
          value="5"
        />
      </fieldset>
    </ChoiceGroup>
  );
}

type CreateKeyProps = {
  origin: string;
  permissions: readonly Permission[];
  spaces: readonly ChoosableSpace[];
  /** Whether `?nouvelle` in the address opens it too: one button of the page only. */
  primary?: boolean;
};

export function CreateKey({ origin, permissions, spaces, primary = false }: CreateKeyProps) {
  return (
    <SecretDialog
      control={useAsked(primary ? 'nouvelle' : null)}
      label="Créer une clé"
      title="Créer une clé"
      variant="primary"
      {...keyDialog(origin)}
    >
      {(done, close) => (
        <Form action={newKey} onDone={(state) => done(state.data)} className="flex flex-col gap-4">
          <Field label="Nom" name="name" hint="Où elle servira&nbsp;: elle se reconnaît à cela." required>
            <Input autoComplete="off" placeholder="Site de la boutique" autoFocus />
          </Field>
          <ScopeBoxes permissions={permissions} />
          <SpaceChoice spaces={spaces} given={null} all="Tous les vôtres, et ceux à venir." />
          <Lifetime />
          <FormFoot close={close} label="Créer la clé" />
        </Form>
      )}
    </SecretDialog>
  );
}

type Row = { id: string; name: string };

export function RotateKey({ row, origin }: { row: Row; origin: string }) {
  return (
    <SecretDialog
      label={<Named about={`«\u00a0${row.name}\u00a0»`}>Remplacer</Named>}
      title={`Remplacer «\u00a0${row.name}\u00a0»`}
      variant="quiet"
      {...keyDialog(origin)}
    >
      {(done, close) => (
        <Form action={replaceKey} onDone={(state) => done(state.data)} className="flex flex-col gap-4">
          <p className="text-ink-soft text-sm">
            Une nouvelle clé reçoit le même nom, les mêmes droits et la même date de fin. L’ancienne continue
            un moment, le temps de la remplacer partout.
          </p>
          <input type="hidden" name="keyId" value={row.id} />
          <Field label="L’ancienne clé s’arrête" name="overlapDays">
            <Select defaultValue="3">
              <option value="0">Tout de suite (elle a fuité)</option>
              <option value="1">Dans un jour</option>
              <option value="3">Dans trois jours</option>
              <option value="7">Dans sept jours</option>
            </Select>
          </Field>
          <FormFoot close={close} label="Remplacer la clé" />
        </Form>
      )}
    </SecretDialog>
  );
}

/** Changes how much a key may spend in a month. */
export function KeyCap({ row }: { row: Row & { monthlyCapMicros: bigint } }) {
  return (
    <CapDialog name={row.name} monthlyCapMicros={row.monthlyCapMicros} action={changeKeyCap}>
      <input type="hidden" name="keyId" value={row.id} />
    </CapDialog>
  );
}

type SpacesRow = Row & { given: SpaceRights | null; writes: boolean };

/** Changes the Spaces that a key may read. */
export function KeySpaces({ row, spaces }: { row: SpacesRow; spaces: readonly ChoosableSpace[] }) {
  return (
    <SpacesDialog
      name={row.name}
      description="Dès sa prochaine requête. Elle ne voit jamais plus que le membre pour qui elle agit."
      action={changeKeySpaces}
      spaces={spaces}
      given={row.given}
      writes={row.writes}
    >
      <input type="hidden" name="keyId" value={row.id} />
    </SpacesDialog>
  );
}

export function RevokeKey({ row }: { row: Row }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Révoquer"
      about={`«\u00a0${row.name}\u00a0»`}
      confirm="Révoquer la clé"
      title={`Révoquer «\u00a0${row.name}\u00a0»\u00a0?`}
      call={() => endKey({ keyId: row.id })}
    >
      <p>
        Tout programme qui s’en sert est refusé dès sa prochaine requête. C’est définitif. Pour la changer
        sans coupure, remplacez-la plutôt.
      </p>
    </ConfirmCall>
  );
}
