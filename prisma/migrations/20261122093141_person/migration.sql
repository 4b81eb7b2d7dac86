-- AlterEnum
ALTER TYPE "MemberStatus" ADD VALUE 'REMOVED';

-- DropForeignKey
ALTER TABLE "KnownBrowser" DROP CONSTRAINT "KnownBrowser_memberId_fkey";

-- DropForeignKey
ALTER TABLE "Session" DROP CONSTRAINT "Session_memberId_fkey";

-- DropIndex
DROP INDEX "Member_email_key";

-- DropIndex
DROP INDEX "Session_memberId_createdAt_idx";

-- A browser is known again at its next sign-in: none had been remembered for longer than a release.
DELETE FROM "KnownBrowser";

-- AlterTable
ALTER TABLE "KnownBrowser" DROP CONSTRAINT "KnownBrowser_pkey",
DROP COLUMN "memberId",
ADD COLUMN     "personId" TEXT NOT NULL,
ADD CONSTRAINT "KnownBrowser_pkey" PRIMARY KEY ("personId", "browserHash");

-- AlterTable
ALTER TABLE "Member" ADD COLUMN     "invitationEndsAt" TIMESTAMPTZ(3),
ADD COLUMN     "invitedById" TEXT,
ADD COLUMN     "personId" TEXT,
ALTER COLUMN "email" DROP NOT NULL;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "personId" TEXT,
ALTER COLUMN "accountId" DROP NOT NULL,
ALTER COLUMN "memberId" DROP NOT NULL;

-- CreateTable
CREATE TABLE "Person" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Person_pkey" PRIMARY KEY ("id")
);

-- Everybody who joined an account, and whoever has a session, is a person; an invitation is not one yet.
INSERT INTO "Person" ("id", "email", "createdAt")
SELECT 'per_' || substr(m."id", 5), m."email", m."createdAt" FROM "Member" m
WHERE m."status" <> 'INVITED' OR EXISTS (SELECT 1 FROM "Session" s WHERE s."memberId" = m."id");
UPDATE "Member" m SET "personId" = p."id" FROM "Person" p WHERE p."email" = m."email";
UPDATE "Session" s SET "personId" = m."personId" FROM "Member" m WHERE m."id" = s."memberId";
UPDATE "Member" SET "invitationEndsAt" = CURRENT_TIMESTAMP + interval '7 days' WHERE "status" = 'INVITED';
ALTER TABLE "Session" ALTER COLUMN "personId" SET NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "Person_email_key" ON "Person"("email");

-- CreateIndex
CREATE INDEX "Member_email_idx" ON "Member"("email");

-- CreateIndex
CREATE INDEX "Member_personId_idx" ON "Member"("personId");

-- CreateIndex
CREATE UNIQUE INDEX "Member_accountId_email_key" ON "Member"("accountId", "email");

-- CreateIndex
CREATE UNIQUE INDEX "Member_accountId_personId_key" ON "Member"("accountId", "personId");

-- CreateIndex
CREATE INDEX "Session_personId_createdAt_idx" ON "Session"("personId", "createdAt");

-- CreateIndex
CREATE INDEX "Session_memberId_idx" ON "Session"("memberId");

-- AddForeignKey
ALTER TABLE "Member" ADD CONSTRAINT "Member_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "KnownBrowser" ADD CONSTRAINT "KnownBrowser_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES "Member"("id") ON DELETE SET NULL ON UPDATE CASCADE;
