import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import type { Executor, Queries } from '#lib/db/types.ts';
import { countRows, isAnyLocked, isAnyOf } from '#lib/db/values.ts';
import { clearGenerations, lockGenerations } from '../clear-generations.ts';
import type { FilesContext } from '../context.ts';
import { hasConsent, inFlightNames, isInFlight } from '../facts/file-references.ts';
import type { FileStore } from '../file-store.ts';
import { headAll } from '../head-all.ts';
import { thumbnailPathname } from '../pathnames.ts';
import { withRetentionLock } from '../retention-lock.ts';

/** What a purge did; also the data of its audit entry. */
export type PurgeReport = {
  prefix: string;
  removedObjects: number;
  removedBytes: number;
  clearedGenerations: number;
  deletedAssets: number;
  deletedAvatars: number;
  deletedReferences: number;
  clearedCaptures: number;
  /** Signed documents of consents, which no purge deletes; absent: it has none. */
  keptConsents?: number;
  /** Uploads that the store refused to delete: already hidden from everybody, and finished by the next night or the same purge; absent: none. */
  hiddenReferences?: number;
  /** False: run it again, it resumes. */
  complete: boolean;
  /** Why it is not complete: `time`, `running` (generations of the product still run), or the store's error. */
  error: string | null;
};

/** A purge that is under way. */
export type Purge = {
  ctx: FilesContext<AccountActor>;
  store: FileStore;
  productId: string;
  report: PurgeReport;
  isLate: () => boolean;
  /** Where the listing of the folder is; null once it was seen whole. */
  page?: string | null;
  /** Objects of the product's own folder that were counted already: a row may name one that the listing gives again. */
  counted: Set<string>;
};

/** How many files go in one step: bytes first, then their rows. */
const STEP = 500;

/** The rows whose bytes are there: a purge also deletes what is in the bin. */
const isHere = sql<boolean>`("deletedAt" is null or "binnedBy" is not null)`;

/** A statement that knows what the account's running generations read: `isInFlight` asks it. */
const withInFlight = (on: Queries, { ctx }: Purge) =>
  on.with(
    (cte) => cte('in_flight').materialized(),
    (query) => inFlightNames(query, ctx.actor.accountId),
  );

/** Adds objects that were just deleted to the report, each once. */
function countRemoved(
  { report, counted }: Purge,
  objects: readonly { pathname: string; bytes: bigint | number }[],
): void {
  for (const { pathname, bytes } of objects) {
    if (counted.has(pathname)) continue;
    if (pathname.startsWith(report.prefix)) counted.add(pathname);
    report.removedObjects += 1;
    report.removedBytes += Number(bytes);
  }
}

/** One step over assets and the avatars made of them; false when none is left. What running generations make or read waits. */
async function purgeAssets(purge: Purge): Promise<boolean> {
  const { ctx, store, productId, report } = purge;
  const { accountId } = ctx.actor;
  const now = ctx.clock.now();
  const assets = await withInFlight(ctx.kysely, purge)
    .selectFrom('Asset as a')
    .leftJoin('Generation as g', 'g.id', 'a.generationId')
    .select(['a.id', 'a.generationId', 'a.pathname', 'a.bytes', 'a.imported'])
    .where('a.productId', '=', productId)
    .where('a.accountId', '=', accountId)
    .where(({ or, eb }) => or([eb('a.deletedAt', 'is', null), eb('a.binnedBy', 'is not', null)]))
    .where(({ or, eb, not }) => or([eb('g.id', 'is', null), not(inOpenState('g.state'))]))
    .where(({ not }) =>
      not(
        isInFlight(
          sql.ref<string>('a.pathname'),
          sql.ref<string>('a.id'),
          sql.ref<string | null>('a.generationId'),
        ),
      ),
    )
    .orderBy('a.id')
    .limit(STEP)
    .execute();
  if (assets.length === 0) return false;
  // The bytes of the former application are not in our store: only their rows go.
  const stored = assets.filter((asset) => !asset.imported);
  await store.delete(stored.flatMap(({ pathname }) => [pathname, thumbnailPathname(pathname)]));
  const ids = assets.map((asset) => asset.id);
  const generationIds = [...new Set(assets.flatMap(({ generationId }) => generationId ?? []))];
  await transaction(ctx, async (tx) => {
    await lockGenerations(tx, generationIds);
    const gone = await tx
      .updateTable('Asset')
      .set({ deletedAt: now, deletedBy: 'purge', binnedBy: null, updatedAt: now })
      .where(
        isAnyLocked(
          'id',
          tx
            .selectFrom('Asset')
            .select('id')
            .where(isAnyOf('id', ids))
            .where(isHere)
            .orderBy('id')
            .forNoKeyUpdate(),
        ),
      )
      .returning('id')
      .execute();
    const avatars = await tx
      .updateTable('Avatar')
      .set({ deletedAt: now, binnedBy: null })
      .where(isAnyOf('assetId', ids))
      .where(isHere)
      .returning('id')
      .execute();
    const cleared = await clearGenerations(tx, { generationIds, by: 'purge', now });
    report.deletedAssets += gone.length;
    report.deletedAvatars += avatars.length;
    report.clearedGenerations += cleared.length;
  });
  countRemoved(purge, stored);
  return true;
}

