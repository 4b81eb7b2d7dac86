import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { MemberRole, MemberStatus } from '#lib/db/generated/prisma/client.ts';
import { utcMonth } from './month.ts';
import { requireGrant } from './wallet.ts';

export type MemberWallet = {
  memberId: string;
  name: string;
  email: string;
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
  const [[counted], rows] = await Promise.all([
    ctx.sql.rows<{ members: number }>(
      'ledger.wallets.count',
      'SELECT count(*)::int AS "members" FROM "Member" WHERE "accountId" = $1',
      [accountId],
    ),
    ctx.sql.rows<MemberWallet>(
      'ledger.wallets',
      `SELECT m."id" AS "memberId", m."name", m."email", m."role", m."status",
         COALESCE(w."balanceMicros", 0) AS "balanceMicros", COALESCE(w."heldMicros", 0) AS "heldMicros",
         COALESCE(w."balanceMicros" - w."heldMicros", 0) AS "availableMicros",
         w."perGenerationCapMicros", w."monthlyCapMicros",
         CASE WHEN w."month" >= $2 THEN w."monthSpentMicros" ELSE 0 END AS "monthSpentMicros"
       FROM "Member" m LEFT JOIN "Wallet" w ON w."memberId" = m."id"
       WHERE m."accountId" = $1 AND ($3::text IS NULL OR (m."createdAt", m."id") >
         (SELECT p."createdAt", p."id" FROM "Member" p WHERE p."id" = $3 AND p."accountId" = $1))
       ORDER BY m."createdAt", m."id" LIMIT $4`,
      [accountId, utcMonth(ctx.clock.now()), input.after ?? null, limit + 1],
    ),
  ]);
  const wallets = rows.slice(0, limit);
  return {
    wallets,
    members: counted?.members ?? wallets.length,
    nextAfter: rows.length > limit ? (wallets.at(-1)?.memberId ?? null) : null,
  };
}
