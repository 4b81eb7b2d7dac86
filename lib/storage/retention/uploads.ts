import { type AuditEvent, recordAudits } from '#lib/core/audit.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { IN_FLIGHT } from '../file-facts.ts';
import { withRetentionLock } from '../retention-lock.ts';
import { askStore } from './ask-store.ts';
import { BATCH } from './assets.ts';
import { saveCursor } from './cursor.ts';
import { deleteBytes } from './delete-bytes.ts';
import type { Pass } from './pass.ts';

type OldUpload = {
  id: string;
  accountId: string;
  pathname: string;
  etag: string | null;
  bytes: bigint;
  touchedAt: Date;
};

// A capture rush, an avatar, a signed consent or a running generation keeps an upload whatever its age.
const UPLOADS = `WITH ${IN_FLIGHT}
  SELECT u."id", u."accountId", u."pathname", u."etag", u."bytes", u."touchedAt", (
      EXISTS (SELECT 1 FROM "CaptureRush" r WHERE r."pathname" = u."pathname" AND r."clearedAt" IS NULL AND r."deletedAt" IS NULL)
      OR EXISTS (SELECT 1 FROM "Avatar" v WHERE v."pathname" = u."pathname" AND v."deletedAt" IS NULL)
      OR EXISTS (SELECT 1 FROM "Consent" c WHERE c."pathname" = u."pathname")
      OR EXISTS (SELECT 1 FROM in_flight f WHERE f."name" IN (u."pathname", u."id"))) AS "isHeld"
  FROM "Upload" u WHERE u."deletedAt" IS NULL`;
const CANDIDATES = `${UPLOADS} AND u."expiringAt" IS NULL AND u."touchedAt" < $1
    AND (u."touchedAt", u."id") > ($2, $3) ORDER BY u."touchedAt", u."id" LIMIT $4`;

const CLAIMED = `${UPLOADS} AND u."expiringAt" IS NOT NULL AND u."id" > $1 ORDER BY u."id" LIMIT $2`;

/** The uploads that nobody touched for 30 days, after a place, and whether something holds them. */
export function readOldUploads(
  sql: SqlTransaction,
  input: { cutoff: Date; after: { at: string; id: string } | null; batch?: number },
): Promise<(OldUpload & { isHeld: boolean })[]> {
  return sql.rows('retention.uploads', CANDIDATES, [
    input.cutoff,
    input.after?.at ?? '-infinity',
    input.after?.id ?? '',
    input.batch ?? BATCH,
  ]);
}

/** Rule 1 for uploads: what no member or generation touched for 30 days goes, unless something holds it. */
export async function expireUploads(pass: Pass): Promise<void> {
  const { ctx, budget } = pass;
  await finishClaimed(pass);
  while (!budget.isSpent()) {
    const { uploads, claimed } = await decideBatch(pass);
    await settle(pass, claimed);
    if (uploads === 0 && !budget.isSpent()) {
      pass.cursor = { ...pass.cursor, phase: 'orphans', after: null };
      await saveCursor(ctx.sql, ctx, pass.cursor);
      return;
    }
  }
}

async function decideBatch(pass: Pass): Promise<{ uploads: number; claimed: OldUpload[] }> {
  const { ctx } = pass;
  const decision = await withRetentionLock(ctx, async (tx) => {
    const uploads = await readOldUploads(tx, {
      cutoff: pass.cutoff,
      after: pass.cursor.after,
      batch: pass.batch,
    });
    const last = uploads.at(-1);
    if (!last) return { uploads: 0, claimed: [], cursor: pass.cursor };
    // A generation may have touched one since it was read: the row itself has the last word.
    const claimed = await tx.rows<OldUpload>(
      'retention.claim_uploads',
      `UPDATE "Upload" SET "expiringAt" = $2 WHERE "id" = ANY($1::text[]) AND "touchedAt" < $3 AND "deletedAt" IS NULL
       RETURNING "id", "accountId", "pathname", "etag", "bytes", "touchedAt"`,
      [uploads.filter((upload) => !upload.isHeld).map((upload) => upload.id), pass.now, pass.cutoff],
    );
    const cursor = { ...pass.cursor, after: { at: last.touchedAt.toISOString(), id: last.id } };
    await saveCursor(tx, ctx, cursor);
    return { uploads: uploads.length, claimed, cursor };
  });
  pass.cursor = decision.cursor;
  return decision;
}

/** What an earlier pass claimed and did not finish: what is held or recent by now is let live, if its bytes are still there. */
async function finishClaimed(pass: Pass): Promise<void> {
  let after = '';
  while (!pass.budget.isSpent()) {
    const claimed = await withRetentionLock(pass.ctx, (tx) =>
      tx.rows<OldUpload & { isHeld: boolean }>('retention.claimed_uploads', CLAIMED, [after, pass.batch]),
    );
    if (claimed.length === 0) return;
    after = claimed.at(-1)?.id ?? after;
    const isKept = (upload: OldUpload & { isHeld: boolean }) =>
      upload.isHeld || upload.touchedAt >= pass.cutoff;
    const { alive, lost } = await askStore(pass, claimed.filter(isKept));
    await unclaim(
      pass.ctx.sql,
      alive.map((upload) => upload.id),
    );
    await settle(pass, [...claimed.filter((upload) => !isKept(upload)), ...lost]);
  }
}

async function unclaim(sql: SqlTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.rows(
    'retention.unclaim_uploads',
    'UPDATE "Upload" SET "expiringAt" = NULL WHERE "id" = ANY($1::text[]) AND "deletedAt" IS NULL',
    [ids],
  );
}

async function settle(pass: Pass, claimed: readonly OldUpload[]): Promise<void> {
  if (claimed.length === 0) return;
  const { ctx, report, now } = pass;
  const results = await deleteBytes(pass.store, claimed, pass.budget);
  const having = (wanted: string) => claimed.filter((_, index) => results[index] === wanted);
  const [removed, changed, failed] = [having('removed'), having('changed'), having('failed')];
  const ids = (uploads: readonly OldUpload[]) => uploads.map((upload) => upload.id);
  const about = (upload: OldUpload) => ({
    accountId: upload.accountId,
    subject: { type: 'upload' as const, id: upload.id },
  });
  report.uploads += await ctx.sql.transaction(async (tx) => {
    const gone = await tx.rows<OldUpload>(
      'retention.expire_uploads',
      `UPDATE "Upload" SET "deletedAt" = $2, "deletedBy" = 'retention' WHERE "id" = ANY($1::text[])
         AND "deletedAt" IS NULL AND "expiringAt" IS NOT NULL RETURNING "id", "accountId", "pathname"`,
      [ids(removed), now],
    );
    await unclaim(tx, ids(changed));
    await recordAudits(tx, ctx, [
      ...gone.map(
        (upload): AuditEvent => ({
          action: 'reference.expired',
          ...about(upload),
          data: { pathname: upload.pathname },
        }),
      ),
      ...failed.map(
        (upload): AuditEvent => ({
          action: 'generation.files_delete_failed',
          ...about(upload),
          data: { by: 'retention', pathname: upload.pathname },
        }),
      ),
    ]);
    return gone.length;
  });
  report.files.removed += removed.length;
  report.files.failed += failed.length;
}
