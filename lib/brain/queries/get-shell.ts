import { hasPermission, type MemberActor, PERMISSIONS, type Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { monthOf, nextMonth, READ_LIMIT_SQL } from '../quota/read-quota.ts';

const SHELL = `
SELECT a.name AS "accountName", m.name, m.email, m.role::text AS role, ${READ_LIMIT_SQL} AS "limit", COALESCE(r.used, 0) AS used,
  w.id AS "walletId", w."balanceMicros" - w."heldMicros" AS "availableMicros"
FROM "Member" m JOIN "Account" a ON a.id = m."accountId"
LEFT JOIN "ReadMonth" r ON r."accountId" = a.id AND r.month = $3
LEFT JOIN "Wallet" w ON w."memberId" = m.id
WHERE m.id = $2 AND a.id = $1`;

type Row = {
  accountName: string;
  name: string;
  email: string;
  role: 'FOUNDER' | 'MEMBER';
  limit: number;
  used: number;
  walletId: string | null;
  availableMicros: bigint | null;
};

export type ShellView = {
  account: { name: string };
  member: { name: string; email: string; role: 'FOUNDER' | 'MEMBER' };
  permissions: readonly Permission[];
  reads: { used: number; total: number; resetsAt: Date };
  balance: { availableMicros: bigint } | null;
};

/** What stands around every page of the cockpit, in one round trip: account, member, rights in effect, reads of the month, wallet. */
export async function getShell(ctx: Context<MemberActor>): Promise<ShellView> {
  const now = ctx.clock.now();
  const { accountId, memberId } = ctx.actor;
  const [row] = await ctx.sql.rows<Row>('get-shell', SHELL, [accountId, memberId, monthOf(now)]);
  if (!row) throw new ServiceError('unauthenticated');
  return {
    account: { name: row.accountName },
    member: { name: row.name, email: row.email, role: row.role },
    permissions: PERMISSIONS.filter((permission) => hasPermission(ctx.actor, permission)),
    reads: { used: row.used, total: row.limit, resetsAt: nextMonth(now) },
    balance: row.walletId === null ? null : { availableMicros: row.availableMicros ?? 0n },
  };
}
