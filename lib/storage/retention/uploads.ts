import { type AuditEvent, recordAudits } from '#lib/core/audit.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor } from '#lib/db/types.ts';
import { isAnyLocked, isAnyOf } from '#lib/db/values.ts';
import { readClaimedUploads, readUntouchedUploads } from '../facts/upload-facts.ts';
import { withRetentionLock } from '../retention-lock.ts';
import { askStore } from './ask-store.ts';
import { saveCursor } from './cursor.ts';
import { deleteBytes } from './delete-bytes.ts';
import type { Pass } from './pass.ts';

type ClaimedUpload = { id: string; accountId: string; pathname: string; etag: string | null };

/** Rule 1 for uploads: what no member or generation touched for 30 days goes, unless something holds it. */
export async function expireUploads(pass: Pass): Promise<void> {
  const { ctx, budget } = pass;
  await finishClaimed(pass);
  while (!budget.isSpent()) {
    const { uploads, claimed } = await decideBatch(pass);
    await settle(pass, claimed);
    if (uploads === 0 && !budget.isSpent()) {
      pass.cursor = { ...pass.cursor, phase: 'orphans', after: null };
      await saveCursor(ctx.kysely, ctx, pass.cursor);
      return;
    }
  }
}

// A generation may have used one since it was read: the condition is checked again on the row.
const claim = prepared(
  'retention.claim_uploads',
  (db, p: Params<{ ids: readonly string[]; now: Date; cutoff: Date }>) => {
    const untouched = db
      .selectFrom('Upload')
      .select('id')
      .where(isAnyOf('id', p.ids))
      .where('touchedAt', '<', p.cutoff)
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate();
    return db
      .updateTable('Upload')
      .set({ expiringAt: p.now })
      .where(isAnyLocked('id', untouched))
      .returning(['id', 'accountId', 'pathname', 'etag']);
  },
);

async function decideBatch(pass: Pass): Promise<{ uploads: number; claimed: ClaimedUpload[] }> {
  const { ctx, now, cutoff } = pass;
  const decision = await withRetentionLock(ctx, async (tx) => {
    const uploads = await readUntouchedUploads(tx, { cutoff, after: pass.cursor.after, limit: pass.batch });
    const last = uploads.at(-1);
    if (!last) return { uploads: 0, claimed: [], cursor: pass.cursor };
    const unkept = uploads.filter((upload) => pass.rule(upload, now) === null);
    const claimed = await claim.all(tx, { ids: unkept.map((upload) => upload.id), now, cutoff });
    const cursor = { ...pass.cursor, after: { at: last.touchedAt.toISOString(), id: last.id } };
    await saveCursor(tx, ctx, cursor);
    return { uploads: uploads.length, claimed, cursor };
  });
  pass.cursor = decision.cursor;
  return decision;
}

/** Finishes what an earlier pass claimed; an upload that something keeps by now is unclaimed, if its bytes are still there. */
async function finishClaimed(pass: Pass): Promise<void> {
  let afterId = '';
  while (!pass.budget.isSpent()) {
    const claimed = await withRetentionLock(pass.ctx, (tx) =>
      readClaimedUploads(tx, { afterId, limit: pass.batch }),
    );
    if (claimed.length === 0) return;
    afterId = claimed.at(-1)?.id ?? afterId;
    const kept = claimed.filter((upload) => pass.rule(upload, pass.now) !== null);
    const { alive, lost } = await askStore(pass, kept);
    await unclaim(
      pass.ctx.kysely,
      alive.map((upload) => upload.id),
    );
    await settle(pass, [...claimed.filter((upload) => !kept.includes(upload)), ...lost]);
  }
}

const unclaimUploads = prepared('retention.unclaim_uploads', (db, p: Params<{ ids: readonly string[] }>) =>
  db
    .updateTable('Upload')
    .set({ expiringAt: null })
    .where(isAnyOf('id', p.ids))
    .where('deletedAt', 'is', null),
);

async function unclaim(on: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await unclaimUploads.run(on, { ids });
}

const expire = prepared('retention.expire_uploads', (db, p: Params<{ ids: readonly string[]; now: Date }>) =>
  db
    .updateTable('Upload')
    .set({ deletedAt: p.now, deletedBy: 'retention' })
    .where(isAnyOf('id', p.ids))
    .where('deletedAt', 'is', null)
    .where('expiringAt', 'is not', null)
    .returning(['id', 'accountId', 'pathname', 'etag']),
);

async function settle(pass: Pass, claimed: readonly ClaimedUpload[]): Promise<void> {
  if (claimed.length === 0) return;
  const { ctx, report, now } = pass;
  const results = await deleteBytes(pass, claimed);
  const having = (wanted: string) => claimed.filter((_, index) => results[index] === wanted);
  const [removed, changed, failed] = [having('removed'), having('changed'), having('failed')];
  const ids = (uploads: readonly ClaimedUpload[]) => uploads.map((upload) => upload.id);
  const about = (upload: ClaimedUpload) => ({
    accountId: upload.accountId,
    subject: { type: 'upload' as const, id: upload.id },
  });
  report.uploads += await transaction(ctx, async (tx) => {
    const gone = await expire.all(tx, { ids: ids(removed), now });
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
