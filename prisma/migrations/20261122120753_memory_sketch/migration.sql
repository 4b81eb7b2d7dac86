-- AlterTable
ALTER TABLE "ImportJob" ADD COLUMN     "similar" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "similarCount" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "MemorySketch" (
    "memoryId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "pairs" INTEGER NOT NULL,
    "bands" INTEGER[],

    CONSTRAINT "MemorySketch_pkey" PRIMARY KEY ("memoryId")
);

-- CreateIndex
CREATE INDEX "MemorySketch_bands_idx" ON "MemorySketch" USING GIN ("bands");
-- By hand: bands go into the index some hundred Memories at a time; what waits is read by every look, so that little waits.
ALTER INDEX "MemorySketch_bands_idx" SET (fastupdate = on, gin_pending_list_limit = 128);

-- AddForeignKey
ALTER TABLE "MemorySketch" ADD CONSTRAINT "MemorySketch_memoryId_fkey" FOREIGN KEY ("memoryId") REFERENCES "Memory"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Memories that are there already get their sketch in the nights that follow (lib/brain/likeness/sketch-missing.ts): a text has to be read to have one.
