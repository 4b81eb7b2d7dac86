import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import { fileGone, requireGenerate, requireProduct, requireText } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import { lockLiveAsset } from './live-asset.ts';
import { LISTED, type ListPart, olderThan } from './older-than.ts';

const CONCEPT_NAME_MAX = 120;
const CONCEPT_NOTE_MAX = 2_000;

/** A concept that will gather files. Audited `concept.created`. Errors: `invalid` names the field. */
export async function createConcept(
  ctx: Context<AccountActor>,
  input: { productId: string; name: string; note?: string },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const product = requireProduct(ctx, input.productId);
  const name = requireText('name', input.name, CONCEPT_NAME_MAX);
  const note = input.note?.trim() ? requireText('note', input.note, CONCEPT_NOTE_MAX) : '';
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const id = createId('concept', now);
  await transaction(ctx, async (tx) => {
    await tx
      .insertInto('Concept')
      .values({ id, accountId, memberId, productId: product.id, name, note, createdAt: now, updatedAt: now })
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'concept.created',
        accountId,
        subject: { type: 'concept', id },
        data: { productId: product.id },
      },
    ]);
  });
  return { id };
}

/** Attaches a file to a concept, which keeps it; it leaves the concept it was in. Audited `concept.attached`. */
export async function attachToConcept(
  ctx: Context<AccountActor>,
  input: { conceptId: string; assetId: string },
): Promise<{ conceptId: string; assetId: string }> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  const now = ctx.clock.now();
  return withRetentionPaused(ctx, async (tx) => {
    const asset = await lockLiveAsset(tx, accountId, input.assetId);
    // Locked: a concept that is deleted meanwhile keeps nothing.
    const concept = await tx
      .updateTable('Concept')
      .set({ updatedAt: now })
      .where('id', '=', input.conceptId)
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!concept) throw fileGone(input.conceptId);
    if (asset.conceptId !== concept.id) {
      await tx
        .updateTable('Asset')
        .set({ conceptId: concept.id, updatedAt: now })
        .where('id', '=', asset.id)
        .execute();
      await recordAudits(tx, ctx, [
        {
          action: 'concept.attached',
          accountId,
          subject: { type: 'concept', id: concept.id },
          data: { assetId: asset.id },
        },
      ]);
    }
    return { conceptId: concept.id, assetId: asset.id };
  });
}

/** Takes a file out of its concept. Audited `concept.detached`; nothing happens when it was in none. */
export async function detachFromConcept(
  ctx: Context<AccountActor>,
  input: { assetId: string },
): Promise<{ assetId: string }> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const asset = await lockLiveAsset(tx, accountId, input.assetId);
    if (asset.conceptId === null) return { assetId: asset.id };
    await tx
      .updateTable('Asset')
      .set({ conceptId: null, updatedAt: ctx.clock.now() })
      .where('id', '=', asset.id)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'concept.detached',
        accountId,
        subject: { type: 'concept', id: asset.conceptId },
        data: { assetId: asset.id },
      },
    ]);
    return { assetId: asset.id };
  });
}

/** Puts a concept into the bin for 30 days: its files stay, and it keeps them until then. Audited `concept.deleted`. */
export async function deleteConcept(
  ctx: Context<AccountActor>,
  input: { conceptId: string },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const { accountId, memberId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const concept = await tx
      .updateTable('Concept')
      .set({ deletedAt: now, binnedBy: memberId, updatedAt: now })
      .where('id', '=', input.conceptId)
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!concept) throw fileGone(input.conceptId);
    await recordAudits(tx, ctx, [
      { action: 'concept.deleted', accountId, subject: { type: 'concept', id: concept.id } },
    ]);
    return { id: concept.id };
  });
}

/** The concepts of the account, newest first, with how many files each gathers; of one product when it is given. */
export async function listConcepts(
  ctx: Context<AccountActor>,
  { before, limit = LISTED, ...of }: { productId?: string } & ListPart = {},
) {
  const { accountId } = ctx.actor;
  const last = before ? await ctx.db.concept.findFirst({ where: { id: before, accountId } }) : null;
  const rows = await ctx.db.concept.findMany({
    where: { accountId, deletedAt: null, ...of, ...olderThan(last) },
    include: { _count: { select: { assets: { where: { deletedAt: null } } } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map(({ _count, ...concept }) => ({ ...concept, files: _count.assets }));
}
