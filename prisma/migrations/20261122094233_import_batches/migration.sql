-- CreateTable
CREATE TABLE "ImportBatch" (
    "jobId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "drafts" JSONB NOT NULL,

    CONSTRAINT "ImportBatch_pkey" PRIMARY KEY ("jobId","position")
);

-- AddForeignKey
ALTER TABLE "ImportBatch" ADD CONSTRAINT "ImportBatch_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES "ImportJob"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Imports that are under way go on with the drafts that they had.
INSERT INTO "ImportBatch" ("jobId", "position", "drafts")
SELECT "id", 0, "drafts" FROM "ImportJob" WHERE "drafts" IS NOT NULL;

-- AlterTable
ALTER TABLE "ImportJob" DROP COLUMN "drafts";
