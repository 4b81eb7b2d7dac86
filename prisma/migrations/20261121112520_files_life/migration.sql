-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "expiringAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "CaptureRush" ADD COLUMN     "deletedAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "Upload" ADD COLUMN     "deletedBy" TEXT,
ADD COLUMN     "etag" TEXT,
ADD COLUMN     "expiringAt" TIMESTAMPTZ(3);

-- What retention counts, resumes and asks by pathname.
CREATE INDEX "Asset_kept" ON "Asset"("createdAt", "id") WHERE "deletedAt" IS NULL AND "state" IN ('APPROVED', 'DELIVERED');
CREATE INDEX "Asset_claimed" ON "Asset"("id") WHERE "deletedAt" IS NULL AND "expiringAt" IS NOT NULL;
CREATE INDEX "Upload_claimed" ON "Upload"("id") WHERE "deletedAt" IS NULL AND "expiringAt" IS NOT NULL;
CREATE INDEX "Consent_pathname" ON "Consent"("pathname") WHERE "pathname" IS NOT NULL;
CREATE INDEX "Generation_artifact_paths" ON "Generation" USING GIN ("artifacts" jsonb_path_ops) WHERE "artifacts" <> '[]'::jsonb;
CREATE INDEX "Generation_product_files" ON "Generation"("productId", "id")
  WHERE "filesDeletedAt" IS NULL AND "artifacts" <> '[]'::jsonb;
