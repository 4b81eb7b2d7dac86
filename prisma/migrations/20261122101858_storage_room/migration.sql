-- CreateTable
CREATE TABLE "StorageHold" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "stem" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StorageHold_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StorageQuota" (
    "accountId" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StorageQuota_pkey" PRIMARY KEY ("accountId")
);

-- CreateIndex
CREATE INDEX "StorageHold_accountId_expiresAt_idx" ON "StorageHold"("accountId", "expiresAt");

-- What an account stores is summed from the indexes alone.
CREATE INDEX "Asset_stored_bytes" ON "Asset"("accountId") INCLUDE ("bytes") WHERE "deletedAt" IS NULL AND NOT "imported";
CREATE INDEX "Upload_stored_bytes" ON "Upload"("accountId") INCLUDE ("bytes") WHERE "deletedAt" IS NULL;
