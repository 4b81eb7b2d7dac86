-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "binnedBy" TEXT,
ADD COLUMN     "restoredAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "Avatar" ADD COLUMN     "binnedBy" TEXT;

-- AlterTable
ALTER TABLE "Concept" ADD COLUMN     "binnedBy" TEXT;

-- AlterTable
ALTER TABLE "Upload" ADD COLUMN     "binnedBy" TEXT;

-- The bin of an account, what a night erases, and what it weighs. Little is deleted, and only that is in them.
CREATE INDEX "Asset_bin" ON "Asset" ("accountId", "deletedAt") INCLUDE ("bytes") WHERE "binnedBy" IS NOT NULL;
CREATE INDEX "Asset_bin_expired" ON "Asset" ("deletedAt") WHERE "binnedBy" IS NOT NULL;
CREATE INDEX "Upload_bin" ON "Upload" ("accountId", "deletedAt") INCLUDE ("bytes") WHERE "binnedBy" IS NOT NULL;
CREATE INDEX "Upload_bin_expired" ON "Upload" ("deletedAt") WHERE "binnedBy" IS NOT NULL;
CREATE INDEX "Avatar_bin" ON "Avatar" ("accountId", "deletedAt") WHERE "binnedBy" IS NOT NULL;
CREATE INDEX "Avatar_bin_expired" ON "Avatar" ("deletedAt") WHERE "binnedBy" IS NOT NULL;
CREATE INDEX "Concept_bin" ON "Concept" ("accountId", "deletedAt") WHERE "binnedBy" IS NOT NULL;
CREATE INDEX "Concept_bin_expired" ON "Concept" ("deletedAt") WHERE "binnedBy" IS NOT NULL;