/** The uploads of the product that are there, by whether a consent names them: those are a proof, and stay. */
const uploadsOf = (on: Executor, purge: Purge, named: { byConsent: boolean }) =>
  withInFlight(on, purge)
    .selectFrom('Upload')
    .where('productId', '=', purge.productId)
    .where('accountId', '=', purge.ctx.actor.accountId)
    .where(isHere)
    .where(({ not }) => {
      const isProof = hasConsent(sql.ref<string>('Upload.pathname'));
      return named.byConsent ? isProof : not(isProof);
    });

/** How many documents of consents the purge leaves. */
export async function countKeptConsents(purge: Purge): Promise<number> {
  const kept = await uploadsOf(purge.ctx.kysely, purge, { byConsent: true })
    .select(countRows.as('count'))
    .executeTakeFirst();
  return kept?.count ?? 0;
}

/** The uploads of the product that may go: no consent names them, and no running generation reads them. */
const idleUploadsOf = (on: Executor, purge: Purge) =>
  uploadsOf(on, purge, { byConsent: false }).where(({ not }) =>
    not(isInFlight(sql.ref<string>('Upload.pathname'), sql.ref<string>('Upload.id'))),
  );

/** One step over uploads; false when none is left but those that running generations read. */
async function purgeUploads(purge: Purge): Promise<boolean> {
  const { ctx, store, report } = purge;
  const found = await idleUploadsOf(ctx.kysely, purge).select('id').orderBy('id').limit(STEP).execute();
  if (found.length === 0) return false;
  // Claimed as by retention: from here on no consent can take one for its document, nor a request one to read.
  const uploads = await withRetentionLock(ctx, (tx) => claimUploads(tx, purge, ids(found)));
  try {
    await store.delete(uploads.map((upload) => upload.pathname));
  } catch (error) {
    // Some bytes may be gone: an unclaimed upload would be shown without them.
    if (uploads.length > 0) report.hiddenReferences = uploads.length;
    throw error;
  }
  const gone = await ctx.kysely
    .updateTable('Upload')
    .set({ deletedAt: ctx.clock.now(), deletedBy: 'purge', binnedBy: null })
    .where(
      isAnyLocked(
        'id',
        ctx.kysely
          .selectFrom('Upload')
          .select('id')
          .where(isAnyOf('id', ids(uploads)))
          .where(isHere)
          .orderBy('id')
          .forNoKeyUpdate(),
      ),
    )
    .returning('id')
    .execute();
  report.deletedReferences += gone.length;
  countRemoved(purge, uploads);
  return true;
}

function claimUploads(tx: Transaction, purge: Purge, among: readonly string[]) {
  const idle = idleUploadsOf(tx, purge)
    .select('id')
    .where(isAnyOf('id', among))
    .orderBy('id')
    .forNoKeyUpdate();
  return tx
    .updateTable('Upload')
    .set({ expiringAt: purge.ctx.clock.now() })
    .where(isAnyLocked('id', idle))
    .returning(['id', 'pathname', 'bytes'])
    .execute();
}

