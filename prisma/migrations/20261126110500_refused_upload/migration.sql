-- AlterTable
ALTER TABLE "StorageHold" ADD COLUMN     "refused" JSONB;
