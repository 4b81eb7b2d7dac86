-- CreateTable
CREATE TABLE "SavedFilter" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SavedFilter_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GenerationComment" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "generationId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "GenerationComment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GenerationMention" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "commentId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "mailedAt" TIMESTAMPTZ(3),

    CONSTRAINT "GenerationMention_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "SavedFilter_accountId_id_idx" ON "SavedFilter"("accountId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "SavedFilter_memberId_name_key" ON "SavedFilter"("memberId", "name");

-- CreateIndex
CREATE INDEX "GenerationComment_generationId_id_idx" ON "GenerationComment"("generationId", "id");

-- CreateIndex
CREATE INDEX "GenerationComment_accountId_id_idx" ON "GenerationComment"("accountId", "id");

-- CreateIndex
CREATE INDEX "GenerationMention_memberId_mailedAt_idx" ON "GenerationMention"("memberId", "mailedAt");

-- CreateIndex
CREATE INDEX "GenerationMention_mailedAt_createdAt_idx" ON "GenerationMention"("mailedAt", "createdAt");

-- CreateIndex
CREATE INDEX "GenerationMention_accountId_id_idx" ON "GenerationMention"("accountId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "GenerationMention_commentId_memberId_key" ON "GenerationMention"("commentId", "memberId");

-- AddForeignKey
ALTER TABLE "GenerationComment" ADD CONSTRAINT "GenerationComment_generationId_fkey" FOREIGN KEY ("generationId") REFERENCES "Generation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GenerationMention" ADD CONSTRAINT "GenerationMention_commentId_fkey" FOREIGN KEY ("commentId") REFERENCES "GenerationComment"("id") ON DELETE CASCADE ON UPDATE CASCADE;
