import { type AuditEvent, recordAudits } from '#lib/core/audit.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { type FileWithFacts, readFileFacts } from '../file-facts.ts';
import { withRetentionLock } from '../retention-lock.ts';
import { askStore } from './ask-store.ts';
import { saveCursor } from './cursor.ts';
import { deleteBytes } from './delete-bytes.ts';
import type { Pass } from './pass.ts';

/** How many files are decided about at once, unless asked otherwise: one short transaction. */
export const BATCH = 500;

type ClaimedAsset = {
  id: string;
  accountId: string;
  generationId: string | null;
  pathname: string;
  etag: string | null;
};

const CANDIDATES = `SELECT "id" FROM "Asset" WHERE "deletedAt" IS NULL AND "state" IN ('GENERATED', 'REJECTED')
  AND "expiringAt" IS NULL AND "createdAt" < $1 AND ("createdAt", "id") > ($2, $3) ORDER BY "createdAt", "id" LIMIT $4`;

/** The old files that never passed quality control, after a place, with their facts. */
export async function readCandidates(
  sql: SqlTransaction,
  input: { cutoff: Date; after: { at: string; id: string } | null; now: Date; batch?: number },
): Promise<FileWithFacts[]> {
  const rows = await sql.rows<{ id: string }>('retention.candidates', CANDIDATES, [
    input.cutoff,
    input.after?.at ?? '-infinity',
    input.after?.id ?? '',
    input.batch ?? BATCH,
  ]);
  return readFileFacts(
    sql,
    rows.map((row) => row.id),
    input.now,
  );
}

/** Files that are kept without being looked at one by one: too recent, or approved or delivered. */
export async function countSettled(
  sql: SqlTransaction,
  cutoff: Date,
): Promise<{ recent: number; status: number }> {
  const [row] = await sql.rows<{ recent: bigint; status: bigint }>(
    'retention.settled',
    `SELECT (SELECT count(*) FROM "Asset" WHERE "deletedAt" IS NULL AND "state" IN ('GENERATED', 'REJECTED') AND "createdAt" >= $1)
       + (SELECT count(*) FROM "Asset" WHERE "deletedAt" IS NULL AND "state" IN ('APPROVED', 'DELIVERED') AND "createdAt" >= $1)
         AS "recent",
       (SELECT count(*) FROM "Asset" WHERE "deletedAt" IS NULL AND "state" IN ('APPROVED', 'DELIVERED') AND "createdAt" < $1)
         AS "status"`,
    [cutoff],
  );
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
      await saveCursor(ctx.sql, ctx, pass.cursor);
      return;
    }
  }
  report.complete = false;
}

/** One decision: no file of the batch can be kept or let go while it is taken, and what is claimed can no longer be kept. */
async function decideBatch(pass: Pass): Promise<{ files: number; claimed: ClaimedAsset[] }> {
  const { ctx, report, now } = pass;
  const kept: string[] = [];
  const decision = await withRetentionLock(ctx, async (tx) => {
    const files = await readCandidates(tx, {
      cutoff: pass.cutoff,
      after: pass.cursor.after,
      now,
      batch: pass.batch,
    });
    const last = files.at(-1);
    if (!last) return { files: 0, claimed: [], cursor: pass.cursor };
    const doomed: string[] = [];
    for (const file of files) {
      const reason = pass.rule(file, now);
      if (reason === null) doomed.push(file.id);
      else kept.push(reason);
    }
    // A request may have taken one as a reference since it was read: the row itself has the last word.
    const claimed = await tx.rows<ClaimedAsset>(
      'retention.claim',
      `UPDATE "Asset" SET "expiringAt" = $2 WHERE "id" = ANY($1::text[]) AND "deletedAt" IS NULL
         AND ("usedAt" IS NULL OR "usedAt" NOT BETWEEN $2::timestamptz - interval '1 hour' AND $2::timestamptz + interval '1 hour')
       RETURNING "id", "accountId", "generationId", "pathname", "etag"`,
      [doomed, now],
    );
    for (let n = claimed.length; n < doomed.length; n += 1) kept.push('in-flight');
    const cursor = { ...pass.cursor, after: { at: last.createdAt.toISOString(), id: last.id } };
    await saveCursor(tx, ctx, cursor);
    return { files: files.length, claimed, cursor };
  });
  pass.cursor = decision.cursor;
  for (const reason of kept) report.assets.kept[reason as keyof typeof report.assets.kept] += 1;
  return decision;
}

