import { spaceNotFound } from '#lib/brain/not-found.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { countRows } from '#lib/db/values.ts';
import { lockActor } from '#lib/identity/sessions/lock-actor.ts';
import { lockLiveAsset } from '../assets/live-asset.ts';
import { readFileRetention } from '../assets/read-file-retention.ts';
import { fileGone } from '../refusals.ts';
import { showsWhatIsThere } from './list-shares.ts';
import { MAX_SHARES, mayShow, newShareToken, SHARE_DAYS } from './share-rules.ts';

const choices = new Intl.ListFormat('fr', { type: 'disjunction' });

type ShareTarget = { kind: 'file'; assetId: string } | { kind: 'space'; spaceId: string };

/**
 * Makes the address of a file, for who may generate, or of a Space's context, for who may write in it. The token is in this answer and nowhere else.
 * `fileEndsAt`: when retention takes a file that nothing keeps, where that ends the link before its time; else null.
 * Errors: `forbidden`, `not_found`, `invalid_request` (how long), `conflict` (500 links live already).
 */
export async function createShare(
  ctx: Context<MemberActor>,
  input: { target: ShareTarget; days: number },
): Promise<{ id: string; token: string; expiresAt: Date; fileEndsAt: Date | null }> {
  const { target, days } = input;
  if (!(SHARE_DAYS as readonly number[]).includes(days)) {
    const message = `Un partage dure ${choices.format(SHARE_DAYS.map(String))} jours.`;
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'days', message }] });
  }
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const id = createId('shareLink', now);
  const { token, tokenHash } = newShareToken();
  const expiresAt = new Date(now.getTime() + days * 86_400_000);
  await transaction(ctx, async (tx) => {
    // Links of one account wait for each other: those that live are counted exactly.
    await tx.selectFrom('Account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    await lockActor(tx, ctx);
    await requireShareable(ctx, tx, target);
    const { living } = await tx
      .selectFrom('ShareLink as l')
      .select(countRows.as('living'))
      .where('l.accountId', '=', accountId)
      .where('l.withdrawnAt', 'is', null)
      .where('l.expiresAt', '>', now)
      .where(showsWhatIsThere)
      .executeTakeFirstOrThrow();
    if (living >= MAX_SHARES)
      throw new ServiceError('conflict', {
        message: `${MAX_SHARES} partages sont ouverts dans ce compte\u00a0: retirez-en d’abord.`,
      });
    await tx
      .insertInto('ShareLink')
      .values({
        id,
        accountId,
        createdById: memberId,
        tokenHash,
        createdAt: now,
        expiresAt,
        assetId: target.kind === 'file' ? target.assetId : null,
        spaceId: target.kind === 'space' ? target.spaceId : null,
      })
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'share.created',
        accountId,
        subject: { type: 'shareLink', id },
        data: { ...target, expiresAt: expiresAt.toISOString() },
      },
    ]);
  });
  const endsAt = target.kind === 'file' ? await fileEnd(ctx, target.assetId) : null;
  return { id, token, expiresAt, fileEndsAt: endsAt !== null && endsAt < expiresAt ? endsAt : null };
}

async function fileEnd(ctx: Context<MemberActor>, assetId: string): Promise<Date | null> {
  const [file] = await readFileRetention(ctx, { assetIds: [assetId] });
  return file?.expiresAt ?? null;
}

async function requireShareable(
  ctx: Context<MemberActor>,
  tx: Transaction,
  target: ShareTarget,
): Promise<void> {
  const { accountId } = ctx.actor;
  if (target.kind === 'file') {
    if (!mayShow(ctx.actor, null)) throw new ServiceError('forbidden');
    const { imported } = await lockLiveAsset(tx, accountId, target.assetId);
    // The bytes of the former application are not in our store: the link would open for nobody.
    if (imported) throw fileGone(target.assetId);
    return;
  }
  const space = await tx
    .selectFrom('Space')
    .select('id')
    .where('id', '=', target.spaceId)
    .where('accountId', '=', accountId)
    .where('archivedAt', 'is', null)
    .where(isWithinReach(ctx.actor, 'id'))
    .executeTakeFirst();
  if (!space) throw spaceNotFound();
  if (!mayShow(ctx.actor, space.id)) throw new ServiceError('forbidden');
}