/** Rushes and avatars that have bytes of their own besides an upload or an asset; those that running generations read wait. */
async function purgeCaptures(purge: Purge): Promise<boolean> {
  const { ctx, store, productId, report } = purge;
  const { kysely } = ctx;
  const isIdle = sql<boolean>`not ${isInFlight(sql.ref<string>('pathname'), sql.ref<string>('id'))}`;
  const rushes = kysely
    .selectFrom('CaptureRush')
    .select(['id', 'pathname', sql<'rush' | 'avatar'>`'rush'`.as('kind')])
    .where('productId', '=', productId)
    .where('accountId', '=', ctx.actor.accountId)
    .where('clearedAt', 'is', null)
    .where(isIdle)
    .limit(STEP);
  const avatars = kysely
    .selectFrom('Avatar')
    .select(['id', 'pathname', sql<'rush' | 'avatar'>`'avatar'`.as('kind')])
    .where('productId', '=', productId)
    .where('accountId', '=', ctx.actor.accountId)
    .where(isHere)
    .where(sql<boolean>`starts_with("pathname", 'avatars/')`)
    .where(isIdle)
    .limit(STEP);
  const held = await withInFlight(kysely, purge)
    .selectFrom(rushes.as('rush'))
    .selectAll()
    .unionAll(kysely.selectFrom(avatars.as('avatar')).selectAll())
    .execute();
  if (held.length === 0) return false;
  // Those of an upload are gone with it, and no row knows the size of an avatar's: the store says what is there.
  const found = await headAll(
    store,
    held.map((one) => one.pathname),
  );
  const objects = [...found.values()];
  await store.delete(objects.map((object) => object.pathname));
  const idsOf = (kind: 'rush' | 'avatar') => ids(held.filter((one) => one.kind === kind));
  const now = ctx.clock.now();
  const cleared = await ctx.kysely
    .updateTable('CaptureRush')
    .set({ clearedAt: now })
    .where(isAnyOf('id', idsOf('rush')))
    .where('clearedAt', 'is', null)
    .returning('id')
    .execute();
  const deleted = await ctx.kysely
    .updateTable('Avatar')
    .set({ deletedAt: now, binnedBy: null })
    .where(isAnyOf('id', idsOf('avatar')))
    .where(isHere)
    .returning('id')
    .execute();
  countRemoved(purge, objects);
  report.clearedCaptures += cleared.length;
  report.deletedAvatars += deleted.length;
  return true;
}

/** Everything that lies under the product's own folder, whoever put it there, but for what running generations read. */
async function purgeFolder(purge: Purge): Promise<boolean> {
  const { store, page, ctx } = purge;
  // By cursor, not until the list is empty: a store may list deleted files for a while.
  const { files, cursor } = await store.list({
    prefix: purge.report.prefix,
    limit: STEP,
    ...(page ? { cursor: page } : {}),
  });
  const named = await withInFlight(ctx.kysely, purge).selectFrom('in_flight').select('name').execute();
  const read = new Set(named.map(({ name }) => name));
  const idle = files.filter((file) => !read.has(file.pathname));
  await store.delete(idle.map((file) => file.pathname));
  countRemoved(purge, idle);
  purge.page = cursor ?? null;
  return cursor !== undefined;
}

/** Whether a generation of the product has not ended: its files are still to come, and those that it reads wait. */
export async function hasRunning({ ctx, productId }: Purge): Promise<boolean> {
  const running = await ctx.kysely
    .selectFrom('Generation')
    .select('id')
    .where('accountId', '=', ctx.actor.accountId)
    .where('productId', '=', productId)
    .where(inOpenState('state'))
    .limit(1)
    .executeTakeFirst();
  return running !== undefined;
}

const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

/** The steps of a purge, in order: each is called again until it returns false. */
export const PURGE_STEPS = [purgeAssets, purgeUploads, purgeCaptures, purgeFolder];
