import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { UploadKind } from '#lib/db/generated/prisma/client.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { fileGone, requireGenerate, requireText } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';

const RUSH_TITLE_MAX = 120;

type LiveUpload = {
  id: string;
  productId: string;
  kind: UploadKind;
  pathname: string;
  contentType: string;
  bytes: bigint;
  durationMs: number | null;
};

/** Keeps an uploaded rush for its product, which keeps its file. The same upload twice gives the rush that exists. Audited `rush.kept`. */
export async function keepCaptureRush(
  ctx: Context<AccountActor>,
  input: { uploadId: string; title: string },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const title = requireText('title', input.title, RUSH_TITLE_MAX);
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  return withRetentionPaused(ctx, async (tx) => {
    const [upload] = await tx.rows<LiveUpload>(
      'storage.touch_upload',
      `UPDATE "Upload" SET "touchedAt" = $3 WHERE "id" = $1 AND "accountId" = $2 AND "deletedAt" IS NULL
         AND "expiringAt" IS NULL RETURNING "id", "productId", "kind", "pathname", "contentType", "bytes", "durationMs"`,
      [input.uploadId, accountId, now],
    );
    if (!upload) throw fileGone(input.uploadId);
    if (upload.kind !== 'RUSH')
      throw new ServiceError('invalid', { detail: 'not-a-rush', message: sentences.notARush });
    const [existing] = await tx.rows<{ id: string }>(
      'storage.rush_of',
      'SELECT "id" FROM "CaptureRush" WHERE "uploadId" = $1 AND "clearedAt" IS NULL AND "deletedAt" IS NULL',
      [upload.id],
    );
    if (existing) return existing;
    const id = createId('rush', now);
    await tx.rows(
      'storage.keep_rush',
      `INSERT INTO "CaptureRush" ("id", "accountId", "memberId", "productId", "uploadId", "title", "pathname", "contentType",
         "bytes", "durationMs", "createdAt") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        id,
        accountId,
        memberId,
        upload.productId,
        upload.id,
        title,
        upload.pathname,
        upload.contentType,
        upload.bytes,
        upload.durationMs,
        now,
      ],
    );
    await recordAudits(tx, ctx, [
      { action: 'rush.kept', accountId, subject: { type: 'rush', id }, data: { uploadId: upload.id } },
    ]);
    return { id };
  });
}

/** Lets a rush go: deletes no file; its upload's 30 days start again. Audited `rush.released`. */
export async function releaseCaptureRush(
  ctx: Context<AccountActor>,
  input: { rushId: string },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  return ctx.sql.transaction(async (tx) => {
    const [rush] = await tx.rows<{ uploadId: string | null }>(
      'storage.release_rush',
      `WITH released AS (
         UPDATE "CaptureRush" SET "deletedAt" = $3 WHERE "id" = $1 AND "accountId" = $2 AND "deletedAt" IS NULL
         RETURNING "uploadId"),
       touched AS (
         UPDATE "Upload" SET "touchedAt" = $3 WHERE "id" IN (SELECT "uploadId" FROM released) AND "deletedAt" IS NULL)
       SELECT "uploadId" FROM released`,
      [input.rushId, accountId, ctx.clock.now()],
    );
    if (!rush) throw fileGone(input.rushId);
    await recordAudits(tx, ctx, [
      {
        action: 'rush.released',
        accountId,
        subject: { type: 'rush', id: input.rushId },
        data: { uploadId: rush.uploadId },
      },
    ]);
    return { id: input.rushId };
  });
}

/** The rushes of the account, newest first; of one product when it is given. At most 200. */
export function listCaptureRushes(ctx: Context<AccountActor>, input: { productId?: string } = {}) {
  return ctx.db.captureRush.findMany({
    where: { accountId: ctx.actor.accountId, deletedAt: null, clearedAt: null, ...input },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 200,
  });
}
