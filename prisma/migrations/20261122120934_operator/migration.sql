-- CreateEnum
CREATE TYPE "BudgetKind" AS ENUM ('GIVEN', 'SHARED');

-- AlterTable
ALTER TABLE "Account" ADD COLUMN     "isOperator" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "Budget" (
    "accountId" TEXT NOT NULL,
    "balanceMicros" BIGINT NOT NULL DEFAULT 0,
    "heldMicros" BIGINT NOT NULL DEFAULT 0,
    "month" TEXT NOT NULL DEFAULT '',
    "monthSpentMicros" BIGINT NOT NULL DEFAULT 0,
    "monthlyCeilingMicros" BIGINT,
    "lineCount" INTEGER NOT NULL DEFAULT 0,
    "askedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Budget_pkey" PRIMARY KEY ("accountId")
);

-- CreateTable
CREATE TABLE "BudgetLine" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" "BudgetKind" NOT NULL,
    "amountMicros" BIGINT NOT NULL,
    "balanceAfterMicros" BIGINT NOT NULL,
    "ledgerLineId" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "note" TEXT,
    "idempotencyKey" TEXT,

    CONSTRAINT "BudgetLine_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "BudgetLine_ledgerLineId_key" ON "BudgetLine"("ledgerLineId");

-- CreateIndex
CREATE UNIQUE INDEX "BudgetLine_accountId_position_key" ON "BudgetLine"("accountId", "position");

-- CreateIndex
CREATE UNIQUE INDEX "BudgetLine_accountId_idempotencyKey_key" ON "BudgetLine"("accountId", "idempotencyKey");

-- What each account holds and has settled, as its wallets and lines say it. Nothing is taken back: what members have stays theirs.
INSERT INTO "Budget" ("accountId", "heldMicros", "month", "monthSpentMicros")
SELECT a."id",
  COALESCE((SELECT sum(w."heldMicros") FROM "Wallet" w WHERE w."accountId" = a."id"), 0),
  COALESCE(latest."month", ''), COALESCE(latest."spent", 0)
FROM "Account" a LEFT JOIN LATERAL (
  SELECT l."month", -sum(l."amountMicros") AS "spent" FROM "LedgerLine" l
  WHERE l."accountId" = a."id" AND l."kind" IN ('SETTLE', 'REST') GROUP BY l."month" ORDER BY l."month" DESC LIMIT 1) latest ON true;

-- The only account of a service is its operator's. Where there are several, nobody guesses: npm run admin -- account operator <name>.
UPDATE "Account" SET "isOperator" = true WHERE (SELECT count(*) FROM "Account") = 1;
CREATE UNIQUE INDEX "Account_operator" ON "Account"("isOperator") WHERE "isOperator";

-- AddForeignKey
ALTER TABLE "Wallet" ADD CONSTRAINT "Wallet_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Budget"("accountId") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "BudgetLine" ADD CONSTRAINT "BudgetLine_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Budget"("accountId") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- The rules of what an account was given, in the database and not in code order.
ALTER TABLE "Budget" ADD CONSTRAINT "Budget_counters" CHECK ("balanceMicros" >= 0 AND "heldMicros" >= 0);
ALTER TABLE "BudgetLine" ADD CONSTRAINT "BudgetLine_shape" CHECK (CASE "kind"
  WHEN 'GIVEN'  THEN "amountMicros" > 0 AND "ledgerLineId" IS NULL
  WHEN 'SHARED' THEN "amountMicros" < 0 AND "ledgerLineId" IS NOT NULL AND "idempotencyKey" IS NULL
END);
CREATE TRIGGER "BudgetLine_append_only" BEFORE UPDATE OR DELETE ON "BudgetLine"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "BudgetLine_no_truncate" BEFORE TRUNCATE ON "BudgetLine"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What the operator follows of every account.
CREATE INDEX "AuditEntry_costs" ON "AuditEntry"("action", "at" DESC, "id" DESC)
  WHERE "action" IN ('generation.paid_not_delivered', 'generation.cost_divergence');
