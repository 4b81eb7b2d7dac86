import Link from 'next/link';
import { withQuery } from '#app/_cockpit/money.ts';
import { Section } from '#app/_ui/data/card.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { bytes, count, duration, number } from '#app/_ui/format.ts';
import { Time } from '#app/_ui/text/time.tsx';
import { shorten } from '#lib/brain/text/cut.ts';
import { hasPermission, type MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { KEEP_REASON_LABELS } from '#lib/messages/storage.ts';
import { findProduct } from '#lib/products/registry.ts';
import { listCaptureRushes } from '#lib/storage/assets/capture-rushes.ts';
import { listConcepts } from '#lib/storage/assets/concepts.ts';
import { listLessons } from '#lib/storage/assets/lessons.ts';
import { LISTED } from '#lib/storage/assets/older-than.ts';
import { type ListedUpload, listUploads } from '#lib/storage/uploads/list-uploads.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';
import { DeleteItem } from './delete-item.tsx';
import { KeepRush } from './keep-rush.tsx';

type What = 'concept' | 'lesson' | 'rush';
type Kept = {
  id: string;
  what: What;
  name: string;
  detail: string;
  productId: string;
  createdAt: Date;
  href: string | null;
};
type Sent = ListedUpload;

const WHAT: Record<What, string> = { concept: 'Concept', lesson: 'Leçon', rush: 'Rush' };
const LINK = 'wrap-anywhere text-accent-ink underline underline-offset-4';

/**
 * The lists, by their parameter in the address, which holds the identifier of the last row of the page before; with their nouns. `%s` is the
 * number of rows.
 */
const LISTS = {
  concepts: { one: 'concept', many: 'concepts', latest: 'Les %s concepts les plus récents' },
  lecons: { one: 'leçon', many: 'leçons', latest: 'Les %s leçons les plus récentes' },
  rushs: { one: 'rush', many: 'rushs', latest: 'Les %s rushs les plus récents' },
  envois: { one: 'rush envoyé', many: 'rushs envoyés', latest: 'Les %s rushs envoyés les plus récents' },
} as const;
type ListName = keyof typeof LISTS;

type Props = { ctx: Context<MemberActor>; query: Record<string, string | undefined>; now: Date };

/** The concepts, lessons and rushes, whose files are kept whatever their age, and the uploaded rushes that can be kept. */
export async function ConceptsLessonsRushes({ ctx, query, now }: Props) {
  // One row more than is shown tells whether there are older ones.
  const part = (name: ListName) => ({ before: query[name], limit: LISTED + 1 });
  const [allConcepts, allLessons, allRushes, { uploads: sent, nextBefore }] = await Promise.all([
    listConcepts(ctx, part('concepts')),
    listLessons(ctx, part('lecons')),
    listCaptureRushes(ctx, part('rushs')),
    listUploads(ctx, {
      kind: 'RUSH',
      limit: LISTED,
      ...(query.envois ? { before: query.envois } : {}),
    }),
  ]);
  const [concepts, lessons, rushes] = [
    allConcepts.slice(0, LISTED),
    allLessons.slice(0, LISTED),
    allRushes.slice(0, LISTED),
  ];
  const older = (all: readonly unknown[], shown: readonly { id: string }[]) =>
    all.length > shown.length ? shown.at(-1)?.id : undefined;
  const places = Object.fromEntries(Object.keys(LISTS).map((name) => [name, query[name]]));
  const pages = (name: ListName, shown: number, next: string | undefined) => {
    if (!query[name] && !next) return null;
    const { one, many, latest } = LISTS[name];
    const words = query[name]
      ? `Suite\u00a0: ${count(shown, one, many)}`
      : latest.replace('%s', number(shown));
    const to = (place: string | undefined) =>
      `${withQuery('/produits', { ...places, [name]: place })}#${name === 'envois' ? 'rushs' : 'gardes'}`;
    return (
      <Pagination
        key={name}
        label={`Pages des ${many}`}
        summary={words}
        toFirst
        previousHref={query[name] ? to(undefined) : undefined}
        nextHref={next ? to(next) : undefined}
      />
    );
  };
  const canGenerate = hasPermission(ctx.actor, 'generate');
  const kept: Kept[] = [
    ...concepts.map(({ id, name, files, productId, createdAt }) => ({
      id,
      name,
      productId,
      createdAt,
      what: 'concept' as const,
      href: null,
      detail: count(files, 'fichier'),
    })),
    ...lessons.map(({ id, text, productId, createdAt, generationId }) => ({
      id,
      name: text,
      productId,
      createdAt,
      what: 'lesson' as const,
      detail: '1\u00a0fichier',
      href: generationId && canGenerate ? `/journal/${generationId}` : null,
    })),
    ...rushes.map(({ id, title, productId, createdAt, pathname, ...rush }) => ({
      id,
      name: title,
      productId,
      createdAt,
      what: 'rush' as const,
      href: fileUrl(pathname),
      detail: bytes(Number(rush.bytes)),
    })),
  ];
  const free = sent.filter(({ lasting }) => lasting !== 'rush');
  const productName = (id: string) => findProduct(ctx.actor.accountId, id)?.name ?? id;
  const product = { key: 'product', label: 'Produit', wide: true };
  const keptColumns: Column<Kept>[] = [
    {
      key: 'name',
      label: 'Nom',
      primary: true,
      render: ({ name, href }) =>
        href ? (
          <Link href={href} className={LINK} prefetch={false}>
            {shorten(name, 120)}
          </Link>
        ) : (
          <span className="wrap-anywhere">{shorten(name, 120)}</span>
        ),
    },
    { key: 'what', label: 'Nature', render: ({ what }) => WHAT[what] },
    { ...product, render: ({ productId }) => productName(productId) },
    { key: 'detail', label: 'Garde', numeric: true, render: ({ detail }) => detail },
    {
      key: 'since',
      label: 'Depuis',
      wide: true,
      render: ({ createdAt }) => <Time at={createdAt} now={now} className="text-ink-soft" />,
    },
  ];
  const sentColumns: Column<Sent>[] = [
    {
      key: 'file',
      label: 'Fichier',
      primary: true,
      render: (one) => (
        <a href={fileUrl(one.pathname)} className={LINK}>
          {fileOf(one)}
        </a>
      ),
    },
    { ...product, render: ({ productId }) => productName(productId) },
    { key: 'at', label: 'Envoyé', render: ({ createdAt }) => <Time at={createdAt} now={now} /> },
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
  ];
  const actions = { key: 'actions', label: 'Actions', actions: true };
  if (canGenerate) {
    keptColumns.push({
      ...actions,
      render: ({ what, id, name }) => <DeleteItem what={what} id={id} name={name} />,
    });
    sentColumns.push({ ...actions, render: (one) => <KeepRush uploadId={one.id} file={fileOf(one)} /> });
  }
  const keptPages = [
    pages('concepts', concepts.length, older(allConcepts, concepts)),
    pages('lecons', lessons.length, older(allLessons, lessons)),
    pages('rushs', rushes.length, older(allRushes, rushes)),
  ];
  const sentPages = pages('envois', sent.length, nextBefore ?? undefined);
  return (
    <>
      {kept.length > 0 || keptPages.some(Boolean) ? (
        <Section
          id="gardes"
          title="Gardés exprès"
          description="Les concepts, leçons et rushs gardent leurs fichiers au-delà de 30 jours. Un fichier du journal se rattache ou se retient depuis sa page."
        >
          <DataTable caption="Gardés exprès" columns={keptColumns} rows={kept} rowKey={({ id }) => id} />
          {keptPages}
        </Section>
      ) : null}
      {free.length > 0 || sentPages ? (
        <Section
          id="rushs"
          title="Rushs envoyés"
          description="Les clips envoyés comme références. Sans usage, ils sont supprimés au bout de 30 jours."
        >
          <DataTable caption="Rushs envoyés" columns={sentColumns} rows={free} rowKey={({ id }) => id} />
          {sentPages}
        </Section>
      ) : null}
    </>
  );
}

/** A clip without a title, described by its format, duration and size. */
function fileOf({ contentType, durationMs, bytes: size }: Sent): string {
  const kind = contentType.split('/')[1]?.toUpperCase();
  return [kind, durationMs === null ? null : duration(durationMs), bytes(size)].filter(Boolean).join(' · ');
}
