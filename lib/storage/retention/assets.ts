import { sql } from 'kysely';
import { type AuditEvent, recordAudits } from '#lib/core/audit.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor } from '#lib/db/types.ts';
import { isAnyLocked, isAnyOf, isOneOf } from '#lib/db/values.ts';
import { clearGenerations, lockGenerations } from '../clear-generations.ts';
import { type AssetWithFacts, readAssetFacts } from '../facts/asset-facts.ts';
import { PASSED_STATES, UNPASSED_STATES } from '../file-states.ts';
import { ASSET_KEEP_REASONS, type KeepReason } from '../keep-reason.ts';
import { withRetentionLock } from '../retention-lock.ts';
import { askStore } from './ask-store.ts';
import { saveCursor } from './cursor.ts';
import { deleteBytes } from './delete-bytes.ts';
import { countChanged, type Pass } from './pass.ts';

/** How many files are decided about at once, unless asked otherwise: one short transaction. */
export const BATCH = 500;

type ClaimedAsset = {
  id: string;
  accountId: string;
  generationId: string | null;
  pathname: string;
  etag: string | null;
  thumbnailAt: Date | null;
};

const candidates = prepared(
  'retention.candidates',
  (db, p: Params<{ cutoff: Date; afterAt: string; afterId: string; limit: number }>) =>
    db
      .selectFrom('Asset')
      .select('id')
      .where('deletedAt', 'is', null)
      .where(isOneOf('state', UNPASSED_STATES))
      .where('expiringAt', 'is', null)
      .where('createdAt', '<', p.cutoff)
      .where(
        sql<boolean>`(${sql.ref('createdAt')}, ${sql.ref('id')}) > (${p.afterAt}::timestamptz, ${p.afterId})`,
      )
      .orderBy('createdAt')
      .orderBy('id')
      .limit(p.limit),
);

/** The old files that never passed quality control, after a place, with their facts. */
export async function readCandidates(
  on: Executor,
  input: { cutoff: Date; after: { at: string; id: string } | null; now: Date; batch?: number },
): Promise<AssetWithFacts[]> {
  const rows = await candidates.all(on, {
    cutoff: input.cutoff,
    afterAt: input.after?.at ?? '-infinity',
    afterId: input.after?.id ?? '',
    limit: input.batch ?? BATCH,
  });
  return readAssetFacts(
    on,
    rows.map((row) => row.id),
    input.now,
  );
}

const settled = prepared('retention.settled', (db, p: Params<{ cutoff: Date }>) => {
  const live = (states: readonly (typeof PASSED_STATES | typeof UNPASSED_STATES)[number][]) =>
    db
      .selectFrom('Asset')
      .select(({ fn }) => fn.countAll<bigint>().as('files'))
      .where('deletedAt', 'is', null)
      .where(isOneOf('state', states));
  const [judged, unjudged] = [live(PASSED_STATES), live(UNPASSED_STATES)];
  return db.selectNoFrom([
    sql<bigint>`${unjudged.where('createdAt', '>=', p.cutoff)} + ${judged.where('createdAt', '>=', p.cutoff)}`.as(
      'recent',
    ),
    sql<bigint>`${judged.where('createdAt', '<', p.cutoff)}`.as('status'),
  ]);
});

/**
 * Counts files that are kept without being read one by one: too recent, or approved or delivered. From two partial indexes, once a pass: a
 * stored counter would have to follow every decision, for one figure of a nightly report.
 */
export async function countKeptByIndex(
  on: Executor,
  cutoff: Date,
): Promise<{ recent: number; status: number }> {
  const row = await settled.first(on, { cutoff });
  return { recent: Number(row?.recent ?? 0n), status: Number(row?.status ?? 0n) };
}

/** Rule 1 for assets: decides in batches, deletes what nobody keeps, and counts why the rest is kept. */
export async function expireAssets(pass: Pass): Promise<void> {
  const { ctx, budget, report } = pass;
  await finishClaimed(pass);
  while (!budget.isSpent()) {
    const { files, claimed } = await decideBatch(pass);
    await settle(pass, claimed);
    if (files === 0 && !budget.isSpent()) {
      pass.cursor = { ...pass.cursor, phase: 'uploads', after: null };
      await saveCursor(ctx.kysely, ctx, pass.cursor);
      return;
    }
  }
  report.complete = false;
}

