-- CreateEnum
CREATE TYPE "ProposalState" AS ENUM ('WAITING', 'REFUSED');

-- CreateTable
CREATE TABLE "MemoryProposal" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "spaceId" TEXT NOT NULL,
    "memoryId" TEXT,
    "baseVersion" INTEGER,
    "role" "PillarRole" NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "note" TEXT,
    "proposer" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "state" "ProposalState" NOT NULL DEFAULT 'WAITING',
    "reason" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MemoryProposal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "MemoryProposal_accountId_state_createdAt_id_idx" ON "MemoryProposal"("accountId", "state", "createdAt", "id");

-- CreateIndex
CREATE INDEX "MemoryProposal_spaceId_idx" ON "MemoryProposal"("spaceId");

-- CreateIndex
CREATE INDEX "MemoryProposal_memoryId_idx" ON "MemoryProposal"("memoryId");

-- CreateIndex
CREATE INDEX "MemoryProposal_expiresAt_idx" ON "MemoryProposal"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "MemoryProposal_accountId_fingerprint_key" ON "MemoryProposal"("accountId", "fingerprint");

-- AddForeignKey
ALTER TABLE "MemoryProposal" ADD CONSTRAINT "MemoryProposal_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;
