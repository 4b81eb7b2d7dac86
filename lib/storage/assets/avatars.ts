import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { fileGone, requireGenerate, requireName } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import { lockLiveAsset } from './live-asset.ts';
import { LISTED, type ListPart, olderThan } from './older-than.ts';

const AVATAR_NAME_MAX = 80;

/**
 * Keeps an image as an avatar: no copy, no debit; its file stays as long as the avatar does. The same image twice gives the
 * avatar that exists, under the name that it has. Audited `avatar.saved`. Errors: `not_found`, `invalid` when it is not an image.
 */
export async function saveAvatar(
  ctx: Context<AccountActor>,
  input: { assetId: string; name: string },
): Promise<{ id: string; name: string; assetId: string; pathname: string }> {
  requireGenerate(ctx);
  const name = requireName('name', input.name, AVATAR_NAME_MAX);
  const { accountId, memberId } = ctx.actor;
  return withRetentionPaused(ctx, async (tx) => {
    const asset = await lockLiveAsset(tx, accountId, input.assetId);
    if (asset.type !== 'IMAGE')
      throw new ServiceError('invalid', { detail: 'not-an-image', message: sentences.notAFace });
    const existing = await tx
      .selectFrom('Avatar')
      .select(['id', 'name'])
      .where('assetId', '=', asset.id)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
    if (existing) return { ...existing, assetId: asset.id, pathname: asset.pathname };
    const now = ctx.clock.now();
    const id = createId('avatar', now);
    const { productId, pathname } = asset;
    await tx
      .insertInto('Avatar')
      .values({ id, accountId, memberId, productId, assetId: asset.id, name, pathname, createdAt: now })
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'avatar.saved',
        accountId,
        subject: { type: 'avatar', id },
        data: { assetId: asset.id },
      },
    ]);
    return { id, name, assetId: asset.id, pathname: asset.pathname };
  });
}

/** Puts an avatar into the bin for 30 days, which keeps its file meanwhile; debits nothing. Audited `avatar.deleted`. */
export async function deleteAvatar(
  ctx: Context<AccountActor>,
  input: { avatarId: string },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const { accountId, memberId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const deleted = await tx
      .updateTable('Avatar')
      .set({ deletedAt: ctx.clock.now(), binnedBy: memberId })
      .where('id', '=', input.avatarId)
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .returning('assetId')
      .executeTakeFirst();
    if (!deleted) throw fileGone(input.avatarId);
    await recordAudits(tx, ctx, [
      {
        action: 'avatar.deleted',
        accountId,
        subject: { type: 'avatar', id: input.avatarId },
        data: { assetId: deleted.assetId },
      },
    ]);
    return { id: input.avatarId };
  });
}

type AvatarRow = {
  id: string;
  name: string;
  productId: string;
  assetId: string;
  pathname: string;
  memberId: string;
  createdAt: Date;
};

/** The avatars of the account, newest first; of some products, or kept from some files, when they are given. */
export async function listAvatars(
  ctx: Context<AccountActor>,
  input: { productIds?: string[]; assetIds?: string[] } & ListPart = {},
): Promise<AvatarRow[]> {
  const { accountId } = ctx.actor;
  const { productIds, assetIds, before, limit = LISTED } = input;
  const last = before ? await ctx.db.avatar.findFirst({ where: { id: before, accountId } }) : null;
  return ctx.db.avatar.findMany({
    where: {
      accountId,
      deletedAt: null,
      ...(productIds ? { productId: { in: productIds } } : {}),
      ...(assetIds ? { assetId: { in: assetIds } } : {}),
      ...olderThan(last),
    },
    select: {
      id: true,
      name: true,
      productId: true,
      assetId: true,
      pathname: true,
      memberId: true,
      createdAt: true,
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}
