import { hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { utcMonth } from './month.ts';

export type Wallet = {
  id: string;
  accountId: string;
  memberId: string;
  balanceMicros: Micros;
  heldMicros: Micros;
  /** Balance minus what open reserves hold: what a reserve may still take. */
  availableMicros: Micros;
  perGenerationCapMicros: Micros | null;
  monthlyCapMicros: Micros | null;
  /** Settled in the current UTC month. */
  monthSpentMicros: Micros;
};

type Member = { accountId: string; memberId: string };

/** The member named, when the actor may see it: any member for the shell and the system, else one of the own account. */
export async function memberInReach(ctx: Context, memberId: string): Promise<Member> {
  const accountId = 'accountId' in ctx.actor ? ctx.actor.accountId : null;
  const [member] = await ctx.sql.rows<Member>(
    'ledger.member',
    'SELECT "id" AS "memberId", "accountId" FROM "Member" WHERE "id" = $1 AND ($2::text IS NULL OR "accountId" = $2)',
    [memberId, accountId],
  );
  if (!member || ctx.actor.type === 'anonymous') throw new ServiceError('not_found');
  return member;
}

/** The member whose money the actor may read: oneself, or any of the account for a founder; else `not_found`. */
export async function readableMember(ctx: Context, memberId: string): Promise<Member> {
  const own = 'memberId' in ctx.actor && ctx.actor.memberId === memberId;
  if (!own && !hasPermission(ctx.actor, 'ledger.grant')) throw new ServiceError('not_found');
  return memberInReach(ctx, memberId);
}

/** Throws `forbidden` unless the actor may give credit and set caps (founders, the shell). */
export function requireGrant(ctx: Context): void {
  if (!hasPermission(ctx.actor, 'ledger.grant')) throw new ServiceError('forbidden');
}

/** Makes sure that a member has a wallet: empty, without caps. Idempotent; meant for the transaction that makes the member. */
export async function openWallet(
  sql: SqlTransaction,
  ctx: Pick<Context, 'clock'>,
  member: Member,
): Promise<void> {
  const now = ctx.clock.now();
  await sql.rows(
    'ledger.open',
    `INSERT INTO "Wallet" ("id", "accountId", "memberId", "month", "createdAt", "updatedAt")
     VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT ("memberId") DO NOTHING`,
    [createId('wallet', now), member.accountId, member.memberId, utcMonth(now), now],
  );
}

/** A member's wallet now. A member who never had one reads an empty wallet. Own wallet, or any in the account for a founder. */
export async function readWallet(ctx: Context, input: { memberId: string }): Promise<Wallet> {
  const member = await readableMember(ctx, input.memberId);
  const [wallet] = await ctx.sql.rows<Omit<Wallet, 'availableMicros'>>(
    'ledger.wallet',
    `SELECT "id", "accountId", "memberId", "balanceMicros", "heldMicros", "perGenerationCapMicros", "monthlyCapMicros",
       CASE WHEN "month" >= $2 THEN "monthSpentMicros" ELSE 0 END AS "monthSpentMicros"
     FROM "Wallet" WHERE "memberId" = $1`,
    [member.memberId, utcMonth(ctx.clock.now())],
  );
  if (wallet) return { ...wallet, availableMicros: wallet.balanceMicros - wallet.heldMicros };
  return {
    id: '',
    ...member,
    balanceMicros: 0n,
    heldMicros: 0n,
    availableMicros: 0n,
    perGenerationCapMicros: null,
    monthlyCapMicros: null,
    monthSpentMicros: 0n,
  };
}

/** Sets a member's two caps (null: none); what is not given stays. Founders and the shell; audited `ledger.caps_set`. */
export async function setCaps(
  ctx: Context,
  input: { memberId: string; perGenerationCapMicros?: Micros | null; monthlyCapMicros?: Micros | null },
): Promise<void> {
  requireGrant(ctx);
  const problems = (['perGenerationCapMicros', 'monthlyCapMicros'] as const)
    .filter((field) => (input[field] ?? 0n) < 0n)
    .map((field) => ({ field, message: 'Un plafond ne peut pas être négatif.' }));
  if (problems.length > 0) throw new ServiceError('invalid', { problems });
  const member = await memberInReach(ctx, input.memberId);
  await ctx.sql.transaction(async (tx) => {
    await openWallet(tx, ctx, member);
    await tx.rows(
      'ledger.caps',
      `UPDATE "Wallet" SET "updatedAt" = $2,
         "perGenerationCapMicros" = CASE WHEN $3 THEN $4::bigint ELSE "perGenerationCapMicros" END,
         "monthlyCapMicros" = CASE WHEN $5 THEN $6::bigint ELSE "monthlyCapMicros" END
       WHERE "memberId" = $1`,
      [
        member.memberId,
        ctx.clock.now(),
        input.perGenerationCapMicros !== undefined,
        input.perGenerationCapMicros ?? null,
        input.monthlyCapMicros !== undefined,
        input.monthlyCapMicros ?? null,
      ],
    );
    await recordAudits(tx, ctx, [
      {
        action: 'ledger.caps_set',
        accountId: member.accountId,
        subject: { type: 'member', id: member.memberId },
        data: {
          perGenerationCapMicros: input.perGenerationCapMicros?.toString() ?? null,
          monthlyCapMicros: input.monthlyCapMicros?.toString() ?? null,
        },
      },
    ]);
  });
}
