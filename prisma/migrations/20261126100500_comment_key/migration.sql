-- AlterTable
ALTER TABLE "GenerationComment" ADD COLUMN     "key" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "GenerationComment_generationId_memberId_key_key" ON "GenerationComment"("generationId", "memberId", "key");
