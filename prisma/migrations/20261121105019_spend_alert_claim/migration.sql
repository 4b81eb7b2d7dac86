-- AlterTable
ALTER TABLE "SpendAlert" ADD COLUMN     "claimedUntil" TIMESTAMPTZ(3);
