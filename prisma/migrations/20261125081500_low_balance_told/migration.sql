-- AlterTable
ALTER TABLE "Wallet" ADD COLUMN     "lowToldAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Wallet_month_idx" ON "Wallet"("month");
