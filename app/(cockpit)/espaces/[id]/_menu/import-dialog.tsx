'use client';
import { FileUp, FolderUp } from 'lucide';
import { useRouter } from 'next/navigation';
import { type DragEvent, type FormEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { type Failure, failureOf } from '#app/_ui/api-error.ts';
import { cx } from '#app/_ui/cx.ts';
import { SegmentedControl } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { bytes, count, percent } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { toast } from '#app/_ui/toast.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { importPage } from '../actions.ts';
import { droppedFiles, filesOf } from './dropped-files.ts';
import type { ChosenFile } from './import-event.ts';
import { sendImport } from './send-import.ts';

type ImportDialogProps = {
  spaceId: string;
  pillars: { role: PillarRole; label: string }[];
  /** Files dropped on the page before the dialog opened. */
  chosen: ChosenFile[];
  onClose: () => void;
};

const ACCEPT = '.docx,.zip,.md,.mdx,.markdown,.txt,.html,.htm,.csv,.tsv,.pdf,.json';

/** React's types lack the attribute that lets a field accept folders. */
const takesFolders = (field: HTMLInputElement | null) => field?.setAttribute('webkitdirectory', '');

/** Clears the field, so that choosing the same file again, changed, fires an event. */
const forgetChosen = ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
  currentTarget.value = '';
};

/** Imports files or a web page into the Space. The import continues if the dialog or the page is closed. */
export default function ImportDialog({ spaceId, pillars, chosen, onClose }: ImportDialogProps) {
  const router = useRouter();
  const [from, setFrom] = useState('files');
  // Kept here, so that switching tabs loses neither the chosen files nor the typed address.
  const [files, setFiles] = useState(chosen);
  const [before, setBefore] = useState(chosen);
  if (chosen !== before) {
    setBefore(chosen);
    if (chosen.length > 0) setFiles(chosen);
  }
  const [address, setAddress] = useState('');
  const [into, setInto] = useState<string>('KNOWLEDGE');
  /** The share of the files sent, 0 to 1; null if none is being sent. */
  const [sent, setSent] = useState<number | null>(null);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const started = () => {
    // If the dialog was left before the answer, the address is not changed: the member is on another page.
    if (isHere.current) onClose();
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
      hint="Un dossier qui porte le nom d’un pilier y est rangé&nbsp;; le reste va dans celui-ci."
    >
      <Select name="pillar" defaultValue={into} onChange={(event) => setInto(event.currentTarget.value)}>
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
          <FilesForm {...{ spaceId, files, setFiles, sent, setSent }} onStarted={started}>
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
                  autoCapitalize="none"
                  defaultValue={address}
                  onInput={(event) => setAddress(event.currentTarget.value)}
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
  files,
  setFiles,
  sent,
  setSent,
  onStarted,
  children,
}: {
  spaceId: string;
  files: ChosenFile[];
  setFiles: (files: ChosenFile[]) => void;
  sent: number | null;
  setSent: (sent: number | null) => void;
  onStarted: () => void;
  children: React.ReactNode;
}) {
  const [over, setOver] = useState(false);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const sending = sent !== null;
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
    for (const { file, path } of files) form.append('files', file, path);
    setSent(0);
    setRefusal(null);
    try {
      await sendImport(spaceId, form, setSent);
      onStarted();
    } catch (error) {
      const failure = failureOf(error, 'L’envoi n’a pas abouti. Réessayez.');
      if (field.current) setRefusal(failure);
      // If the dialog was closed meanwhile, the result is shown as a message.
      else
        toast({
          title: 'L’import n’a pas commencé',
          description: failure.message,
          tone: 'fail',
          requestId: failure.requestId,
        });
    } finally {
      setSent(null);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    droppedFiles(event.dataTransfer).then(
      (dropped) => {
        // A drop without files (text, an image of a page) keeps the earlier choice.
        if (dropped.length > 0) setFiles(dropped);
        else setRefusal({ message: 'Ce que vous avez déposé ne contient aucun fichier.' });
      },
      () => setRefusal({ message: 'Ces fichiers n’ont pas pu être lus. Choisissez-les de nouveau.' }),
    );
  };
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
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
        <Icon of={FileUp} size={20} strokeWidth={1.75} className="text-ink-soft" />
        <span className="wrap-anywhere font-medium">
          {files.length === 0
            ? 'Choisir des fichiers, ou les déposer ici'
            : files.length === 1
              ? files[0]?.path
              : count(files.length, 'fichier')}
        </span>
        <span className="text-ink-faint text-xs">
          {files.length > 0
            ? sent !== null && sent > 0
              ? `${bytes(total)}, envoyés à ${percent(sent)}`
              : bytes(total)
            : 'Word (.docx), PDF avec texte, Markdown, page HTML, tableau CSV, ou un zip\u00a0: les exports de Google Docs et de Notion. 50 Mo en tout, sans les images.'}
        </span>
        <input
          ref={field}
          type="file"
          multiple
          accept={ACCEPT}
          data-autofocus
          onClick={forgetChosen}
          onChange={(event) => setFiles(filesOf(event.currentTarget.files))}
          className="sr-only"
        />
      </label>
      <label className="touch -mt-2 flex w-fit cursor-pointer items-center gap-1.5 rounded-xs text-ink-soft text-sm underline underline-offset-2 hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink">
        <Icon of={FolderUp} size={16} strokeWidth={1.75} />
        Choisir un dossier entier
        <input
          ref={takesFolders}
          type="file"
          onClick={forgetChosen}
          onChange={(event) => setFiles(filesOf(event.currentTarget.files))}
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
