-- The rest of a cost that could not be true at first and is: one line at most for each settlement, which it names.
ALTER TABLE "LedgerLine" DROP CONSTRAINT "LedgerLine_shape";
ALTER TABLE "LedgerLine" ADD CONSTRAINT "LedgerLine_shape" CHECK (CASE "kind"
  WHEN 'GRANT'   THEN "amountMicros" > 0 AND "heldMicros" = 0 AND "generationId" IS NULL AND "reserveId" IS NULL
  WHEN 'RESERVE' THEN "amountMicros" = 0 AND "heldMicros" > 0 AND "generationId" IS NOT NULL AND "reserveId" IS NULL
  WHEN 'SETTLE'  THEN "amountMicros" <= 0 AND "heldMicros" < 0 AND "generationId" IS NOT NULL AND "reserveId" IS NOT NULL
  WHEN 'REFUND'  THEN "amountMicros" = 0 AND "heldMicros" < 0 AND "generationId" IS NOT NULL AND "reserveId" IS NOT NULL
  WHEN 'REST'    THEN "amountMicros" < 0 AND "heldMicros" = 0 AND "generationId" IS NOT NULL AND "reserveId" IS NOT NULL
END);
CREATE UNIQUE INDEX "LedgerLine_one_rest" ON "LedgerLine"("reserveId") WHERE "kind" = 'REST';
