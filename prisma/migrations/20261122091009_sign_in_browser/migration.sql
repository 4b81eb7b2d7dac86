-- DropIndex
DROP INDEX "SignInCode_email_createdAt_idx";

-- AlterTable
ALTER TABLE "SignInCode" ADD COLUMN     "browserHash" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "KnownBrowser" (
    "memberId" TEXT NOT NULL,
    "browserHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "KnownBrowser_pkey" PRIMARY KEY ("memberId","browserHash")
);

-- CreateTable
CREATE TABLE "SignInFailure" (
    "email" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SignInFailure_pkey" PRIMARY KEY ("email")
);

-- CreateIndex
CREATE INDEX "KnownBrowser_lastSeenAt_idx" ON "KnownBrowser"("lastSeenAt");

-- CreateIndex
CREATE INDEX "SignInFailure_updatedAt_idx" ON "SignInFailure"("updatedAt");

-- CreateIndex
CREATE INDEX "SignInCode_email_browserHash_createdAt_idx" ON "SignInCode"("email", "browserHash", "createdAt");

-- AddForeignKey
ALTER TABLE "KnownBrowser" ADD CONSTRAINT "KnownBrowser_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES "Member"("id") ON DELETE CASCADE ON UPDATE CASCADE;
