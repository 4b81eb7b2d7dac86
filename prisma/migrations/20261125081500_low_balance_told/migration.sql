-- AlterTable
ALTER TABLE "Wallet" ADD COLUMN     "lowToldAt" TIMESTAMPTZ(3);
