-- AlterEnum
ALTER TYPE "BudgetKind" ADD VALUE 'TAKEN';

-- Compared as a text: a new value of an enum cannot be used in the transaction that makes it.
ALTER TABLE "BudgetLine" DROP CONSTRAINT "BudgetLine_shape";
ALTER TABLE "BudgetLine" ADD CONSTRAINT "BudgetLine_shape" CHECK (CASE "kind"::text
  WHEN 'GIVEN'  THEN "amountMicros" > 0 AND "ledgerLineId" IS NULL
  WHEN 'TAKEN'  THEN "amountMicros" < 0 AND "ledgerLineId" IS NULL
  WHEN 'SHARED' THEN "amountMicros" < 0 AND "ledgerLineId" IS NOT NULL AND "idempotencyKey" IS NULL
END);
