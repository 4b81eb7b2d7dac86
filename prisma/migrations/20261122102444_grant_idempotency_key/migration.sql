-- AlterTable
ALTER TABLE "LedgerLine" ADD COLUMN     "idempotencyKey" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "LedgerLine_walletId_idempotencyKey_key" ON "LedgerLine"("walletId", "idempotencyKey");
