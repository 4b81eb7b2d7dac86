'use client';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { CapDialog } from '#app/_cockpit/caps/credential-cap.tsx';
import { ConfirmCall } from '#app/_cockpit/confirm-call.tsx';
import { Button } from '#app/_ui/action/button.tsx';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { CodeBlock } from '#app/_ui/data/code-block.tsx';
import { AmountField } from '#app/_ui/form/amount-field.tsx';
import { Checkbox } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot, useForm } from '#app/_ui/form/form.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { date } from '#app/_ui/format.ts';
import { Dialog, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { type Permission, SCOPE_PERMISSIONS, SCOPES, type Scope } from '#lib/core/actor.ts';
import { problemsOf } from '#lib/http/actions/action-state.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { changeKeyCap, endKey, newKey, replaceKey } from './actions.ts';
import { quickStart } from './quick-start.ts';

type Made = { secret: string; name: string; previousEndsAt: Date | null };

type KeyDialogProps = {
  label: string;
  title: string;
  variant: 'primary' | 'quiet';
  origin: string;
  children: (done: (made: Made | undefined) => void, close: () => void) => ReactNode;
};

/** A dialog whose form gives way to the secret it made, shown this once. */
function KeyDialog({ label, title, variant, origin, children }: KeyDialogProps) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const close = () => setOpen(false);
  // A key made after the dialog was left is shown all the same: it exists, and this is the only time.
  const show = (next: Made | undefined) => {
    setMade(next ?? null);
    if (next) setOpen(true);
  };
  return (
    <>
      <Button
        variant={variant}
        size={variant === 'quiet' ? 'sm' : 'md'}
        {...(variant === 'primary' ? { icon: KeyRound } : {})}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => {
          setMade(null);
          setOpen(true);
        }}
      >
        {label}
      </Button>
      <Dialog
        wide={made !== null}
        locked={made !== null}
        open={open}
        onOpenChange={setOpen}
        title={made ? `La clé «\u00a0${made.name}\u00a0» est prête` : title}
        {...(made
          ? {
              footer: (
                <Button variant="primary" onClick={close}>
                  J’ai copié la clé
                </Button>
              ),
            }
          : {})}
      >
        {made ? <Secret made={made} origin={origin} /> : children(show, close)}
      </Dialog>
    </>
  );
}

function Secret({ made, origin }: { made: Made; origin: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warn">
        Copiez-la maintenant&nbsp;: elle ne sera plus jamais affichée. Atelier n’en garde qu’une empreinte.
      </Notice>
      <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-sunken p-3">
        <code className="min-w-0 grow basis-64 break-all font-mono text-base">{made.secret}</code>
        <CopyButton text={made.secret} label="Copier la clé" variant="primary" />
      </div>
      {made.previousEndsAt ? (
        <p className="text-ink-soft text-sm">
          {new Date(made.previousEndsAt) > new Date()
            ? `L’ancienne clé fonctionne jusqu’au ${date(made.previousEndsAt)}\u00a0: remplacez-la partout d’ici là.`
            : 'L’ancienne clé ne fonctionne plus.'}
        </p>
      ) : null}
      <CodeBlock label="Premier appel" samples={quickStart(origin, made.secret)} />
    </div>
  );
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
  const { state } = useForm();
  const problems = problemsOf(state, 'scopes');
  const [spends, setSpends] = useState(false);
  const lacks = (scope: Scope) => {
    const permission = SCOPE_PERMISSIONS[scope];
    return permission !== undefined && !permissions.includes(permission);
  };
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 font-medium text-sm">Ce que la clé peut faire</legend>
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
      {spends ? (
        <AmountField
          label="Plafond par mois, en $US"
          name="monthlyCapMicros"
          hint="Ce que la clé peut débiter de votre crédit en un mois UTC, retenues comprises."
          value="5"
        />
      ) : null}
      {problems.length > 0 ? <p className="text-fail text-sm">{problems.join(' ')}</p> : null}
    </fieldset>
  );
}

export function CreateKey({ origin, permissions }: { origin: string; permissions: readonly Permission[] }) {
  return (
    <KeyDialog label="Créer une clé" title="Créer une clé" variant="primary" origin={origin}>
      {(done, close) => (
        <Form action={newKey} onDone={(state) => done(state.data)} className="flex flex-col gap-4">
          <Field label="Nom" name="name" hint="Où elle servira&nbsp;: elle se reconnaît à cela." required>
            <Input autoComplete="off" maxLength={120} placeholder="Site de la boutique" autoFocus />
          </Field>
          <ScopeBoxes permissions={permissions} />
          <Lifetime />
          <FormFoot close={close} label="Créer la clé" />
        </Form>
      )}
    </KeyDialog>
  );
}

type Row = { id: string; name: string };

export function RotateKey({ row, origin }: { row: Row; origin: string }) {
  return (
    <KeyDialog
      label="Remplacer"
      title={`Remplacer «\u00a0${row.name}\u00a0»`}
      variant="quiet"
      origin={origin}
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
    </KeyDialog>
  );
}

/** Changes what a key may spend in a month. */
export function KeyCap({ row }: { row: Row & { monthlyCapMicros: bigint } }) {
  return (
    <CapDialog name={row.name} monthlyCapMicros={row.monthlyCapMicros} action={changeKeyCap}>
      <input type="hidden" name="keyId" value={row.id} />
    </CapDialog>
  );
}

export function RevokeKey({ row }: { row: Row }) {
  return (
    <ConfirmCall
      label="Révoquer"
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
