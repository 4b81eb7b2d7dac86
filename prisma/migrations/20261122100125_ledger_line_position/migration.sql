-- DropIndex
DROP INDEX "LedgerLine_walletId_month_id_idx";

-- AlterTable
ALTER TABLE "LedgerLine" ADD COLUMN     "position" INTEGER;

-- AlterTable
ALTER TABLE "Wallet" ADD COLUMN     "lineCount" INTEGER NOT NULL DEFAULT 0;

-- Lines written so far: in the order in which they lie. Each was inserted under its wallet's row lock into a table that only grows.
ALTER TABLE "LedgerLine" DISABLE TRIGGER "LedgerLine_append_only";
UPDATE "LedgerLine" l SET "position" = ranked."position"
FROM (SELECT "id", row_number() OVER (PARTITION BY "walletId" ORDER BY ctid) AS "position" FROM "LedgerLine") ranked
WHERE l."id" = ranked."id";
ALTER TABLE "LedgerLine" ENABLE TRIGGER "LedgerLine_append_only";
ALTER TABLE "LedgerLine" ALTER COLUMN "position" SET NOT NULL;

-- A wallet knows how many lines it has and the month of the latest; what was settled before that month no longer counts in its cap.
UPDATE "Wallet" w SET "lineCount" = lines."count", "month" = GREATEST(w."month", lines."month"),
  "monthSpentMicros" = CASE WHEN w."month" >= lines."month" THEN w."monthSpentMicros" ELSE 0 END
FROM (SELECT "walletId", count(*)::int AS "count", max("month") AS "month" FROM "LedgerLine" GROUP BY "walletId") lines
WHERE lines."walletId" = w."id";

-- CreateIndex
CREATE INDEX "LedgerLine_walletId_month_position_idx" ON "LedgerLine"("walletId", "month", "position");

-- CreateIndex
CREATE UNIQUE INDEX "LedgerLine_walletId_position_key" ON "LedgerLine"("walletId", "position");
