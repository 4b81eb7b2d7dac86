-- AlterTable
ALTER TABLE "Wallet" ADD COLUMN     "lowClaimedUntil" TIMESTAMPTZ(3);
