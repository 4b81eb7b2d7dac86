-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "reviewBefore" JSONB,
ADD COLUMN     "reviewReason" TEXT;
