'use client';
import { Archive, Download, Ellipsis, FileDown, FileText, Pencil, Plus, Share2, Upload } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { Suspense, useEffect, useMemo, useState, useTransition } from 'react';
import { act, readJson } from '#app/_cockpit/act.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { Menu } from '#app/_ui/action/menu.tsx';
import type { MenuItem } from '#app/_ui/action/menu-item.ts';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { useCommands } from '#app/_ui/shell/palette/commands.ts';
import { toast } from '#app/_ui/toast.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { setArchived } from '../../actions.ts';
import { ADD_EVENT } from '../_tree/add-event.ts';
import { DropImport } from './drop-import.tsx';
import { type ChosenFile, IMPORT_EVENT } from './import-event.ts';

const RenameDialog = lazyPart(() => import('./rename-dialog.tsx'));
const ImportDialog = lazyPart(() => import('./import-dialog.tsx'));

type SpaceActionsProps = {
  space: { id: string; name: string; websiteUrl: string | null; archived: boolean; empty: boolean };
  canEdit: boolean;
  /** Without any Memory, nor one that is being imported: its first action stands in the page itself. */
  isEmpty: boolean;
  pillars: { role: PillarRole; label: string }[];
};

const add = () => window.dispatchEvent(new Event(ADD_EVENT));

/** What one does with a whole Space. */
export function SpaceActions({ space, canEdit, isEmpty, pillars }: SpaceActionsProps) {
  const router = useRouter();
  // The list of first steps leads here.
  const asked = useSearchParams().has('importer');
  const [dialog, setDialog] = useState<'rename' | 'import' | null>(canEdit && asked ? 'import' : null);
  const [chosen, setChosen] = useState<ChosenFile[]>([]);
  const [, start] = useTransition();
  useEffect(() => {
    if (!canEdit) return;
    const open = (event: Event) => {
      setChosen((event as CustomEvent<ChosenFile[]>).detail);
      setDialog('import');
    };
    window.addEventListener(IMPORT_EVENT, open);
    return () => window.removeEventListener(IMPORT_EVENT, open);
  }, [canEdit]);
  const close = () => {
    setDialog(null);
    setChosen([]);
    if (asked) router.replace(`/espaces/${space.id}`, { scroll: false });
  };
  const commands = useMemo(
    () =>
      canEdit
        ? [
            { id: 'add-memory', label: 'Ajouter une mémoire', run: add },
            { id: 'import', label: 'Importer dans cet espace', run: () => setDialog('import') },
          ]
        : [],
    [canEdit],
  );
  useCommands('espace', commands);

  const archive = () =>
    start(async () => {
      if (!(await act(setArchived({ spaceId: space.id, archived: true })))) return;
      toast({
        title: 'Espace archivé',
        description: 'Programmes et assistants ne le voient plus.',
        undo: {
          run: async () => {
            const done = await act(setArchived({ spaceId: space.id, archived: false }));
            if (done) router.refresh();
            return done !== null;
          },
        },
      });
      router.refresh();
    });
  const save = (format: 'json' | 'markdown') => () =>
    window.location.assign(`/api/brain/spaces/${space.id}/export?format=${format}`);

  const items: MenuItem[] = [
    ...(canEdit
      ? [
          { label: 'Renommer, site web', icon: Pencil, onSelect: () => setDialog('rename') },
          { label: 'Importer', icon: Upload, onSelect: () => setDialog('import') },
        ]
      : []),
    ...(space.archived
      ? []
      : [{ label: 'Prévisualiser le contexte', icon: FileText, href: `/contexte?espace=${space.id}` }]),
    ...(canEdit && !space.archived
      ? [{ label: 'Partager le contexte', icon: Share2, href: `/partages?espace=${space.id}` }]
      : []),
    { label: 'Exporter en Markdown', icon: FileDown, onSelect: save('markdown') },
    { label: 'Exporter en JSON', icon: Download, onSelect: save('json') },
    ...(canEdit
      ? [{ separator: true as const }, { label: 'Archiver', icon: Archive, onSelect: archive }]
      : []),
  ];
  return (
    <>
      {space.archived ? null : space.empty ? (
        <Button disabled>Espace vide, rien à copier</Button>
      ) : (
        <CopyButton
          label="Copier le contexte"
          text={async () =>
            (await readJson<{ context: string }>(`/api/brain/spaces/${space.id}/context`)).context
          }
        />
      )}
      <Menu
        label="Actions de l’espace"
        tip="Actions de l’espace"
        items={items}
        className="touch grid size-9 place-items-center rounded-md border border-line-strong/60 bg-surface hover:bg-hover"
      >
        <Ellipsis aria-hidden size={16} />
      </Menu>
      {canEdit ? (
        <Button variant={isEmpty ? 'secondary' : 'primary'} icon={Plus} onClick={add}>
          Ajouter une mémoire
        </Button>
      ) : null}
      {canEdit ? <DropImport /> : null}
      {dialog ? (
        <Suspense>
          {dialog === 'rename' ? (
            <RenameDialog space={space} onClose={close} />
          ) : (
            <ImportDialog spaceId={space.id} pillars={pillars} chosen={chosen} onClose={close} />
          )}
        </Suspense>
      ) : null}
    </>
  );
}
