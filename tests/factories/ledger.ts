import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import type { TestService } from '#tests/setup/service.ts';

/** Credit for a member, given by the shell. */
export async function giveCredit(
  ctx: Context,
  memberId: string,
  amountMicros: bigint,
  caps: { perGenerationCapMicros?: bigint; monthlyCapMicros?: bigint } = {},
): Promise<void> {
  const admin: Context = { ...ctx, actor: { type: 'admin' } as Actor };
  await grantCredit(admin, { memberId, amountMicros });
  if (Object.keys(caps).length > 0) await setCaps(admin, { memberId, ...caps });
}

/** The smallest row of the journal: what a ledger line needs to point at. */
export async function makeGeneration(
  service: Pick<TestService, 'pool'>,
  owner: { accountId: string; memberId: string },
  now: Date = new Date(),
): Promise<string> {
  const [id] = await makeGenerations(service, owner, 1, now);
  return id as string;
}

/** So many of them, in one statement. */
export async function makeGenerations(
  service: Pick<TestService, 'pool'>,
  owner: { accountId: string; memberId: string },
  count: number,
  now: Date = new Date(),
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => createId('generation', now));
  await service.pool.query(
    `INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "params",
       "references", "createdAt", "deadlineAt", "dueAt", "updatedAt", "requestId")
     SELECT "id", $2, $3, 'libre', 'IMAGE', 'IMAGE', 'STARTING', '{}', '{}', $4, $4, $4, $4, 'req_test' FROM unnest($1::text[]) AS "id"`,
    [ids, owner.accountId, owner.memberId, now],
  );
  return ids;
}

/** What breaks the books, one line each; empty when they balance. Reads every wallet of the database. */
export async function bookFaults(service: Pick<TestService, 'pool'>): Promise<string[]> {
  const { rows } = await service.pool.query<{ fault: string }>(`
    WITH sums AS (
      SELECT w."id", w."balanceMicros", w."heldMicros", w."month", w."monthSpentMicros",
        COALESCE(SUM(l."amountMicros"), 0) AS balance, COALESCE(SUM(l."heldMicros"), 0) AS held,
        COALESCE(-SUM(l."amountMicros") FILTER (WHERE l."kind" IN ('SETTLE', 'REST') AND l."month" = w."month"), 0) AS spent
      FROM "Wallet" w LEFT JOIN "LedgerLine" l ON l."walletId" = w."id" GROUP BY w."id"),
    spend AS (
      SELECT "accountId", "month", -SUM("amountMicros") AS spent FROM "LedgerLine" WHERE "kind" IN ('SETTLE', 'REST') GROUP BY 1, 2)
    SELECT 'wallet ' || "id" || ': balance' AS fault FROM sums WHERE "balanceMicros" <> balance
    UNION ALL SELECT 'wallet ' || "id" || ': held' FROM sums WHERE "heldMicros" <> held
    UNION ALL SELECT 'wallet ' || "id" || ': month' FROM sums WHERE "monthSpentMicros" <> spent
    UNION ALL SELECT 'wallet ' || w."id" || ': ' || count(l."id") || ' lines, ' || w."lineCount" || ' counted' FROM "Wallet" w
      LEFT JOIN "LedgerLine" l ON l."walletId" = w."id" GROUP BY w."id", w."lineCount" HAVING count(l."id") <> w."lineCount"
    UNION ALL SELECT 'line ' || "id" || ': does not follow from the line above' FROM (
      SELECT *, lag("balanceAfterMicros", 1, 0::bigint) OVER above + "amountMicros" AS balance,
        lag("heldAfterMicros", 1, 0::bigint) OVER above + "heldMicros" AS held, row_number() OVER above AS rank,
        lag("month", 1, '') OVER above AS earlier
      FROM "LedgerLine" WINDOW above AS (PARTITION BY "walletId" ORDER BY "position")) read
      WHERE balance <> "balanceAfterMicros" OR held <> "heldAfterMicros" OR rank <> "position" OR earlier > "month"
    UNION ALL SELECT 'account ' || COALESCE(m."accountId", s."accountId") || ': spend month'
      FROM "SpendMonth" m FULL JOIN spend s USING ("accountId", "month") WHERE m."spentMicros" IS DISTINCT FROM s.spent
    UNION ALL SELECT 'budget of ' || b."accountId" || ': held' FROM "Budget" b LEFT JOIN (
      SELECT "accountId", sum("heldMicros") AS held FROM "Wallet" GROUP BY 1) w USING ("accountId")
      WHERE b."heldMicros" <> COALESCE(w.held, 0)
    UNION ALL SELECT 'budget of ' || b."accountId" || ': month' FROM "Budget" b LEFT JOIN spend s USING ("accountId", "month")
      WHERE b."monthSpentMicros" <> COALESCE(s.spent, 0)
    UNION ALL SELECT 'budget of ' || b."accountId" || ': balance or lines' FROM "Budget" b LEFT JOIN "BudgetLine" l USING ("accountId")
      GROUP BY b."accountId" HAVING b."balanceMicros" <> COALESCE(sum(l."amountMicros"), 0) OR b."lineCount" <> count(l."id")
    UNION ALL SELECT 'budget line ' || b."id" || ': no such credit in a wallet' FROM "BudgetLine" b
      LEFT JOIN "LedgerLine" l ON l."id" = b."ledgerLineId" AND l."accountId" = b."accountId" AND l."amountMicros" = -b."amountMicros"
      WHERE b."kind" = 'SHARED' AND l."id" IS NULL
    UNION ALL SELECT 'allowance ' || a."id" || ': held' FROM "CredentialAllowance" a LEFT JOIN "LedgerLine" l ON l."allowanceId" = a."id"
      GROUP BY a."id" HAVING a."heldMicros" <> COALESCE(sum(l."heldMicros"), 0)
    UNION ALL SELECT 'allowance ' || a."id" || ': month' FROM "CredentialAllowance" a LEFT JOIN "LedgerLine" l
      ON l."allowanceId" = a."id" AND l."month" = a."month" AND l."kind" IN ('SETTLE', 'REST')
      GROUP BY a."id" HAVING a."monthSpentMicros" <> COALESCE(-sum(l."amountMicros"), 0)
    UNION ALL SELECT 'line ' || c."id" || ': another allowance than its reserve' FROM "LedgerLine" c
      JOIN "LedgerLine" r ON r."id" = c."reserveId" WHERE c."allowanceId" IS DISTINCT FROM r."allowanceId"
    UNION ALL SELECT 'reserve of ' || "generationId" || ': closed ' || count(*) || ' times' FROM "LedgerLine"
      WHERE "kind" IN ('SETTLE', 'REFUND') GROUP BY "generationId" HAVING count(*) > 1
    UNION ALL SELECT 'rest of ' || "generationId" || ': debited ' || count(*) || ' times' FROM "LedgerLine"
      WHERE "kind" = 'REST' GROUP BY "generationId" HAVING count(*) > 1
    UNION ALL SELECT 'line ' || c."id" || ': closes no reserve' FROM "LedgerLine" c
      LEFT JOIN "LedgerLine" r ON r."id" = c."reserveId" AND r."kind" = 'RESERVE' AND r."heldMicros" = -c."heldMicros"
      WHERE c."kind" IN ('SETTLE', 'REFUND') AND r."id" IS NULL`);
  return rows.map((row) => row.fault);
}
