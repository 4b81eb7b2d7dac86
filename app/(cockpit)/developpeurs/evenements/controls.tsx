'use client';
import { Webhook } from 'lucide';
import { useState, useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { SecretDialog, type SecretWords } from '#app/_cockpit/dialogs/secret-dialog.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Checkbox } from '#app/_ui/form/choice.tsx';
import { ChoiceGroup } from '#app/_ui/form/choice-group.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { ShownInput } from '#app/_ui/form/shown-input.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { shownAs } from '#lib/core/input/shown-as.ts';
import type { MadeSecret } from '#lib/webhooks/endpoints/create-endpoint.ts';
import {
  changeEvents,
  deleteEndpointAction,
  newEndpoint,
  replaceSecret,
  replayFailed,
  replayOne,
  setEnabled,
  tryEndpoint,
} from './actions.ts';
import type { Tried } from './event-words.ts';

/** An event type as the page shows it. */
export type EventChoice = { type: string; label: string; description: string };

const SECRET_WORDS: SecretWords<MadeSecret> = {
  ready: ({ host }) => `Le secret de l’adresse ${host}`,
  copied: 'J’ai copié le secret',
  copy: 'Copier le secret',
  warning: (
    <>
      Copiez-le maintenant&nbsp;: il ne sera plus jamais affiché. Votre programme s’en sert pour vérifier que
      les événements viennent bien d’Atelier.
    </>
  ),
  previousUntil: (day) =>
    `L’ancien secret signe aussi chaque envoi jusqu’au ${day}\u00a0: remplacez-le d’ici là.`,
  previousEnded: 'L’ancien secret ne signe plus rien.',
};

const ENDPOINT_DIALOG = { icon: Webhook, words: SECRET_WORDS };

function EventBoxes({ choices, ticked }: { choices: EventChoice[]; ticked: readonly string[] }) {
  return (
    <ChoiceGroup legend="Ce qui lui est dit" name="events">
      {choices.map(({ type, label, description }) => (
        <Checkbox
          key={type}
          name="events"
          value={type}
          defaultChecked={ticked.includes(type)}
          label={
            <>
              {label} <code className="font-mono text-ink-faint text-xs">{type}</code>
            </>
          }
          hint={description}
        />
      ))}
    </ChoiceGroup>
  );
}

const USUAL = ['memory.added', 'memory.changed', 'memory.deleted', 'generation.closed'];

export function CreateEndpoint({ choices }: { choices: EventChoice[] }) {
  return (
    <SecretDialog
      label="Abonner une adresse"
      title="Abonner une adresse"
      variant="primary"
      {...ENDPOINT_DIALOG}
    >
      {(done, close) => (
        <Form action={newEndpoint} onDone={(state) => done(state.data)} className="flex flex-col gap-4">
          <Field
            label="Adresse"
            name="url"
            hint="En https, chez un hébergeur public. Elle doit répondre en moins de cinq secondes."
            required
          >
            <Input
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://boutique.fr/atelier"
              autoFocus
            />
          </Field>
          <EventBoxes choices={choices} ticked={USUAL} />
          <FormFoot close={close} label="Abonner l’adresse" />
        </Form>
      )}
    </SecretDialog>
  );
}

type Row = { id: string; host: string };

export function RotateSecret({ row }: { row: Row }) {
  return (
    <SecretDialog
      label="Remplacer le secret"
      title={`Remplacer le secret de l’adresse ${row.host}`}
      variant="quiet"
      {...ENDPOINT_DIALOG}
    >
      {(done, close) => (
        <Form action={replaceSecret} onDone={(state) => done(state.data)} className="flex flex-col gap-4">
          <p className="text-ink-soft text-sm">
            Pendant la période commune, chaque envoi porte la signature des deux secrets&nbsp;: rien n’est
            perdu le temps de le changer chez vous.
          </p>
          <input type="hidden" name="endpointId" value={row.id} />
          <Field label="L’ancien secret s’arrête" name="overlapHours">
            <Select defaultValue="24">
              <option value="0">Tout de suite (il a fuité)</option>
              <option value="24">Dans un jour</option>
              <option value="72">Dans trois jours</option>
            </Select>
          </Field>
          <FormFoot close={close} label="Remplacer le secret" />
        </Form>
      )}
    </SecretDialog>
  );
}

type ChangeEventsProps = { row: Row; choices: EventChoice[]; ticked: string[] };

export function ChangeEvents({ row, choices, ticked }: ChangeEventsProps) {
  return (
    <SecretDialog
      label="Choisir les événements"
      title={`Ce qui est dit à ${row.host}`}
      variant="quiet"
      {...ENDPOINT_DIALOG}
    >
      {(done, close) => <EventsForm {...{ row, choices, ticked, close }} onDone={() => done(undefined)} />}
    </SecretDialog>
  );
}

type EventsFormProps = ChangeEventsProps & { onDone: () => void; close: () => void };

function EventsForm({ row, choices, ticked, onDone, close }: EventsFormProps) {
  // The values when the dialog opened: the page may be refreshed behind it, while the boxes keep the former values.
  const [opened] = useState({ choices, ticked });
  return (
    <Form action={changeEvents} onDone={onDone} className="flex flex-col gap-4">
      <input type="hidden" name="endpointId" value={row.id} />
      <ShownInput shown={{ events: shownAs(opened.ticked) }} />
      <EventBoxes {...opened} />
      <FormFoot close={close} label="Enregistrer les événements" />
    </Form>
  );
}

/** Sends a test event and shows the endpoint's response below. */
export function TryEndpoint({ row }: { row: Row }) {
  const [pending, start] = useTransition();
  const [tried, setTried] = useState<Tried | null>(null);
  const send = () =>
    start(async () => {
      setTried(null);
      const answer = await act(tryEndpoint({ endpointId: row.id }));
      setTried(answer?.data ?? null);
    });
  return (
    <div className="flex flex-col items-start gap-3">
      <Button pending={pending} onClick={send}>
        Envoyer un événement d’essai
      </Button>
      <div aria-live="polite" className="w-full">
        {tried ? (
          <Notice tone={tried.ok ? 'ok' : 'fail'}>
            {tried.title}. {tried.detail}
          </Notice>
        ) : null}
      </div>
    </div>
  );
}

export function StopEndpoint({ row }: { row: Row }) {
  return (
    <ConfirmCall
      label="Arrêter les envois"
      title={`Arrêter les envois à ${row.host}\u00a0?`}
      call={() => setEnabled({ endpointId: row.id, enabled: false })}
    >
      <p>
        Ce qui arrive ensuite ne lui sera pas dit. Les événements en attente sont abandonnés&nbsp;; vous
        pourrez les renvoyer pendant quatorze jours.
      </p>
    </ConfirmCall>
  );
}

export function ResumeEndpoint({ row }: { row: Row }) {
  return (
    <ConfirmCall
      label="Reprendre les envois"
      title={`Reprendre les envois à ${row.host}\u00a0?`}
      call={() => setEnabled({ endpointId: row.id, enabled: true })}
      tone="primary"
    >
      <p>
        Les événements qui arrivent à partir de maintenant lui seront dits. Ceux qui ont échoué se renvoient
        ensuite, un par un ou tous ensemble.
      </p>
    </ConfirmCall>
  );
}

export function RemoveEndpoint({ row }: { row: Row }) {
  return (
    <ConfirmCall
      label="Supprimer"
      confirm="Supprimer l’adresse"
      title={`Supprimer ${row.host}\u00a0?`}
      call={() => deleteEndpointAction({ endpointId: row.id })}
    >
      <p>Plus rien ne lui est envoyé, et le relevé de ses envois disparaît. C’est définitif.</p>
    </ConfirmCall>
  );
}

/** `about`: the event and its time. */
export function ReplayOne({ row, deliveryId, about }: { row: Row; deliveryId: string; about: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Renvoyer"
      about={about}
      confirm="Renvoyer l’événement"
      title={`Renvoyer cet événement\u00a0?`}
      call={() => replayOne({ endpointId: row.id, deliveryId })}
      tone="primary"
    >
      <p>Il part avec le même identifiant (webhook-id)&nbsp;: un programme qui l’a déjà reçu le reconnaît.</p>
    </ConfirmCall>
  );
}

export function ReplayFailed({ row, failed }: { row: Row; failed: string }) {
  return (
    <ConfirmCall
      label="Renvoyer les échecs"
      title={`Renvoyer ${failed}\u00a0?`}
      call={() => replayFailed({ endpointId: row.id })}
      tone="primary"
      variant="primary"
    >
      <p>Ils partent dans l’ordre où ils sont arrivés, avec leurs identifiants.</p>
    </ConfirmCall>
  );
}