// A request may have used one since it was read: the condition is checked again on the row.
const claim = prepared('retention.claim', (db, p: Params<{ ids: readonly string[]; now: Date }>) => {
  const unused = db
    .selectFrom('Asset')
    .select('id')
    .where(isAnyOf('id', p.ids))
    .where('deletedAt', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('usedAt', 'is', null),
        sql<boolean>`"usedAt" not between ${p.now}::timestamptz - interval '1 hour' and ${p.now}::timestamptz + interval '1 hour'`,
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate();
  return db
    .updateTable('Asset')
    .set({ expiringAt: p.now })
    .where(isAnyLocked('id', unused))
    .returning(['id', 'accountId', 'generationId', 'pathname', 'etag', 'thumbnailAt']);
});

/** Decides a batch under the lock: none of its files can be protected or released meanwhile, and a claimed file can no longer be kept. */
async function decideBatch(pass: Pass): Promise<{ files: number; claimed: ClaimedAsset[] }> {
  const { ctx, report, now } = pass;
  const kept: KeepReason[] = [];
  const decision = await withRetentionLock(ctx, async (tx) => {
    const files = await readCandidates(tx, {
      cutoff: pass.cutoff,
      after: pass.cursor.after,
      now,
      batch: pass.batch,
    });
    const last = files.at(-1);
    if (!last) return { files: 0, claimed: [], cursor: pass.cursor };
    const unkept: string[] = [];
    for (const file of files) {
      const reason = pass.rule(file, now);
      if (reason === null) unkept.push(file.id);
      else kept.push(reason);
    }
    const claimed = await claim.all(tx, { ids: unkept, now });
    for (let n = claimed.length; n < unkept.length; n += 1) kept.push('in-flight');
    const cursor = { ...pass.cursor, after: { at: last.createdAt.toISOString(), id: last.id } };
    await saveCursor(tx, ctx, cursor);
    return { files: files.length, claimed, cursor };
  });
  pass.cursor = decision.cursor;
  for (const reason of ASSET_KEEP_REASONS)
    report.assets.kept[reason] += kept.filter((one) => one === reason).length;
  return decision;
}

const claimedIds = prepared('retention.claimed', (db, p: Params<{ afterId: string; limit: number }>) =>
  db
    .selectFrom('Asset')
    .select('id')
    .where('deletedAt', 'is', null)
    .where('expiringAt', 'is not', null)
    .where('id', '>', p.afterId)
    .orderBy('id')
    .limit(p.limit),
);

/** The assets that an earlier pass claimed and did not finish, after an identifier, with their facts. */
export async function readClaimedAssets(
  on: Executor,
  input: { afterId: string; limit: number; now: Date },
): Promise<AssetWithFacts[]> {
  const { afterId, limit, now } = input;
  const rows = await claimedIds.all(on, { afterId, limit });
  return (
    await readAssetFacts(
      on,
      rows.map((row) => row.id),
      now,
    )
  ).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What an earlier pass claimed and did not finish: cut, or refused by the store. Each is tried once. */
async function finishClaimed(pass: Pass): Promise<void> {
  let afterId = '';
  while (!pass.budget.isSpent()) {
    const rows = await claimedIds.all(pass.ctx.kysely, { afterId, limit: pass.batch });
    if (rows.length === 0) return;
    afterId = rows.at(-1)?.id ?? afterId;
    await settle(
      pass,
      await decideAgain(
        pass,
        rows.map((file) => file.id),
      ),
    );
  }
}

/** Decides again about files that an earlier pass claimed: one that something keeps by now is unclaimed, if its bytes are still there. Returns those to delete. */
async function decideAgain(pass: Pass, ids: readonly string[]): Promise<ClaimedAsset[]> {
  const files = await withRetentionLock(pass.ctx, (tx) => readAssetFacts(tx, ids, pass.now));
  const kept = files.filter((file) => pass.rule(file, pass.now) !== null);
  const { alive, lost } = await askStore(pass, kept);
  await unclaim(
    pass.ctx.kysely,
    alive.map((file) => file.id),
  );
  return [...files.filter((file) => !kept.includes(file)), ...lost];
}

const unclaimAssets = prepared('retention.unclaim', (db, p: Params<{ ids: readonly string[] }>) =>
  db
    .updateTable('Asset')
    .set({ expiringAt: null })
    .where(isAnyOf('id', p.ids))
    .where('deletedAt', 'is', null),
);

async function unclaim(on: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await unclaimAssets.run(on, { ids });
}

const expire = prepared('retention.expire', (db, p: Params<{ ids: readonly string[]; now: Date }>) =>
  db
    .updateTable('Asset')
    .set({ deletedAt: p.now, deletedBy: 'retention', updatedAt: p.now })
    .where(isAnyOf('id', p.ids))
    .where('deletedAt', 'is', null)
    .where('expiringAt', 'is not', null)
    .returning(['id', 'accountId', 'generationId', 'pathname', 'etag', 'thumbnailAt']),
);

/** Deletes the bytes of claimed files, then records the results, row and audit together. */
async function settle(pass: Pass, claimed: readonly ClaimedAsset[]): Promise<void> {
  if (claimed.length === 0) return;
  const { ctx, report, now } = pass;
  const results = await deleteBytes(pass, claimed);
  const having = (wanted: string) => claimed.filter((_, index) => results[index] === wanted);
  const [removed, changed, failed] = [having('removed'), having('changed'), having('failed')];
  const ids = (files: readonly ClaimedAsset[]) => files.map((file) => file.id);
  const expired = await transaction(ctx, async (tx) => {
    await lockGenerations(tx, generationsOf(removed));
    const gone = await expire.all(tx, { ids: ids(removed), now });
    await clearGenerations(tx, { generationIds: generationsOf(gone), by: 'retention', now });
    await unclaim(tx, ids(changed));
    await recordAudits(tx, ctx, [
      ...byGeneration(gone, 'generation.files_expired'),
      ...byGeneration(failed, 'generation.files_delete_failed', { by: 'retention' }),
    ]);
    return gone.length;
  });
  report.assets.expired += expired;
  countChanged(pass, changed);
  report.files.removed += removed.length;
  report.files.failed += failed.length;
}

function generationsOf(files: readonly { generationId: string | null }[]): string[] {
  return [...new Set(files.flatMap(({ generationId }) => (generationId === null ? [] : [generationId])))];
}

/** One entry per generation (or per file that has none). */
function byGeneration(
  files: readonly ClaimedAsset[],
  action: 'generation.files_expired' | 'generation.files_delete_failed',
  more: { by?: 'retention' } = {},
): AuditEvent[] {
  const groups = Map.groupBy(files, (file) => file.generationId ?? file.id);
  return [...groups.values()].map((group) => {
    const [first] = group as [ClaimedAsset];
    return {
      action,
      accountId: first.accountId,
      subject:
        first.generationId === null
          ? { type: 'asset', id: first.id }
          : { type: 'generation', id: first.generationId },
      data: {
        ...more,
        assetIds: group.map((file) => file.id),
        pathnames: group.map((file) => file.pathname),
      },
    };
  });
}
