import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { hasPermission, type MemberActor, PERMISSIONS, type Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { readLimit } from '../quota/consume-read.ts';
import { monthOf, nextMonth } from '../quota/read-quota.ts';

const readShell = prepared(
  'get-shell',
  (db, p: Params<{ accountId: string; memberId: string; month: string; now: Date }>) =>
    db
      .selectFrom('Member as m')
      .innerJoin('Account as a', 'a.id', 'm.accountId')
      .leftJoin('ReadMonth as r', (join) =>
        join.onRef('r.accountId', '=', 'a.id').on('r.month', '=', p.month),
      )
      .leftJoin('Wallet as w', 'w.memberId', 'm.id')
      .select((eb) => [
        'a.name as accountName',
        'm.name',
        'm.email',
        'm.role',
        readLimit(eb).as('limit'),
        eb.fn.coalesce('r.used', eb.lit(0)).as('used'),
        'w.id as walletId',
        eb('w.balanceMicros', '-', eb.ref('w.heldMicros')).as('availableMicros'),
        jsonArrayFrom(
          eb
            .selectFrom('Member as other')
            .innerJoin('Account as theirs', 'theirs.id', 'other.accountId')
            .select(['other.id as memberId', 'theirs.name'])
            .whereRef('other.personId', '=', 'm.personId')
            .where('other.status', '=', 'ACTIVE')
            .whereRef('other.id', '<>', 'm.id')
            .orderBy('theirs.name')
            .orderBy('other.id')
            .limit(50),
        ).as('otherAccounts'),
        eb
          .exists(
            eb
              .selectFrom('Member as invited')
              .select('invited.id')
              .whereRef('invited.email', '=', 'm.email')
              .where('invited.status', '=', 'INVITED')
              .where('invited.invitationEndsAt', '>', p.now),
          )
          .as('isInvited'),
      ])
      .where('m.id', '=', p.memberId)
      .where('a.id', '=', p.accountId),
);

export type ShellView = {
  account: { name: string };
  member: { name: string; email: string; role: 'FOUNDER' | 'MEMBER' };
  /** The other accounts of the same person: their name, and the person's member there. */
  otherAccounts: { memberId: string; name: string }[];
  /** Whether an invitation to another account waits for an answer. */
  isInvited: boolean;
  permissions: readonly Permission[];
  reads: { used: number; total: number; resetsAt: Date };
  balance: { availableMicros: bigint } | null;
};

/** What stands around every page of the cockpit, in one round trip: account, member, rights in effect, reads of the month, wallet. */
export async function getShell(ctx: Context<MemberActor>): Promise<ShellView> {
  const now = ctx.clock.now();
  const { accountId, memberId } = ctx.actor;
  const row = await readShell.first(ctx.kysely, { accountId, memberId, month: monthOf(now), now });
  if (!row) throw new ServiceError('unauthenticated');
  return {
    account: { name: row.accountName },
    member: { name: row.name, email: row.email ?? '', role: row.role },
    otherAccounts: row.otherAccounts,
    isInvited: Boolean(row.isInvited),
    permissions: PERMISSIONS.filter((permission) => hasPermission(ctx.actor, permission)),
    reads: { used: row.used, total: row.limit, resetsAt: nextMonth(now) },
    balance: row.walletId === null ? null : { availableMicros: row.availableMicros ?? 0n },
  };
}
