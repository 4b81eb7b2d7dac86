-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "usedAt" TIMESTAMPTZ(3);
