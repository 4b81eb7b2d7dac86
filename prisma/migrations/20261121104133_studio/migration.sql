-- CreateEnum
CREATE TYPE "LedgerKind" AS ENUM ('GRANT', 'RESERVE', 'SETTLE', 'REFUND');

-- CreateEnum
CREATE TYPE "AssetState" AS ENUM ('GENERATED', 'REJECTED', 'APPROVED', 'DELIVERED');

-- CreateEnum
CREATE TYPE "UploadKind" AS ENUM ('IMAGE', 'RUSH', 'TRACK');

-- CreateEnum
CREATE TYPE "UploadVia" AS ENUM ('server', 'client', 'confirm');

-- CreateEnum
CREATE TYPE "GenerationKind" AS ENUM ('IMAGE', 'VECTOR', 'VOICE', 'VIDEO', 'MOTION', 'LIPSYNC', 'RENDER');

-- CreateEnum
CREATE TYPE "AssetType" AS ENUM ('IMAGE', 'VECTOR', 'AUDIO', 'VIDEO');

-- CreateEnum
CREATE TYPE "GenerationState" AS ENUM ('STARTING', 'SUBMITTED', 'COMPLETED', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "ClosedBy" AS ENUM ('request', 'webhook', 'read', 'sweep', 'callback');

-- CreateTable
CREATE TABLE "Wallet" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "balanceMicros" BIGINT NOT NULL DEFAULT 0,
    "heldMicros" BIGINT NOT NULL DEFAULT 0,
    "perGenerationCapMicros" BIGINT,
    "monthlyCapMicros" BIGINT,
    "month" TEXT NOT NULL,
    "monthSpentMicros" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Wallet_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LedgerLine" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "walletId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "kind" "LedgerKind" NOT NULL,
    "amountMicros" BIGINT NOT NULL,
    "heldMicros" BIGINT NOT NULL,
    "balanceAfterMicros" BIGINT NOT NULL,
    "heldAfterMicros" BIGINT NOT NULL,
    "generationId" TEXT,
    "reserveId" TEXT,
    "month" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "note" TEXT,

    CONSTRAINT "LedgerLine_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SpendMonth" (
    "accountId" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "spentMicros" BIGINT NOT NULL,

    CONSTRAINT "SpendMonth_pkey" PRIMARY KEY ("accountId","month")
);

-- CreateTable
CREATE TABLE "SpendAlert" (
    "accountId" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "multiple" INTEGER NOT NULL,
    "thresholdMicros" BIGINT NOT NULL,
    "spentMicros" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "mailedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SpendAlert_pkey" PRIMARY KEY ("accountId","month","multiple")
);

-- CreateTable
CREATE TABLE "Asset" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "generationId" TEXT,
    "type" "AssetType" NOT NULL,
    "state" "AssetState" NOT NULL DEFAULT 'GENERATED',
    "pathname" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "durationMs" INTEGER,
    "etag" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "imported" BOOLEAN NOT NULL DEFAULT false,
    "ancestorId" TEXT,
    "conceptId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "reviewedAt" TIMESTAMPTZ(3),
    "reviewedBy" TEXT,
    "deletedAt" TIMESTAMPTZ(3),
    "deletedBy" TEXT,

    CONSTRAINT "Asset_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Upload" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "kind" "UploadKind" NOT NULL,
    "pathname" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "durationMs" INTEGER,
    "via" "UploadVia" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "touchedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Avatar" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "assetId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "pathname" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Avatar_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Concept" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Concept_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Lesson" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "assetId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Lesson_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CaptureRush" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "uploadId" TEXT,
    "title" TEXT NOT NULL,
    "pathname" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "durationMs" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "clearedAt" TIMESTAMPTZ(3),

    CONSTRAINT "CaptureRush_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Generation" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "kind" "GenerationKind" NOT NULL,
    "assetType" "AssetType" NOT NULL,
    "state" "GenerationState" NOT NULL,
    "statusKey" TEXT NOT NULL DEFAULT 'running',
    "caseName" TEXT,
    "params" JSONB NOT NULL,
    "references" JSONB NOT NULL,
    "searchText" TEXT NOT NULL DEFAULT '',
    "provider" TEXT,
    "modelId" TEXT,
    "providerJobId" TEXT,
    "providerOperation" TEXT,
    "providerWebhookSecret" TEXT,
    "gatewayGenerationId" TEXT,
    "artifacts" JSONB NOT NULL DEFAULT '[]',
    "chargePending" BOOLEAN NOT NULL DEFAULT false,
    "heldMicros" BIGINT NOT NULL DEFAULT 0,
    "costMicros" BIGINT,
    "code" TEXT,
    "message" TEXT,
    "errorMessage" TEXT,
    "idempotencyKey" TEXT,
    "idempotencyFingerprint" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "submittedAt" TIMESTAMPTZ(3),
    "deadlineAt" TIMESTAMPTZ(3) NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "readableAt" TIMESTAMPTZ(3),
    "closedAt" TIMESTAMPTZ(3),
    "closedBy" "ClosedBy",
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "filesDeletedAt" TIMESTAMPTZ(3),
    "filesDeletedBy" TEXT,
    "relaunchOfId" TEXT,
    "ancestorId" TEXT,
    "consentId" TEXT,
    "requestId" TEXT NOT NULL,
    "traceId" TEXT,

    CONSTRAINT "Generation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Consent" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "voiceId" TEXT NOT NULL,
    "personName" TEXT NOT NULL,
    "signedAt" TIMESTAMPTZ(3) NOT NULL,
    "pathname" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Consent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CronRun" (
    "id" TEXT NOT NULL,
    "job" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "complete" BOOLEAN NOT NULL DEFAULT false,
    "report" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "CronRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CronCursor" (
    "job" TEXT NOT NULL,
    "cursor" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CronCursor_pkey" PRIMARY KEY ("job")
);

-- CreateIndex
CREATE UNIQUE INDEX "Wallet_memberId_key" ON "Wallet"("memberId");

-- CreateIndex
CREATE INDEX "Wallet_accountId_idx" ON "Wallet"("accountId");

-- CreateIndex
CREATE INDEX "LedgerLine_walletId_month_id_idx" ON "LedgerLine"("walletId", "month", "id");

-- CreateIndex
CREATE INDEX "LedgerLine_accountId_month_id_idx" ON "LedgerLine"("accountId", "month", "id");

-- CreateIndex
CREATE INDEX "LedgerLine_generationId_idx" ON "LedgerLine"("generationId");

-- CreateIndex
CREATE UNIQUE INDEX "Asset_pathname_key" ON "Asset"("pathname");

-- CreateIndex
CREATE INDEX "Asset_generationId_position_idx" ON "Asset"("generationId", "position");

-- CreateIndex
CREATE INDEX "Asset_accountId_state_createdAt_id_idx" ON "Asset"("accountId", "state", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Asset_accountId_productId_createdAt_id_idx" ON "Asset"("accountId", "productId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Asset_ancestorId_idx" ON "Asset"("ancestorId");

-- CreateIndex
CREATE INDEX "Asset_conceptId_idx" ON "Asset"("conceptId");

-- CreateIndex
CREATE INDEX "Asset_productId_id_idx" ON "Asset"("productId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Upload_pathname_key" ON "Upload"("pathname");

-- CreateIndex
CREATE INDEX "Upload_accountId_productId_createdAt_id_idx" ON "Upload"("accountId", "productId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Upload_productId_id_idx" ON "Upload"("productId", "id");

-- CreateIndex
CREATE INDEX "Avatar_accountId_productId_createdAt_idx" ON "Avatar"("accountId", "productId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Avatar_assetId_idx" ON "Avatar"("assetId");

-- CreateIndex
CREATE INDEX "Avatar_pathname_idx" ON "Avatar"("pathname");

-- CreateIndex
CREATE INDEX "Concept_accountId_productId_createdAt_idx" ON "Concept"("accountId", "productId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Lesson_accountId_productId_createdAt_idx" ON "Lesson"("accountId", "productId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Lesson_assetId_idx" ON "Lesson"("assetId");

-- CreateIndex
CREATE INDEX "CaptureRush_accountId_productId_createdAt_idx" ON "CaptureRush"("accountId", "productId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "CaptureRush_pathname_idx" ON "CaptureRush"("pathname");

-- CreateIndex
CREATE INDEX "CaptureRush_uploadId_idx" ON "CaptureRush"("uploadId");

-- CreateIndex
CREATE INDEX "Generation_accountId_createdAt_id_idx" ON "Generation"("accountId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Generation_accountId_statusKey_createdAt_id_idx" ON "Generation"("accountId", "statusKey", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Generation_accountId_kind_createdAt_id_idx" ON "Generation"("accountId", "kind", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Generation_accountId_productId_createdAt_id_idx" ON "Generation"("accountId", "productId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Generation_accountId_memberId_createdAt_id_idx" ON "Generation"("accountId", "memberId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Generation_accountId_caseName_createdAt_id_idx" ON "Generation"("accountId", "caseName", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Generation_relaunchOfId_idx" ON "Generation"("relaunchOfId");

-- CreateIndex
CREATE INDEX "Generation_ancestorId_idx" ON "Generation"("ancestorId");

-- CreateIndex
CREATE UNIQUE INDEX "Generation_memberId_idempotencyKey_key" ON "Generation"("memberId", "idempotencyKey");

-- CreateIndex
CREATE INDEX "Consent_accountId_voiceId_idx" ON "Consent"("accountId", "voiceId");

-- CreateIndex
CREATE INDEX "CronRun_job_startedAt_idx" ON "CronRun"("job", "startedAt" DESC);

-- AddForeignKey
ALTER TABLE "LedgerLine" ADD CONSTRAINT "LedgerLine_walletId_fkey" FOREIGN KEY ("walletId") REFERENCES "Wallet"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LedgerLine" ADD CONSTRAINT "LedgerLine_generationId_fkey" FOREIGN KEY ("generationId") REFERENCES "Generation"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Asset" ADD CONSTRAINT "Asset_generationId_fkey" FOREIGN KEY ("generationId") REFERENCES "Generation"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Asset" ADD CONSTRAINT "Asset_ancestorId_fkey" FOREIGN KEY ("ancestorId") REFERENCES "Asset"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Asset" ADD CONSTRAINT "Asset_conceptId_fkey" FOREIGN KEY ("conceptId") REFERENCES "Concept"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Avatar" ADD CONSTRAINT "Avatar_assetId_fkey" FOREIGN KEY ("assetId") REFERENCES "Asset"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Lesson" ADD CONSTRAINT "Lesson_assetId_fkey" FOREIGN KEY ("assetId") REFERENCES "Asset"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CaptureRush" ADD CONSTRAINT "CaptureRush_uploadId_fkey" FOREIGN KEY ("uploadId") REFERENCES "Upload"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Generation" ADD CONSTRAINT "Generation_relaunchOfId_fkey" FOREIGN KEY ("relaunchOfId") REFERENCES "Generation"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Generation" ADD CONSTRAINT "Generation_ancestorId_fkey" FOREIGN KEY ("ancestorId") REFERENCES "Generation"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Generation" ADD CONSTRAINT "Generation_consentId_fkey" FOREIGN KEY ("consentId") REFERENCES "Consent"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- The ledger's rules, in the database and not in code order.
CREATE TRIGGER "LedgerLine_append_only" BEFORE UPDATE OR DELETE ON "LedgerLine"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "LedgerLine_no_truncate" BEFORE TRUNCATE ON "LedgerLine"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE UNIQUE INDEX "LedgerLine_one_reserve" ON "LedgerLine"("generationId") WHERE "kind" = 'RESERVE';
CREATE UNIQUE INDEX "LedgerLine_one_close" ON "LedgerLine"("reserveId") WHERE "kind" IN ('SETTLE', 'REFUND');
ALTER TABLE "LedgerLine" ADD CONSTRAINT "LedgerLine_reserveId_fkey"
  FOREIGN KEY ("reserveId") REFERENCES "LedgerLine"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "LedgerLine" ADD CONSTRAINT "LedgerLine_shape" CHECK (CASE "kind"
  WHEN 'GRANT'   THEN "amountMicros" > 0 AND "heldMicros" = 0 AND "generationId" IS NULL AND "reserveId" IS NULL
  WHEN 'RESERVE' THEN "amountMicros" = 0 AND "heldMicros" > 0 AND "generationId" IS NOT NULL AND "reserveId" IS NULL
  WHEN 'SETTLE'  THEN "amountMicros" <= 0 AND "heldMicros" < 0 AND "generationId" IS NOT NULL AND "reserveId" IS NOT NULL
  WHEN 'REFUND'  THEN "amountMicros" = 0 AND "heldMicros" < 0 AND "generationId" IS NOT NULL AND "reserveId" IS NOT NULL
END);
ALTER TABLE "Wallet" ADD CONSTRAINT "Wallet_held" CHECK ("heldMicros" >= 0);

-- A closing line releases exactly its own reserve: same wallet, same generation, same amount.
CREATE FUNCTION check_ledger_close() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "LedgerLine" r WHERE r."id" = NEW."reserveId" AND r."kind" = 'RESERVE'
    AND r."walletId" = NEW."walletId" AND r."generationId" = NEW."generationId" AND r."heldMicros" = -NEW."heldMicros";
  IF NOT FOUND THEN
    RAISE EXCEPTION 'line % closes no such reserve', NEW."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "LedgerLine_close" BEFORE INSERT ON "LedgerLine" FOR EACH ROW
  WHEN (NEW."kind" IN ('SETTLE', 'REFUND')) EXECUTE FUNCTION check_ledger_close();

-- The journal: a closed row is closed for good and keeps no secret; only the listed transitions exist.
ALTER TABLE "Generation" ADD CONSTRAINT "Generation_closed" CHECK (
  ("state" IN ('COMPLETED', 'FAILED', 'CANCELLED')) = ("closedAt" IS NOT NULL)
  AND ("closedAt" IS NULL OR "providerWebhookSecret" IS NULL)
  AND ("state" <> 'FAILED' OR "code" IS NOT NULL));
ALTER TABLE "Generation" ADD CONSTRAINT "Generation_charge" CHECK (
  "state" NOT IN ('FAILED', 'CANCELLED') OR ("costMicros" IS NULL AND NOT "chargePending"));

CREATE FUNCTION guard_generation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW."state" <> OLD."state" AND NOT (
    (OLD."state" = 'STARTING' AND NEW."state" IN ('SUBMITTED', 'COMPLETED', 'FAILED'))
    OR (OLD."state" = 'SUBMITTED' AND NEW."state" IN ('COMPLETED', 'FAILED'))
  ) THEN
    RAISE EXCEPTION 'generation %: no transition from % to %', OLD."id", OLD."state", NEW."state"
      USING ERRCODE = 'check_violation';
  END IF;
  NEW."statusKey" := CASE
    WHEN NEW."filesDeletedAt" IS NOT NULL THEN 'deleted'
    WHEN NEW."state" = 'COMPLETED' THEN 'done'
    WHEN NEW."state" = 'CANCELLED' THEN 'cancelled'
    WHEN NEW."state" = 'FAILED' AND NEW."code" IN ('quota', 'no-callback') THEN NEW."code"
    WHEN NEW."state" = 'FAILED' THEN 'failed'
    WHEN NEW."artifacts" <> '[]'::jsonb THEN 'done'
    ELSE 'running'
  END;
  RETURN NEW;
END $$;
CREATE TRIGGER "Generation_guard" BEFORE INSERT OR UPDATE ON "Generation"
  FOR EACH ROW EXECUTE FUNCTION guard_generation();
CREATE TRIGGER "Generation_kept" BEFORE DELETE ON "Generation"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What the sweep looks for, and the journal's search.
CREATE INDEX "Generation_due" ON "Generation"("dueAt") WHERE "state" IN ('STARTING', 'SUBMITTED');
CREATE INDEX "Generation_open" ON "Generation"("accountId", "createdAt" DESC, "id" DESC) WHERE "state" IN ('STARTING', 'SUBMITTED');
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX "Generation_search" ON "Generation" USING GIN ("searchText" gin_trgm_ops);
CREATE INDEX "SpendAlert_unmailed" ON "SpendAlert"("createdAt") WHERE "mailedAt" IS NULL;
-- What retention looks for.
CREATE INDEX "Asset_expiring" ON "Asset"("createdAt", "id") WHERE "deletedAt" IS NULL AND "state" IN ('GENERATED', 'REJECTED');
CREATE INDEX "Upload_expiring" ON "Upload"("touchedAt", "id") WHERE "deletedAt" IS NULL;
