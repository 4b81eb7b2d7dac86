-- CreateEnum
CREATE TYPE "ImportState" AS ENUM ('RUNNING', 'DONE', 'FAILED');

-- AlterTable
ALTER TABLE "Memory" ADD COLUMN     "deletionId" TEXT;

-- CreateTable
CREATE TABLE "ImportJob" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "spaceId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "source" "MemorySource" NOT NULL,
    "state" "ImportState" NOT NULL DEFAULT 'RUNNING',
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "refused" JSONB NOT NULL,
    "refusedCount" INTEGER NOT NULL DEFAULT 0,
    "capacityFull" BOOLEAN NOT NULL DEFAULT false,
    "drafts" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ImportJob_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ImportJob_spaceId_createdAt_idx" ON "ImportJob"("spaceId", "createdAt");

-- CreateIndex
CREATE INDEX "ImportJob_accountId_state_idx" ON "ImportJob"("accountId", "state");

-- CreateIndex
CREATE INDEX "Memory_deletionId_idx" ON "Memory"("deletionId");
