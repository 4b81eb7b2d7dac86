import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { fileGone, requireGenerate, requireText } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import { lockLiveAsset } from './live-asset.ts';
import { LISTED, type ListPart, olderThan } from './older-than.ts';

const LESSON_MAX = 2_000;

/**
 * Adds a lesson learnt from a file, which is kept as its example. Audited `lesson.added`. Errors: `forbidden`, `not_found`, `invalid`
 * (`text`), `conflict` for a `key` used for another text or whose lesson was deleted; the same lesson under the same key is written once, and
 * returned again.
 */
export async function addLesson(
  ctx: Context<AccountActor>,
  input: { assetId: string; text: string; key?: string | undefined },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const text = requireText('text', input.text, LESSON_MAX);
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const id = createId('lesson', now);
  const { key = null } = input;
  return withRetentionPaused(ctx, async (tx) => {
    const asset = await lockLiveAsset(tx, accountId, input.assetId);
    const { id: assetId, productId } = asset;
    // Lessons of one file wait for each other at its lock: what is found by its key stays true.
    const first = key === null ? null : await findSent(tx, { assetId, memberId, key, text });
    if (first) return first;
    await tx
      .insertInto('Lesson')
      .values({ id, accountId, memberId, productId, assetId, text, key, createdAt: now })
      .execute();
    await recordAudits(tx, ctx, [
      { action: 'lesson.added', accountId, subject: { type: 'lesson', id }, data: { assetId: asset.id } },
    ]);
    return { id };
  });
}

/** The lesson that a member took from a file under a key; null when there is none. */
async function findSent(
  tx: Transaction,
  sent: { assetId: string; memberId: string; key: string; text: string },
): Promise<{ id: string } | null> {
  const lesson = await tx
    .selectFrom('Lesson')
    .select(['id', 'text', 'deletedAt'])
    .where('assetId', '=', sent.assetId)
    .where('memberId', '=', sent.memberId)
    .where('key', '=', sent.key)
    .executeTakeFirst();
  if (!lesson) return null;
  if (lesson.deletedAt)
    throw new ServiceError('conflict', {
      message:
        'Cette leçon a été retenue, puis oubliée\u00a0: elle n’est pas retenue de nouveau. Changez-en un mot pour en retenir une autre.',
    });
  if (lesson.text !== sent.text)
    throw new ServiceError('conflict', {
      message: 'Cette leçon est déjà retenue, avec un autre texte. Rechargez la page pour la lire.',
    });
  return { id: lesson.id };
}

/** Deletes a lesson: its file is no longer kept by it. Audited `lesson.deleted`. */
export async function deleteLesson(
  ctx: Context<AccountActor>,
  input: { lessonId: string },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const lesson = await tx
      .updateTable('Lesson')
      .set({ deletedAt: ctx.clock.now() })
      .where('id', '=', input.lessonId)
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .returning('assetId')
      .executeTakeFirst();
    if (!lesson) throw fileGone(input.lessonId);
    await recordAudits(tx, ctx, [
      {
        action: 'lesson.deleted',
        accountId,
        subject: { type: 'lesson', id: input.lessonId },
        data: { assetId: lesson.assetId },
      },
    ]);
    return { id: input.lessonId };
  });
}

/** The lessons of the account, newest first, each with the generation of its file; of some files when they are given. */
export async function listLessons(
  ctx: Context<AccountActor>,
  { assetIds, before, limit = LISTED }: { assetIds?: string[] } & ListPart = {},
) {
  const { accountId } = ctx.actor;
  const last = before ? await ctx.db.lesson.findFirst({ where: { id: before, accountId } }) : null;
  const rows = await ctx.db.lesson.findMany({
    where: {
      accountId,
      deletedAt: null,
      ...(assetIds ? { assetId: { in: assetIds } } : {}),
      ...olderThan(last),
    },
    include: { asset: { select: { generationId: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map(({ asset, ...lesson }) => ({ ...lesson, generationId: asset.generationId }));
}
