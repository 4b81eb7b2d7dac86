import type { Actor } from '#lib/core/actor.ts';
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
} from '../given-spaces.ts';
import { isKeyInReach } from './key-reach.ts';

/**
 * Sets which Spaces a living key opens among its member's (null: all of them): one's own key, or any of the account for a founder. Effective at
 * its next request; audited `key.spaces_set`. Errors: `not_found` (revoked and expired too), `invalid_request`, `conflict` when `shown` is no
 * longer so, `verification_required` where more is given than before.
 */
export async function setKeySpaces(
  ctx: Context<Actor>,
  input: {
    accountId: string;
    keyId: string;
    spaces: SpaceRights | null;
    /** What was given as the choice was made; absent: whatever stands now. */
    shown?: SpaceRights | null | undefined;
  },
): Promise<void> {
  const { accountId, keyId, spaces } = input;
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const key = await tx
      .selectFrom('DeveloperKey')
      .select(['name', 'spaceRights'])
      .where('id', '=', keyId)
      .where('accountId', '=', accountId)
      .where('revokedAt', 'is', null)
      .where(({ or, eb }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
      .where(isKeyInReach(ctx.actor))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!key) throw new ServiceError('not_found', { message: 'Cette clé est introuvable.' });
    const after = await requireGivable(tx, ctx, { accountId, spaces });
    const before = key.spaceRights as SpaceRights | null;
    if (sameSpaces(before, spaces)) return;
    requireSpacesAsShown(ctx, [before], input.shown);
    if (givesMore(before, spaces)) requireRecentVerification(ctx);
    await tx
      .updateTable('DeveloperKey')
      .set({ spaceRights: spacesColumn(spaces) })
      .where('id', '=', keyId)
      .where('accountId', '=', accountId)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'key.spaces_set',
        accountId,
        subject: { type: 'developerKey', id: keyId },
        data: {
          name: key.name,
          before: { spaces: await nameSpaces(tx, { accountId, spaces: before }) },
          after: { spaces: after },
        },
      },
    ]);
  });
}
