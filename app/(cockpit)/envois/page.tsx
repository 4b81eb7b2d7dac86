import { FileAudio, FileText, Film, Upload } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { onThisPage } from '#app/_cockpit/address/page-number.ts';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { Meter } from '#app/_ui/data/gauges.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { bytes, count, duration } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Picture } from '#app/_ui/state/picture.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { KEEP_REASON_LABELS, UPLOAD_KIND_LABELS } from '#lib/messages/storage.ts';
import { findProduct } from '#lib/products/registry.ts';
import { type ListedUpload, listUploads, type UploadKind } from '#lib/storage/uploads/list-uploads.ts';
import { readStorageUse } from '#lib/storage/uploads/storage-quota.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';
import { DeleteUpload } from './delete-upload.tsx';

export const metadata: Metadata = { title: 'Envois' };
/** In seconds. An upper limit: the actions only write to the database. */
export const maxDuration = 60;

const PATH = '/envois';
const KINDS = Object.keys(UPLOAD_KIND_LABELS) as UploadKind[];
const LINK = 'text-accent-ink underline underline-offset-4';

/** The files uploaded by members: where each is used, when it expires, and what can be done with it. */
export default memberPage(
  { permission: 'generate', action: 'consulter les envois' },
  async ({ ctx, query, now }) => {
    const kind = KINDS.find((one) => one === query.type);
    const [page, use] = await Promise.all([
      listUploads(ctx, { ...(kind ? { kind } : {}), ...(query.avant ? { before: query.avant } : {}) }),
      readStorageUse(ctx),
    ]);
    const nameOf = (id: string) => findProduct(ctx.actor.accountId, id)?.name ?? id;
    return (
      <>
        <PageHeader
          title="Envois"
          description="Les fichiers envoyés comme références. Sans usage, un envoi est supprimé au bout de 30 jours."
          action={
            <LinkButton variant="primary" href="/creer?type=image">
              Créer une image
            </LinkButton>
          }
        />
        <Meter
          label="Place prise par les fichiers du compte"
          used={Number(use.storedBytes + use.heldBytes)}
          total={Number(use.quotaBytes)}
          format={(value) => bytes(Number(value))}
          hint={
            use.quotaBytes === 0n
              ? 'Aucune place n’est comprise dans ce compte\u00a0: rien de plus ne peut y être envoyé.'
              : undefined
          }
          className="mb-6 max-w-md"
        />
        <nav aria-label="Natures" className="mb-5 flex flex-wrap gap-2">
          <FilterChip href={PATH} label="Tous" active={!kind} />
          {KINDS.map((one) => (
            <FilterChip
              key={one}
              href={withQuery(PATH, { type: one })}
              label={UPLOAD_KIND_LABELS[one]}
              active={kind === one}
            />
          ))}
        </nav>
        {page.uploads.length === 0 ? (
          <EmptyState
            icon={Upload}
            title={
              query.avant
                ? 'Aucun envoi plus ancien'
                : kind
                  ? 'Aucun envoi de cette nature'
                  : 'Ce que vous envoyez comme référence se retrouve ici'
            }
            action={<LinkButton href="/creer">Composer une demande</LinkButton>}
          >
            Une image, un clip ou un document joint à une demande reste à portée&nbsp;: reprenez-le sans
            l’envoyer à nouveau.
          </EmptyState>
        ) : (
          <DataTable
            caption="Fichiers envoyés"
            columns={columns(now, nameOf)}
            rows={page.uploads}
            rowKey={({ id }) => id}
          />
        )}
        {page.uploads.length > 0 || query.avant ? (
          <Pagination
            summary={onThisPage(count(page.uploads.length, 'envoi'), !query.avant && !page.nextBefore)}
            toFirst
            previousHref={query.avant ? withQuery(PATH, { type: kind }) : undefined}
            nextHref={page.nextBefore ? withQuery(PATH, { type: kind, avant: page.nextBefore }) : undefined}
          />
        ) : null}
      </>
    );
  },
);

