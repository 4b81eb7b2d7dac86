import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { MemberRole, MemberStatus } from '#lib/db/generated/prisma/client.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { countRows, isBeyond } from '#lib/db/values.ts';
import { requireGrant } from '../access.ts';
import { spentIn } from '../lines.ts';
import { utcMonth } from '../month.ts';

export type MemberWallet = {
  memberId: string;
  name: string;
  /** Null once the member was removed. */
  email: string | null;
  role: MemberRole;
  status: MemberStatus;
  balanceMicros: Micros;
  heldMicros: Micros;
  availableMicros: Micros;
  perGenerationCapMicros: Micros | null;
  monthlyCapMicros: Micros | null;
  /** Debited in the current UTC month. */
  monthSpentMicros: Micros;
};

const countMembers = prepared('ledger.wallets.count', (db, p: Params<{ accountId: string }>) =>
  db.selectFrom('Member').select(countRows.as('members')).where('accountId', '=', p.accountId),
);

const findWallets = prepared(
  'ledger.wallets',
  (db, p: Params<{ accountId: string; month: string; after: string | null; limit: number }>) =>
    db
      .selectFrom('Member as member')
      .leftJoin('Wallet as wallet', 'wallet.memberId', 'member.id')
      .select((eb) => [
        'member.id as memberId',
        'member.name',
        'member.email',
        'member.role',
        'member.status',
        sql<bigint>`coalesce(${eb.ref('wallet.balanceMicros')}, 0)`.as('balanceMicros'),
        sql<bigint>`coalesce(${eb.ref('wallet.heldMicros')}, 0)`.as('heldMicros'),
        sql<bigint>`coalesce(${eb.ref('wallet.balanceMicros')} - ${eb.ref('wallet.heldMicros')}, 0)`.as(
          'availableMicros',
        ),
        'wallet.perGenerationCapMicros',
        'wallet.monthlyCapMicros',
        spentIn(p.month, 'wallet').as('monthSpentMicros'),
      ])
      .where('member.accountId', '=', p.accountId)
      .where(isBeyond('>', 'Member', ['member.createdAt', 'member.id'], p.after, p.accountId))
      .orderBy('member.createdAt')
      .orderBy('member.id')
      .limit(sql<number>`${p.limit}`),
);

/**
 * The wallets of the account's members in the order in which they joined, by pages of `limit`; a member who never had one reads as
 * an empty wallet. Founders; else `forbidden`.
 */
export async function listWallets(
  ctx: Context<AccountActor>,
  input: { after?: string | undefined; limit?: number } = {},
): Promise<{ wallets: MemberWallet[]; members: number; nextAfter: string | null }> {
  requireGrant(ctx);
  const limit = input.limit ?? 50;
  const { accountId } = ctx.actor;
  const [counted, rows] = await Promise.all([
    countMembers.first(ctx.kysely, { accountId }),
    findWallets.all(ctx.kysely, {
      accountId,
      month: utcMonth(ctx.clock.now()),
      after: input.after ?? null,
      limit: limit + 1,
    }),
  ]);
  const wallets = rows.slice(0, limit);
  return {
    wallets,
    members: counted?.members ?? wallets.length,
    nextAfter: rows.length > limit ? (wallets.at(-1)?.memberId ?? null) : null,
  };
}
