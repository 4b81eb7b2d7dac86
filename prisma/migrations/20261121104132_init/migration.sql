-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "PillarRole" AS ENUM ('IDENTITY', 'GUIDELINES', 'KNOWLEDGE', 'ITEMS', 'PEOPLE');

-- CreateEnum
CREATE TYPE "SpaceTemplate" AS ENUM ('brand', 'app', 'work', 'personal', 'blank');

-- CreateEnum
CREATE TYPE "MemoryKind" AS ENUM ('NOTE', 'DOCUMENT', 'PAGE', 'FACT', 'ITEM', 'PERSON');

-- CreateEnum
CREATE TYPE "MemorySource" AS ENUM ('REPO', 'WEBSITE', 'UPLOAD', 'CHAT', 'LOOP', 'MANUAL', 'CONNECTOR', 'MCP', 'API');

-- CreateEnum
CREATE TYPE "RevisionChange" AS ENUM ('CREATED', 'EDITED', 'MOVED', 'DELETED', 'RESTORED');

-- CreateEnum
CREATE TYPE "MemberRole" AS ENUM ('FOUNDER', 'MEMBER');

-- CreateEnum
CREATE TYPE "MemberStatus" AS ENUM ('INVITED', 'ACTIVE', 'SUSPENDED');

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" TEXT NOT NULL,
    "accountId" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "subjectType" TEXT,
    "subjectId" TEXT,
    "data" JSONB NOT NULL,
    "requestId" TEXT NOT NULL,
    "traceId" TEXT,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Space" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "template" "SpaceTemplate" NOT NULL,
    "websiteUrl" TEXT,
    "cu" INTEGER NOT NULL DEFAULT 0,
    "memories" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "archivedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Space_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Memory" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "spaceId" TEXT NOT NULL,
    "role" "PillarRole" NOT NULL,
    "parentId" TEXT,
    "depth" INTEGER NOT NULL DEFAULT 0,
    "kind" "MemoryKind" NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "source" "MemorySource" NOT NULL,
    "sourceRef" TEXT,
    "file" JSONB,
    "cu" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),
    "idempotencyKey" TEXT,
    "idempotencyFingerprint" BYTEA,

    CONSTRAINT "Memory_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MemoryRevision" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memoryId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "change" "RevisionChange" NOT NULL,
    "role" "PillarRole" NOT NULL,
    "parentId" TEXT,
    "kind" "MemoryKind" NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MemoryRevision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReadMonth" (
    "accountId" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "ReadMonth_pkey" PRIMARY KEY ("accountId","month")
);

-- CreateTable
CREATE TABLE "ReadDay" (
    "accountId" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "ReadDay_pkey" PRIMARY KEY ("accountId","day")
);

-- CreateTable
CREATE TABLE "Project" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "websiteUrl" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "capacityCu" INTEGER NOT NULL DEFAULT 0,
    "usedCu" INTEGER NOT NULL DEFAULT 0,
    "contractualReads" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Member" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "MemberRole" NOT NULL DEFAULT 'MEMBER',
    "permissions" TEXT[],
    "status" "MemberStatus" NOT NULL DEFAULT 'INVITED',
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3),

    CONSTRAINT "Member_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DeveloperKey" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "successorId" TEXT,

    CONSTRAINT "DeveloperKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SignInCode" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "codeHash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "attemptsLeft" INTEGER NOT NULL,
    "consumedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SignInCode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "userAgent" TEXT NOT NULL DEFAULT '',
    "network" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateLimitWindow" (
    "key" TEXT NOT NULL,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "requests" INTEGER NOT NULL,
    "writes" INTEGER NOT NULL,

    CONSTRAINT "RateLimitWindow_pkey" PRIMARY KEY ("key","startsAt")
);

-- CreateIndex
CREATE INDEX "AuditEntry_accountId_at_id_idx" ON "AuditEntry"("accountId", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_accountId_action_at_idx" ON "AuditEntry"("accountId", "action", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_subjectId_idx" ON "AuditEntry"("subjectId");

-- CreateIndex
CREATE INDEX "Space_accountId_createdAt_id_idx" ON "Space"("accountId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Memory_spaceId_deletedAt_createdAt_id_idx" ON "Memory"("spaceId", "deletedAt", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Memory_parentId_idx" ON "Memory"("parentId");

-- CreateIndex
CREATE INDEX "Memory_spaceId_sourceRef_idx" ON "Memory"("spaceId", "sourceRef");

-- CreateIndex
CREATE UNIQUE INDEX "Memory_accountId_idempotencyKey_key" ON "Memory"("accountId", "idempotencyKey");

-- CreateIndex
CREATE UNIQUE INDEX "MemoryRevision_memoryId_version_key" ON "MemoryRevision"("memoryId", "version");

-- CreateIndex
CREATE INDEX "Project_accountId_createdAt_id_idx" ON "Project"("accountId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Member_email_key" ON "Member"("email");

-- CreateIndex
CREATE INDEX "Member_accountId_createdAt_idx" ON "Member"("accountId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "DeveloperKey_tokenHash_key" ON "DeveloperKey"("tokenHash");

-- CreateIndex
CREATE INDEX "DeveloperKey_accountId_createdAt_idx" ON "DeveloperKey"("accountId", "createdAt");

-- CreateIndex
CREATE INDEX "DeveloperKey_memberId_idx" ON "DeveloperKey"("memberId");

-- CreateIndex
CREATE INDEX "SignInCode_email_createdAt_idx" ON "SignInCode"("email", "createdAt");

-- CreateIndex
CREATE INDEX "SignInCode_expiresAt_idx" ON "SignInCode"("expiresAt");

-- CreateIndex
CREATE INDEX "Session_memberId_createdAt_idx" ON "Session"("memberId", "createdAt");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "RateLimitWindow_startsAt_idx" ON "RateLimitWindow"("startsAt");

-- AddForeignKey
ALTER TABLE "Space" ADD CONSTRAINT "Space_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Memory" ADD CONSTRAINT "Memory_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MemoryRevision" ADD CONSTRAINT "MemoryRevision_memoryId_fkey" FOREIGN KEY ("memoryId") REFERENCES "Memory"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Project" ADD CONSTRAINT "Project_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Member" ADD CONSTRAINT "Member_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeveloperKey" ADD CONSTRAINT "DeveloperKey_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeveloperKey" ADD CONSTRAINT "DeveloperKey_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES "Member"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES "Member"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What is written once and never changed: the audit trail, the ledger's lines.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "AuditEntry_append_only" BEFORE UPDATE OR DELETE ON "AuditEntry"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "AuditEntry_no_truncate" BEFORE TRUNCATE ON "AuditEntry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Rate windows are worth nothing after a crash: no write-ahead log for them.
ALTER TABLE "RateLimitWindow" SET UNLOGGED;

-- Counters never go below zero, whatever writes them.
ALTER TABLE "Account" ADD CONSTRAINT "Account_usedCu_check" CHECK ("usedCu" >= 0);
ALTER TABLE "Space" ADD CONSTRAINT "Space_counters_check" CHECK (cu >= 0 AND memories >= 0);
