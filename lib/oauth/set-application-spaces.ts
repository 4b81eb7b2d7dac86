import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { givesMore, type SpaceRights } from '#lib/db/space-rights.ts';
import { transaction } from '#lib/db/transaction.ts';
import {
  nameSpaces,
  requireGivable,
  requireSpacesAsShown,
  sameSpaces,
  spacesColumn,
} from '#lib/identity/given-spaces.ts';

/**
 * Sets which Spaces an application opens for a member (null: all of the member's), all its connections together: for oneself, or for anyone of the
 * account as a founder. Effective at its next request; audited `oauth.spaces_set`. Errors: `not_found`, `invalid_request`, `conflict` when
 * none of its connections opens what `shown` says any more, `verification_required` where more is given than before.
 */
export async function setApplicationSpaces(
  ctx: Context<MemberActor>,
  input: {
    clientId: string;
    memberId: string;
    spaces: SpaceRights | null;
    /** The Spaces granted when the form was opened; absent: not compared. */
    shown?: SpaceRights | null | undefined;
  },
): Promise<void> {
  const { accountId, memberId, role } = ctx.actor;
  const { spaces } = input;
  await transaction(ctx, async (tx) => {
    const grants =
      role === 'FOUNDER' || input.memberId === memberId
        ? await tx
            .selectFrom('OAuthGrant as g')
            .innerJoin('OAuthClient as c', 'c.id', 'g.clientId')
            .select(['g.id', 'g.spaceRights', 'c.name'])
            .where('g.accountId', '=', accountId)
            .where('g.memberId', '=', input.memberId)
            .where('g.clientId', '=', input.clientId)
            .where('g.revokedAt', 'is', null)
            .orderBy('g.createdAt')
            .orderBy('g.id')
            .forNoKeyUpdate('g')
            .execute()
        : [];
    const latest = grants.at(-1);
    if (!latest) throw new ServiceError('not_found', { message: 'Cette application n’est plus connectée.' });
    const after = await requireGivable(tx, ctx, { accountId, spaces });
    const given = grants.map(({ spaceRights }) => spaceRights as SpaceRights | null);
    if (given.every((before) => sameSpaces(before, spaces))) return;
    requireSpacesAsShown(ctx, given, input.shown);
    if (given.some((before) => givesMore(before, spaces))) requireRecentVerification(ctx);
    await tx
      .updateTable('OAuthGrant')
      .set({ spaceRights: spacesColumn(spaces) })
      .where(
        'id',
        'in',
        grants.map(({ id }) => id),
      )
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'oauth.spaces_set',
        accountId,
        subject: { type: 'oauthGrant', id: latest.id },
        data: {
          name: latest.name,
          clientId: input.clientId,
          before: { spaces: await nameSpaces(tx, { accountId, spaces: given.at(-1) ?? null }) },
          after: { spaces: after },
        },
      },
    ]);
  });
}
