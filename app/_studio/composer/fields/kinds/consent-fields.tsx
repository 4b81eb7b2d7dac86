// biome-ignore-all lint/performance/noImgElement: a private file behind the session, which the optimizer cannot read
'use client';
import { FileCheck, Paperclip, X } from 'lucide';
import { useId, useRef } from 'react';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Progress } from '#app/_ui/data/gauges.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { ofName } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { newKey } from '#app/_ui/new-key.ts';
import { noteLanding } from '../../draft/landed.ts';
import { attachDocument, attachFile } from '../attach.ts';
import { AttachRefusal } from '../attach-refusal.ts';
import type { FieldsProps } from '../fields.tsx';

const PDF = 'application/pdf';
const SCANS = [PDF, 'image/png', 'image/jpeg', 'image/webp'];
const failing = (sentence: string | undefined) => (sentence ? { error: sentence } : {});

const LACKS = {
  personName: 'Nommez la personne dont c’est la voix.',
  signedAt: 'Donnez la date de sa signature.',
  document: 'Joignez le document signé.',
};

/**
 * The person whose voice it is, the date of their signature, and the signed document. Once the send button was pressed, each part that is missing is
 * named: without one of them no consent is sent, and the refusal is only about the voice.
 */
export function ConsentFields({ draft, change, problem, asked }: FieldsProps) {
  const isLacking = asked && problem('voice-unverified') !== undefined;
  const lack = (name: keyof typeof LACKS, isThere: boolean) =>
    isLacking && !isThere ? LACKS[name] : undefined;
  return (
    <fieldset className="rounded-md border border-line p-4">
      <legend className="px-1 font-medium text-sm">Consentement signé</legend>
      <p className="mb-3 text-ink-soft text-sm">
        L’origine de cette voix n’est pas vérifiée. Indiquez la personne dont c’est la voix, la date à
        laquelle elle a signé son accord, et joignez le document signé.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Personne"
          {...failing(problem('consent.personName') ?? lack('personName', draft.consentName.trim() !== ''))}
        >
          <Input
            value={draft.consentName}
            onChange={(event) => change({ consentName: event.currentTarget.value })}
          />
        </Field>
        <Field
          label="Signé le"
          {...failing(problem('consent.signedAt', 'consent') ?? lack('signedAt', draft.consentDate !== ''))}
        >
          <Input
            type="date"
            value={draft.consentDate}
            onChange={(event) => change({ consentDate: event.currentTarget.value })}
          />
        </Field>
      </div>
      <ConsentDocument
        draft={draft}
        change={change}
        refusal={problem('consent.document') ?? lack('document', draft.consentDocument !== null)}
      />
    </fieldset>
  );
}

/** The scan of the signed document, as a PDF or an image; a refusal is shown in its place. */
function ConsentDocument({
  draft,
  change,
  refusal,
}: Pick<FieldsProps, 'draft' | 'change'> & { refusal: string | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const document = draft.consentDocument;
  const arriving = document?.ref === null && !document.refusal;
  const said = document?.refusal ?? (arriving ? undefined : refusal);
  const bring = async (file: File) => {
    const key = newKey();
    const set = (part: { ref?: string; thumbnail?: string; refusal?: string }) => {
      noteLanding(key, part);
      change((before) =>
        before.consentDocument?.key === key
          ? { consentDocument: { ...before.consentDocument, ...part } }
          : {},
      );
    };
    change({ consentDocument: { key, ref: null, name: file.name } });
    try {
      if (file.type && !SCANS.includes(file.type))
        throw new AttachRefusal('Le consentement signé se joint en PDF, ou en image PNG, JPEG ou WebP.');
      if (file.type === PDF) {
        set({ ref: (await attachDocument(file, draft.productId)).id });
        return;
      }
      const to = { productId: draft.productId, takesClips: false };
      const attached = await attachFile(file, to, () => undefined);
      set({ ref: attached.id, thumbnail: attached.url });
    } catch (error) {
      set({ refusal: error instanceof AttachRefusal ? error.message : 'L’envoi n’a pas abouti.' });
    }
  };
  return (
    <div className="mt-4 flex min-w-0 flex-col gap-1.5" data-consent-document={document?.ref ?? ''}>
      <p id={`${id}-label`} className="font-medium text-sm">
        Document signé
      </p>
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        {document?.thumbnail ? (
          <img
            src={document.thumbnail}
            alt=""
            className="size-14 rounded-xs border border-line object-cover"
          />
        ) : document?.ref ? (
          <Icon of={FileCheck} size={20} strokeWidth={1.75} className="text-ink-soft" />
        ) : null}
        {document ? <span className="min-w-0 truncate text-sm">{document.name}</span> : null}
        <Button
          size="sm"
          icon={Paperclip}
          pending={arriving}
          onClick={() => input.current?.click()}
          aria-describedby={said ? `${id}-error` : `${id}-hint`}
        >
          {document?.ref ? 'Changer le document' : 'Joindre le document signé'}
        </Button>
        {document ? (
          <Button
            ref={focusBeside}
            size="sm"
            variant="quiet"
            icon={X}
            onClick={() => change({ consentDocument: null })}
          >
            Retirer le document
          </Button>
        ) : null}
      </div>
      {arriving ? <Progress label={`Envoi ${ofName(document?.name ?? '')}`} /> : null}
      <input
        ref={input}
        type="file"
        hidden
        accept={SCANS.join(',')}
        aria-labelledby={`${id}-label`}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) void bring(file);
        }}
      />
      {said ? (
        <p id={`${id}-error`} role="alert" className="wrap-anywhere text-fail text-sm">
          {said}
        </p>
      ) : (
        <p id={`${id}-hint`} className="text-ink-faint text-xs">
          Un PDF, ou une image PNG, JPEG ou WebP, 4&nbsp;Mo au plus. Il est gardé avec la voix, et n’est
          envoyé à personne.
        </p>
      )}
    </div>
  );
}