/** What an earlier pass claimed and did not finish: cut, or refused by the store. Each is tried once. */
async function finishClaimed(pass: Pass): Promise<void> {
  let after = '';
  while (!pass.budget.isSpent()) {
    const claimed = await pass.ctx.sql.rows<{ id: string }>(
      'retention.claimed',
      `SELECT "id" FROM "Asset" WHERE "deletedAt" IS NULL AND "expiringAt" IS NOT NULL AND "id" > $1 ORDER BY "id" LIMIT $2`,
      [after, pass.batch],
    );
    if (claimed.length === 0) return;
    after = claimed.at(-1)?.id ?? after;
    await settle(
      pass,
      await decideAgain(
        pass,
        claimed.map((file) => file.id),
      ),
    );
  }
}

/** A night has passed: what something keeps by now is let live, if its bytes are still there. Returns what is to go. */
async function decideAgain(pass: Pass, ids: readonly string[]): Promise<ClaimedAsset[]> {
  const files = await withRetentionLock(pass.ctx, (tx) => readFileFacts(tx, ids, pass.now));
  const kept = files.filter((file) => pass.rule(file, pass.now) !== null);
  const { alive, lost } = await askStore(pass, kept);
  await unclaim(
    pass.ctx.sql,
    alive.map((file) => file.id),
  );
  return [...files.filter((file) => !kept.includes(file)), ...lost];
}

async function unclaim(sql: SqlTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.rows(
    'retention.unclaim',
    'UPDATE "Asset" SET "expiringAt" = NULL WHERE "id" = ANY($1::text[]) AND "deletedAt" IS NULL',
    [ids],
  );
}

/** Deletes the bytes of claimed files, then writes what became of them, row and audit together. */
async function settle(pass: Pass, claimed: readonly ClaimedAsset[]): Promise<void> {
  if (claimed.length === 0) return;
  const { ctx, report, now } = pass;
  const results = await deleteBytes(pass.store, claimed, pass.budget);
  const having = (wanted: string) => claimed.filter((_, index) => results[index] === wanted);
  const [removed, changed, failed] = [having('removed'), having('changed'), having('failed')];
  const ids = (files: readonly ClaimedAsset[]) => files.map((file) => file.id);
  const expired = await ctx.sql.transaction(async (tx) => {
    const gone = await tx.rows<ClaimedAsset>(
      'retention.expire',
      `UPDATE "Asset" SET "deletedAt" = $2, "deletedBy" = 'retention', "updatedAt" = $2
       WHERE "id" = ANY($1::text[]) AND "deletedAt" IS NULL AND "expiringAt" IS NOT NULL
       RETURNING "id", "accountId", "generationId", "pathname", "etag"`,
      [ids(removed), now],
    );
    await clearGenerations(tx, { generationIds: generationsOf(gone), by: 'retention', now });
    await unclaim(tx, ids(changed));
    await recordAudits(tx, ctx, [
      ...byGeneration(gone, 'generation.files_expired'),
      ...byGeneration(failed, 'generation.files_delete_failed', { by: 'retention' }),
    ]);
    return gone.length;
  });
  report.assets.expired += expired;
  report.assets.kept.changed += changed.length;
  report.files.removed += removed.length;
  report.files.failed += failed.length;
}

function generationsOf(files: readonly { generationId: string | null }[]): string[] {
  return [...new Set(files.flatMap(({ generationId }) => (generationId === null ? [] : [generationId])))];
}

/** Marks the generations that had files and have none left; their rows, costs and lines stay. Returns which ones. */
export async function clearGenerations(
  tx: SqlTransaction,
  input: { generationIds: readonly string[]; by: 'member' | 'retention' | 'purge'; now: Date },
): Promise<string[]> {
  if (input.generationIds.length === 0) return [];
  const rows = await tx.rows<{ id: string }>(
    'storage.clear_generations',
    `UPDATE "Generation" g SET "filesDeletedAt" = $2, "filesDeletedBy" = $3, "updatedAt" = $2
     WHERE g."id" = ANY($1::text[]) AND g."filesDeletedAt" IS NULL
       AND EXISTS (SELECT 1 FROM "Asset" a WHERE a."generationId" = g."id")
       AND NOT EXISTS (SELECT 1 FROM "Asset" a WHERE a."generationId" = g."id" AND a."deletedAt" IS NULL)
     RETURNING g."id"`,
    [input.generationIds, input.now, input.by],
  );
  return rows.map((row) => row.id);
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