const ICONS = { RUSH: Film, TRACK: FileAudio, DOCUMENT: FileText };

function Thumbnail({ upload }: { upload: ListedUpload }) {
  if (upload.kind === 'IMAGE')
    return (
      <Picture
        small
        src={fileUrl(upload.pathname)}
        alt=""
        loading="lazy"
        decoding="async"
        className="size-10 shrink-0 rounded-xs border border-line object-cover"
      />
    );
  const icon = ICONS[upload.kind];
  return <Icon of={icon} size={20} strokeWidth={1.75} className="shrink-0 text-ink-soft" />;
}

function describe({ contentType, width, height, durationMs }: ListedUpload): string {
  const size = width && height ? ` · ${width}\u00a0×\u00a0${height}` : '';
  const length = durationMs === null ? '' : ` · ${duration(durationMs)}`;
  return `${contentType.split('/')[1]?.toUpperCase()}${size}${length}`;
}

/** The kind of generation in which an upload can be used as a reference: an image in an image, a clip in a video. */
const REUSES: Partial<Record<UploadKind, string>> = { IMAGE: 'image', RUSH: 'video' };

function columns(now: Date, nameOf: (productId: string) => string): Column<ListedUpload>[] {
  return [
    {
      key: 'file',
      label: 'Fichier',
      primary: true,
      render: (upload) => (
        <a href={fileUrl(upload.pathname)} className="flex min-w-0 items-center gap-3">
          <Thumbnail upload={upload} />
          <span className="min-w-0">
            <span className={LINK}>{UPLOAD_KIND_LABELS[upload.kind]}</span>
            <span className="block truncate text-ink-faint text-xs">{describe(upload)}</span>
          </span>
        </a>
      ),
    },
    { key: 'product', label: 'Produit', wide: true, render: ({ productId }) => nameOf(productId) },
    { key: 'bytes', label: 'Poids', numeric: true, render: (upload) => bytes(upload.bytes) },
    {
      key: 'uses',
      label: 'Utilisé',
      render: ({ uses, lastUse }) =>
        lastUse ? (
          <Link href={`/journal/${lastUse.generationId}`} className={LINK} prefetch={false}>
            {uses >= 100 ? '100 fois et plus' : `${uses}\u00a0fois`}
          </Link>
        ) : (
          'Pas encore'
        ),
    },
    {
      key: 'at',
      label: 'Envoyé',
      wide: true,
      render: ({ createdAt, memberName }) => (
        <>
          <Time at={createdAt} now={now} />
          {memberName ? <span className="wrap-anywhere text-ink-faint"> par {memberName}</span> : null}
        </>
      ),
    },
    {
      key: 'until',
      label: 'Supprimé',
      render: ({ expiresAt, lasting }) =>
        expiresAt ? (
          <Time at={expiresAt} now={now} />
        ) : (
          lasting && `Gardé\u00a0: ${KEEP_REASON_LABELS[lasting]}`
        ),
    },
    {
      key: 'actions',
      label: 'Actions',
      actions: true,
      render: (upload) => {
        const { id, kind, productId, lasting } = upload;
        const type = REUSES[kind];
        const what = `${UPLOAD_KIND_LABELS[kind].toLowerCase()}, ${describe(upload)}`;
        return (
          <span className="flex items-center justify-end gap-1">
            {type ? (
              <LinkButton
                size="sm"
                href={withQuery('/creer', {
                  type,
                  produit: productId,
                  reference: id,
                  role: kind === 'RUSH' ? 'clips' : undefined,
                })}
              >
                <Named about={`(${what})`}>Reprendre</Named>
              </LinkButton>
            ) : null}
            {lasting ? null : <DeleteUpload uploadId={id} what={what} />}
          </span>
        );
      },
    },
  ];
}
