-- CreateEnum
CREATE TYPE "AccountExportState" AS ENUM ('RUNNING', 'READY', 'FAILED');

-- AlterTable
ALTER TABLE "Account" ADD COLUMN     "closedAt" TIMESTAMPTZ(3),
ADD COLUMN     "erasedAt" TIMESTAMPTZ(3),
ADD COLUMN     "erasingAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "AccountExport" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "state" "AccountExportState" NOT NULL DEFAULT 'RUNNING',
    "cursor" JSONB NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL,
    "parts" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "entries" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AccountExport_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AccountExportPart" (
    "exportId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "accountId" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "directory" BYTEA NOT NULL,

    CONSTRAINT "AccountExportPart_pkey" PRIMARY KEY ("exportId","position")
);

-- CreateIndex
CREATE INDEX "AccountExport_accountId_createdAt_idx" ON "AccountExport"("accountId", "createdAt");

-- CreateIndex
CREATE INDEX "AccountExport_expiresAt_idx" ON "AccountExport"("expiresAt");

-- CreateIndex
CREATE INDEX "AccountExportPart_accountId_idx" ON "AccountExportPart"("accountId");

-- AddForeignKey
ALTER TABLE "AccountExportPart" ADD CONSTRAINT "AccountExportPart_exportId_fkey" FOREIGN KEY ("exportId") REFERENCES "AccountExport"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One export at a time and account; closed accounts by their day.
CREATE UNIQUE INDEX "AccountExport_running" ON "AccountExport"("accountId") WHERE "state" = 'RUNNING';
CREATE INDEX "Account_closed" ON "Account"("closedAt") WHERE "closedAt" IS NOT NULL AND "erasedAt" IS NULL;
ALTER TABLE "Account" ADD CONSTRAINT "Account_erasure" CHECK (
  ("erasingAt" IS NULL OR ("closedAt" IS NOT NULL AND "erasingAt" >= "closedAt" + interval '30 days'))
  AND ("erasedAt" IS NULL OR "erasingAt" IS NOT NULL)
  AND ("closedAt" IS NULL OR NOT "isOperator"));

