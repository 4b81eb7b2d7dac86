'use client';
import { Ellipsis, Plus } from 'lucide';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { MenuButton } from '#app/_ui/action/menu.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { useCommands } from '#app/_ui/shell/palette/commands.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { ADD_EVENT } from '../_tree/add-event.ts';
import { type ChosenFile, IMPORT_EVENT } from './import-event.ts';

const loadMenu = () => import('./space-menu.tsx');
const SpaceMenu = lazyPart(loadMenu, null, ({ onOpenChange }) => onOpenChange(false));
// Loaded on the first drag over the page.
const DropImport = lazyPart(() => import('./drop-import.tsx'), null, null);
const leave = ({ onClose }: { onClose: () => void }) => onClose();
const RenameDialog = lazyPart(() => import('./rename-dialog.tsx'), null, leave);
const ImportDialog = lazyPart(() => import('./import-dialog.tsx'), null, leave);

type SpaceActionsProps = {
  space: { id: string; name: string; websiteUrl: string | null; archived: boolean; empty: boolean };
  canEdit: boolean;
  /** Whether the Space has no Memory and no running import: its first actions are then in the page itself. */
  isEmpty: boolean;
  pillars: { role: PillarRole; label: string }[];
};

const add = () => window.dispatchEvent(new Event(ADD_EVENT));

/** The actions on a whole Space. */
export function SpaceActions({ space, canEdit, isEmpty, pillars }: SpaceActionsProps) {
  const router = useRouter();
  // The list of first steps links here.
  const asked = useSearchParams().has('importer');
  const [dialog, setDialog] = useState<'rename' | 'import' | null>(canEdit && asked ? 'import' : null);
  const [chosen, setChosen] = useState<ChosenFile[]>([]);
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
    // Offline, a navigation would lose the page.
    if (asked && navigator.onLine) router.replace(`/espaces/${space.id}`, { scroll: false });
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

  return (
    <>
      {space.archived ? null : space.empty ? (
        <Button disabled>Espace vide, rien à copier</Button>
      ) : (
        <CopyButton
          label="Copier le contexte"
          text={async () => (await import('./copied-context.ts')).copiedContext(space.id)}
        />
      )}
      <MenuButton
        label="Actions de l’espace"
        tip="Actions de l’espace"
        load={loadMenu}
        list={(at) => <SpaceMenu {...at} space={space} canEdit={canEdit} onDialog={setDialog} />}
        className="touch grid size-9 place-items-center rounded-md border border-line-strong/60 bg-surface hover:bg-hover"
      >
        <Icon of={Ellipsis} size={16} />
      </MenuButton>
      {canEdit ? (
        <Button variant={isEmpty ? 'secondary' : 'primary'} icon={Plus} onClick={add}>
          Ajouter une mémoire
        </Button>
      ) : null}
      {canEdit ? <DropImport /> : null}
      {dialog === 'rename' ? <RenameDialog space={space} onClose={close} /> : null}
      {dialog === 'import' ? (
        <ImportDialog spaceId={space.id} pillars={pillars} chosen={chosen} onClose={close} />
      ) : null}
    </>
  );
}
