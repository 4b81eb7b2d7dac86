import { FileText, Film, Image, Layers, Mic, UserRound } from 'lucide';
import Link from 'next/link';
import { KIND_ICONS } from '#app/_studio/kind-icons.ts';
import { bytes, count } from '#app/_ui/format.ts';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { UPLOAD_KIND_LABELS } from '#lib/messages/storage.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { BinnedItem } from '#lib/storage/bin/list-binned.ts';
import type { UploadKind } from '#lib/storage/uploads/list-uploads.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';
import { Deleted } from './deleted.tsx';
import { Picture } from './picture.tsx';

const labelIn = (labels: Record<string, string>, key: string | null) =>
  key !== null && Object.hasOwn(labels, key) ? labels[key] : undefined;

/** The name of an item of the bin, or its kind if it has no name. */
export function titleOfThing({ kind, name, what }: BinnedItem): string {
  if (kind === 'upload')
    return `${labelIn(UPLOAD_KIND_LABELS, what) ?? 'Fichier'} envoyé${what === 'IMAGE' || what === 'TRACK' ? 'e' : ''}`;
  return name?.trim() || labelIn(KIND_LABELS, what) || 'Sans titre';
}

const UPLOAD_ICONS: Record<UploadKind, IconDrawing> = {
  IMAGE: Image,
  RUSH: Film,
  TRACK: Mic,
  DOCUMENT: FileText,
};
const ICONS: Readonly<Record<string, IconDrawing>> = { ...KIND_ICONS, ...UPLOAD_ICONS };

function describe({ kind, what, files, bytes: size }: BinnedItem): string {
  if (kind === 'avatar') return 'Avatar';
  if (kind === 'concept') return `Concept · ${files > 0 ? count(files, 'fichier') : 'aucun fichier'}`;
  const weight = bytes(size);
  if (kind === 'upload') return `Envoi · ${weight}`;
  return [labelIn(KIND_LABELS, what), count(files, 'fichier'), weight].filter(Boolean).join(' · ');
}

/** Files, an avatar or a concept in the bin. */
export function DeletedThing({
  one,
  now,
  nameOf,
}: {
  one: BinnedItem;
  now: Date;
  nameOf: (productId: string) => string;
}) {
  const title = titleOfThing(one);
  const several = one.kind === 'files' && one.files > 1;
  const icon =
    one.kind === 'avatar' ? UserRound : one.kind === 'concept' ? Layers : (ICONS[one.what ?? ''] ?? FileText);
  const address =
    one.pathname && (one.kind === 'files' || one.kind === 'avatar') ? fileUrl(one.pathname) : null;
  return (
    <div className="flex min-w-0 grow basis-72 items-start gap-3">
      <Picture src={address && `${address}?thumbnail=bin`}>
        <Icon of={icon} size={20} strokeWidth={1.75} />
      </Picture>
      <Deleted
        one={one}
        now={now}
        word={several ? 'Supprimés' : 'Supprimé'}
        until={several ? 'Seront effacés' : 'Sera effacé'}
        title={title}
      >
        <span>{describe(one)}</span>
        <span className="wrap-anywhere min-w-0">{nameOf(one.productId)}</span>
        {one.kind === 'files' ? (
          <Link href={`/journal/${one.id}`} prefetch={false} className="hover:underline">
            Ligne du journal
          </Link>
        ) : null}
      </Deleted>
    </div>
  );
}