-- What is append-only stays so for the application. Only the functions below, which run as the owner of the tables and for an account whose
-- 30 days are over, take it away: the setting alone opens nothing.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' THEN
    IF OLD."accountId" = current_setting('atelier.erasing', true)
      AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID)
    THEN
      IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION begin_erasing(account text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM public."Account" WHERE "id" = account AND "erasingAt" IS NOT NULL AND "erasedAt" IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % is not being erased', account USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM set_config('atelier.erasing', account, true);
END $$;

-- Journal rows whose files are gone: deleted, or emptied where a line of the ledger points at them.
CREATE FUNCTION erase_generations(account text, ids text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM begin_erasing(account);
  DELETE FROM "Lesson" WHERE "accountId" = account AND "assetId" IN (SELECT "id" FROM "Asset" WHERE "generationId" = ANY(ids) AND "accountId" = account);
  DELETE FROM "Avatar" WHERE "accountId" = account AND "assetId" IN (SELECT "id" FROM "Asset" WHERE "generationId" = ANY(ids) AND "accountId" = account);
  DELETE FROM "Asset" WHERE "generationId" = ANY(ids) AND "accountId" = account;
  DELETE FROM "Generation" g WHERE g."id" = ANY(ids) AND g."accountId" = account
    AND NOT EXISTS (SELECT FROM "LedgerLine" l WHERE l."generationId" = g."id");
  UPDATE "Generation" SET "productId" = 'libre', "caseName" = NULL, "params" = '{}', "references" = '{}', "searchText" = '', "provider" = NULL,
    "modelId" = NULL, "providerJobId" = NULL, "providerOperation" = NULL, "providerWebhookSecret" = NULL, "gatewayGenerationId" = NULL,
    "artifacts" = '[]', "message" = NULL, "errorMessage" = NULL, "idempotencyKey" = NULL, "idempotencyFingerprint" = NULL,
    "relaunchOfId" = NULL, "ancestorId" = NULL, "consentId" = NULL, "requestId" = '', "traceId" = NULL,
    "filesDeletedAt" = coalesce("filesDeletedAt", now()), "filesDeletedBy" = 'erasure'
  WHERE "id" = ANY(ids) AND "accountId" = account;
  PERFORM set_config('atelier.erasing', '', true);
END $$;

-- Everything else of the account, at once. What stays: its row without a name, wallets, budget, lines and months: figures and identifiers.
CREATE FUNCTION erase_account(account text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  people text[];
BEGIN
  PERFORM begin_erasing(account);
  DELETE FROM "Lesson" WHERE "accountId" = account;
  DELETE FROM "Avatar" WHERE "accountId" = account;
  DELETE FROM "CaptureRush" WHERE "accountId" = account;
  DELETE FROM "Upload" WHERE "accountId" = account;
  DELETE FROM "Asset" WHERE "accountId" = account;
  DELETE FROM "Concept" WHERE "accountId" = account;
  DELETE FROM "Consent" WHERE "accountId" = account;
  DELETE FROM "StorageHold" WHERE "accountId" = account;
  DELETE FROM "StorageQuota" WHERE "accountId" = account;
  DELETE FROM "AccountExport" WHERE "accountId" = account;
  DELETE FROM "ImportJob" WHERE "accountId" = account;
  DELETE FROM "MemoryRevision" WHERE "accountId" = account;
  DELETE FROM "Memory" WHERE "accountId" = account;
  DELETE FROM "SearchDocument" WHERE "accountId" = account;
  DELETE FROM "SearchDead" WHERE "accountId" = account;
  DELETE FROM "SearchSegment" WHERE "accountId" = account;
  DELETE FROM "Space" WHERE "accountId" = account;
  DELETE FROM "Project" WHERE "accountId" = account;
  DELETE FROM "ReadMonth" WHERE "accountId" = account;
  DELETE FROM "ReadDay" WHERE "accountId" = account;
  DELETE FROM "DeveloperKey" WHERE "accountId" = account;
  DELETE FROM "OAuthGrant" WHERE "accountId" = account;
  DELETE FROM "SpendAlert" WHERE "accountId" = account;
  UPDATE "LedgerLine" SET "note" = NULL, "idempotencyKey" = NULL WHERE "accountId" = account;
  UPDATE "BudgetLine" SET "note" = NULL, "idempotencyKey" = NULL WHERE "accountId" = account;
  DELETE FROM "AuditEntry" WHERE "accountId" = account;
  SELECT coalesce(array_agg(m."personId"), '{}') INTO people FROM "Member" m
    WHERE m."accountId" = account AND m."personId" IS NOT NULL
      AND NOT EXISTS (SELECT FROM "Member" o WHERE o."personId" = m."personId" AND o."accountId" <> account);
  UPDATE "Session" SET "accountId" = NULL, "memberId" = NULL WHERE "accountId" = account;
  DELETE FROM "SignInCode" WHERE "email" IN (SELECT "email" FROM "Person" WHERE "id" = ANY(people));
  DELETE FROM "SignInFailure" WHERE "email" IN (SELECT "email" FROM "Person" WHERE "id" = ANY(people));
  DELETE FROM "OutboxMessage" WHERE "recipient" IN (SELECT "email" FROM "Member" WHERE "accountId" = account);
  DELETE FROM "Session" WHERE "personId" = ANY(people);
  DELETE FROM "Member" WHERE "accountId" = account;
  DELETE FROM "Person" WHERE "id" = ANY(people);
  UPDATE "Account" SET "name" = 'Compte effacé', "capacityCu" = 0, "usedCu" = 0, "contractualReads" = NULL, "erasedAt" = at, "updatedAt" = at
    WHERE "id" = account;
  PERFORM set_config('atelier.erasing', '', true);
END $$;
