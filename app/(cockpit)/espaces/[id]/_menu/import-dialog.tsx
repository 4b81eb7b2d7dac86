'use client';
import { FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type DragEvent, type FormEvent, useRef, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { type Failure, failureOf } from '#app/_ui/api-error.ts';
import { cx } from '#app/_ui/cx.ts';
import { SegmentedControl } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { bytes, count, percent } from '#app/_ui/format.ts';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { toast } from '#app/_ui/toast.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { importPage } from '../actions.ts';
import { sendImport } from './send-import.ts';

type ImportDialogProps = {
  spaceId: string;
  pillars: { role: PillarRole; label: string }[];
  onClose: () => void;
};

const ACCEPT = '.zip,.md,.mdx,.markdown,.txt,.pdf,.json';

/** Brings files or a web page into the Space; the import goes on when the dialog, or the page, is closed. */
export default function ImportDialog({ spaceId, pillars, onClose }: ImportDialogProps) {
  const router = useRouter();
  const [from, setFrom] = useState('files');
  const started = () => {
    onClose();
    toast({
      title: 'Import commencé',
      description: 'Il continue même si vous quittez cette page.',
      tone: 'ok',
    });
    router.refresh();
  };
  const pillar = (
    <Field
      label="Pilier"
      name="pillar"
      hint="Pour ce qui ne dit pas le sien. Une mémoire exportée garde le sien."
    >
      <Select defaultValue="KNOWLEDGE" name="pillar">
        {pillars.map(({ role, label }) => (
          <option key={role} value={role}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Importer dans cet espace">
      <div className="space-y-4">
        <SegmentedControl
          label="D’où viennent les textes"
          name="from"
          value={from}
          onChange={setFrom}
          options={[
            { value: 'files', label: 'Fichiers' },
            { value: 'page', label: 'Page web' },
          ]}
        />
        {from === 'files' ? (
          <FilesForm spaceId={spaceId} onStarted={started}>
            {pillar}
          </FilesForm>
        ) : (
          <Form action={importPage} onDone={started}>
            <input type="hidden" name="spaceId" value={spaceId} />
            <div className="space-y-4">
              <Field label="Adresse de la page" name="url" hint="En https, et visible de tous." required>
                <Input
                  inputMode="url"
                  placeholder="https://exemple.fr/a-propos"
                  autoComplete="off"
                  data-autofocus
                />
              </Field>
              {pillar}
              <div className="flex justify-end">
                <SubmitButton>Importer la page</SubmitButton>
              </div>
            </div>
          </Form>
        )}
      </div>
    </Dialog>
  );
}

function FilesForm({
  spaceId,
  onStarted,
  children,
}: {
  spaceId: string;
  onStarted: () => void;
  children: React.ReactNode;
}) {
  const [files, setFiles] = useState<File[]>([]);
  const [over, setOver] = useState(false);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    if (files.length === 0) {
      setRefusal({ message: 'Choisissez au moins un fichier.' });
      field.current?.focus();
      return;
    }
    const form = new FormData();
    form.set('pillar', String(new FormData(event.currentTarget).get('pillar')));
    for (const file of files) form.append('files', file, file.webkitRelativePath || file.name);
    setSending(true);
    setSent(0);
    setRefusal(null);
    try {
      await sendImport(spaceId, form, setSent);
      onStarted();
    } catch (error) {
      setRefusal(failureOf(error, 'L’envoi n’a pas abouti. Réessayez.'));
    } finally {
      setSending(false);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    setFiles([...event.dataTransfer.files]);
  };
  const total = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <form onSubmit={submit} className="space-y-4" noValidate>
      {refusal ? (
        <Notice tone="fail" role="alert" requestId={refusal.requestId}>
          {refusal.message}
        </Notice>
      ) : null}
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cx(
          'flex cursor-pointer flex-col items-center gap-1.5 rounded-md border border-line-strong border-dashed px-4 py-8 text-center text-sm transition-colors hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
          over && 'bg-accent-soft',
        )}
      >
        <FileUp aria-hidden size={20} strokeWidth={1.75} className="text-ink-soft" />
        <span className="wrap-anywhere font-medium">
          {files.length === 0
            ? 'Choisir des fichiers, ou les déposer ici'
            : files.length === 1
              ? files[0]?.name
              : count(files.length, 'fichier')}
        </span>
        <span className="text-ink-faint text-xs">
          {files.length > 0
            ? sending && sent > 0
              ? `${bytes(total)}, envoyés à ${percent(sent)}`
              : bytes(total)
            : 'Zip, Markdown, texte, PDF avec texte, ou un export JSON. 50 Mo en tout.'}
        </span>
        <input
          ref={field}
          type="file"
          multiple
          accept={ACCEPT}
          data-autofocus
          onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])}
          className="sr-only"
        />
      </label>
      {children}
      <div className="flex justify-end">
        <Button type="submit" variant="primary" pending={sending}>
          Importer les fichiers
        </Button>
      </div>
    </form>
  );
}
