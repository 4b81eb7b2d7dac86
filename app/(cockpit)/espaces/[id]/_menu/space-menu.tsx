'use client';
import { Archive, Download, FileDown, FileText, Pencil, Share2, Upload } from 'lucide';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { download } from '#app/_cockpit/downloads/download.ts';
import MenuPanel, { type MenuListProps } from '#app/_ui/action/menu-panel.tsx';
import { mustStay } from '#app/_ui/must-stay.ts';
import { toast } from '#app/_ui/toast.ts';
import { setArchived } from '../../actions.ts';

type SpaceMenuProps = MenuListProps & {
  space: { id: string; archived: boolean };
  canEdit: boolean;
  /** Opens the dialog of a menu item. */
  onDialog: (dialog: 'rename' | 'import') => void;
};

/** The items of a Space's menu. Loaded on demand. */
export default function SpaceMenu({ space, canEdit, onDialog, ...at }: SpaceMenuProps) {
  const router = useRouter();
  const [, start] = useTransition();
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
  const save = (format: 'json' | 'markdown') => () => {
    if (mustStay('L’export de cet espace')) return;
    void download(`/api/brain/spaces/${space.id}/export?format=${format}`);
  };
  return (
    <MenuPanel
      {...at}
      items={[
        ...(canEdit
          ? [
              { label: 'Renommer, site web', icon: Pencil, onSelect: () => onDialog('rename') },
              { label: 'Importer', icon: Upload, onSelect: () => onDialog('import') },
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
      ]}
    />
  );
}
