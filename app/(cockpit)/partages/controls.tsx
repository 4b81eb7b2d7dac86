'use client';
import { useEffect, useRef, useState } from 'react';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { HOW_TO_KEEP } from '#app/_studio/journal/rows/retention-words.ts';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Select } from '#app/_ui/form/input.tsx';
import { date } from '#app/_ui/format.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { endShare, shareByLink } from './actions.ts';

type NewShareProps = { shared: 'file' | 'space'; subject: string };
type Made = { address: string; expiresAt: Date; fileEndsAt: Date | null };

/** Asks for the duration of a link, creates it, and shows its address, which cannot be shown again. */
export function NewShare({ shared, subject }: NewShareProps) {
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <MadeShare {...made} />;
  return (
    <Form action={shareByLink} onDone={({ data }) => setMade(data ?? null)} className="flex flex-col gap-4">
      <input type="hidden" name="shared" value={shared} />
      <input type="hidden" name="subject" value={subject} />
      <Field label="Le lien s’ouvre pendant" name="days">
        <Select defaultValue="7">
          <option value="1">Un jour</option>
          <option value="7">Sept jours</option>
          <option value="30">Trente jours</option>
          <option value="90">Quatre-vingt-dix jours</option>
        </Select>
      </Field>
      <div>
        <SubmitButton>Créer le lien</SubmitButton>
      </div>
    </Form>
  );
}

/** The address of the new link. Takes the focus, because the form that had it is removed. */
function MadeShare({ address, expiresAt, fileEndsAt }: Made) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section ref={place} tabIndex={-1} aria-label="Lien créé" className="flex flex-col gap-3">
      <Notice tone="warn">
        Copiez l’adresse maintenant&nbsp;: elle ne sera plus affichée. Qui l’a peut ouvrir ce partage jusqu’au{' '}
        {date(expiresAt)}, ou jusqu’à ce que vous le retiriez.
      </Notice>
      {fileEndsAt ? (
        <Notice tone="warn">
          Rien ne garde ce fichier au-delà du {date(fileEndsAt)}&nbsp;: le lien prend fin avec lui.{' '}
          {HOW_TO_KEEP}
        </Notice>
      ) : null}
      <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-sunken p-3">
        <code className="min-w-0 grow basis-64 break-all font-mono text-sm">{address}</code>
        <CopyButton text={address} label="Copier l’adresse" variant="primary" />
      </div>
    </section>
  );
}

export function Withdraw({ shareId, name }: { shareId: string; name: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Retirer"
      about={`«\u00a0${name}\u00a0»`}
      confirm="Retirer le partage"
      title={`Retirer le partage de «\u00a0${name}\u00a0»\u00a0?`}
      call={() => endShare({ shareId })}
    >
      <p>Son adresse ne s’ouvre plus, dès maintenant. Ce qui a été téléchargé reste à qui l’a pris.</p>
    </ConfirmCall>
  );
}
