import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { fileGone, requireGenerate, requireName } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import { LISTED, type ListPart, olderThan } from './older-than.ts';

const RUSH_TITLE_MAX = 120;

/** Keeps an uploaded rush for its product, which keeps its file. The same upload twice gives the rush that exists. Audited `rush.kept`. */
export async function keepCaptureRush(
  ctx: Context<AccountActor>,
  input: { uploadId: string; title: string },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const title = requireName('title', input.title, RUSH_TITLE_MAX);
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  return withRetentionPaused(ctx, async (tx) => {
    const upload = await tx
      .updateTable('Upload')
      .set({ touchedAt: now })
      .where('id', '=', input.uploadId)
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .returning(['id', 'productId', 'kind', 'pathname', 'contentType', 'bytes', 'durationMs'])
      .executeTakeFirst();
    if (!upload) throw fileGone(input.uploadId);
    if (upload.kind !== 'RUSH')
      throw new ServiceError('invalid', { detail: 'not-a-rush', message: sentences.notARush });
    const existing = await tx
      .selectFrom('CaptureRush')
      .select('id')
      .where('uploadId', '=', upload.id)
      .where('clearedAt', 'is', null)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
    if (existing) return existing;
    const id = createId('rush', now);
    const { id: uploadId, kind: _, ...file } = upload;
    await tx
      .insertInto('CaptureRush')
      .values({ id, accountId, memberId, uploadId, title, ...file, createdAt: now })
      .execute();
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
  return transaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const rush = await tx
      .with('released', (query) =>
        query
          .updateTable('CaptureRush')
          .set({ deletedAt: now })
          .where('id', '=', input.rushId)
          .where('accountId', '=', accountId)
          .where('deletedAt', 'is', null)
          .returning('uploadId'),
      )
      .with('touched', (query) =>
        query
          .updateTable('Upload')
          .set({ touchedAt: now })
          .where('id', 'in', (eb) =>
            eb.selectFrom('released').select(({ ref }) => ref('uploadId').$notNull().as('id')),
          )
          .where('deletedAt', 'is', null),
      )
      .selectFrom('released')
      .select('uploadId')
      .executeTakeFirst();
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

/** The rushes of the account, newest first; of one product when it is given. */
export async function listCaptureRushes(
  ctx: Context<AccountActor>,
  { before, limit = LISTED, ...of }: { productId?: string } & ListPart = {},
) {
  const { accountId } = ctx.actor;
  const last = before ? await ctx.db.captureRush.findFirst({ where: { id: before, accountId } }) : null;
  return ctx.db.captureRush.findMany({
    where: { accountId, deletedAt: null, clearedAt: null, ...of, ...olderThan(last) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}
