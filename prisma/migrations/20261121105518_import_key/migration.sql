-- AlterTable
ALTER TABLE "Memory" ADD COLUMN     "importKey" TEXT;

CREATE UNIQUE INDEX "Memory_importKey_live" ON "Memory"("spaceId", "importKey") WHERE "deletedAt" IS NULL;
