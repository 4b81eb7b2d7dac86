import type { Actor, Scope } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { transaction } from '#lib/db/transaction.ts';
import { spacesColumn } from '../given-spaces.ts';
import { notifyOfCredential, type Post } from '../notices/mail-notices.ts';
import type { CreatedKey } from './create-key.ts';
import { newDeveloperKey } from './developer-keys.ts';
import { enforceKeyLimit, lockMemberKeys } from './key-limit.ts';
import { isKeyInReach, requireOwnSecret } from './key-reach.ts';

const DAY_MS = 86_400_000;
/** How long, at most, the replaced key keeps working. */
const MAX_OVERLAP_DAYS = 7;

/**
 * Replaces a live key by a new one with the same name, scopes, end and monthly cap, from which earlier spending stays deducted: a replacement
 * never lasts longer. The old one works until `overlapDays` from now (0: it stops at once), or its own end when that is sooner. A key is
 * replaced once, by its member or the shell. The secret is in this answer and nowhere else; `post` tells the member by mail. Errors:
 * `invalid_request` naming the field, `verification_required`, `not_found`, `forbidden` once the session has ended, `conflict` for a founder
 * and another member's key, for a key that is dead or already replaced, or when the member has the most live keys (`too-many-keys`): a
 * replacement without overlap always fits.
 */
export async function rotateKey(
  ctx: Context<Actor>,
  input: { accountId: string; keyId: string; overlapDays: number },
  post?: Post,
): Promise<Omit<CreatedKey, 'monthlyCapMicros'> & { previousEndsAt: Date }> {
  const problems = [];
  if (!Number.isInteger(input.overlapDays) || input.overlapDays < 0 || input.overlapDays > MAX_OVERLAP_DAYS)
    problems.push({ field: 'overlapDays', message: `Choisissez de 0 à ${MAX_OVERLAP_DAYS} jours.` });
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });

  requireRecentVerification(ctx);
  const now = ctx.clock.now();
  const key = newDeveloperKey();
  const id = createId('developerKey', now);
  const overlapEnd = new Date(now.getTime() + input.overlapDays * DAY_MS);
  const { memberId, ...made } = await transaction(ctx, async (tx) => {
    const reached = await tx
      .selectFrom('DeveloperKey')
      .select(['accountId', 'memberId'])
      .where('id', '=', input.keyId)
      .where('accountId', '=', input.accountId)
      .where(isKeyInReach(ctx.actor))
      .executeTakeFirst();
    if (reached) requireOwnSecret(ctx.actor, reached);
    const isKnown = reached && (await lockMemberKeys(tx, reached));
    if (!isKnown) throw new ServiceError('not_found', { message: 'Cette clé est introuvable.' });
    // Whoever ends everything at once waits for this member too, or has ended the session.
    if (ctx.actor.type === 'member') await withCurrentRights({ ...ctx, actor: ctx.actor, kysely: tx });
    const old = await tx
      .selectFrom('DeveloperKey')
      .selectAll()
      .where('id', '=', input.keyId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const isAlive =
      old.revokedAt === null && old.successorId === null && (old.expiresAt === null || old.expiresAt > now);
    if (!isAlive)
      throw new ServiceError('conflict', {
        message: 'Cette clé ne fonctionne plus ou a déjà été remplacée\u00a0: créez-en une autre.',
      });
    const { expiresAt } = old;
    const previousEndsAt = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
    await tx
      .updateTable('DeveloperKey')
      .set({
        successorId: id,
        expiresAt: previousEndsAt,
        ...(input.overlapDays === 0 ? { revokedAt: now } : {}),
      })
      .where('id', '=', old.id)
      .execute();
    // After the old one was ended: a replacement without overlap needs no room.
    await enforceKeyLimit(tx, { memberId: old.memberId, now });
    const scopes = old.scopes as Scope[];
    await tx
      .insertInto('DeveloperKey')
      .values({
        id,
        accountId: old.accountId,
        memberId: old.memberId,
        name: old.name,
        prefix: key.prefix,
        tokenHash: key.tokenHash,
        scopes,
        createdAt: now,
        expiresAt,
        allowanceId: old.allowanceId,
        spaceRights: spacesColumn(old.spaceRights as SpaceRights | null),
      })
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'key.rotated',
        accountId: old.accountId,
        subject: { type: 'developerKey', id: old.id },
        data: { name: old.name, successorId: id, previousEndsAt: previousEndsAt.toISOString() },
      },
    ]);
    return {
      id,
      secret: key.secret,
      prefix: key.prefix,
      name: old.name,
      scopes,
      expiresAt,
      previousEndsAt,
      memberId: old.memberId,
    };
  });
  await notifyOfCredential(ctx.kysely, post, { memberId, kind: 'key', name: made.name });
  return made;
}
