-- AlterTable
ALTER TABLE "DeveloperKey" ADD COLUMN     "allowanceId" TEXT;

-- AlterTable
ALTER TABLE "LedgerLine" ADD COLUMN     "allowanceId" TEXT;

-- AlterTable
ALTER TABLE "OAuthGrant" ADD COLUMN     "allowanceId" TEXT;

-- CreateTable
CREATE TABLE "CredentialAllowance" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "clientId" TEXT,
    "monthlyCapMicros" BIGINT NOT NULL,
    "heldMicros" BIGINT NOT NULL DEFAULT 0,
    "month" TEXT NOT NULL DEFAULT '',
    "monthSpentMicros" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CredentialAllowance_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "CredentialAllowance_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES "Member"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "CredentialAllowance_figures" CHECK ("monthlyCapMicros" >= 0 AND "heldMicros" >= 0 AND "monthSpentMicros" >= 0)
);

-- CreateIndex
CREATE INDEX "CredentialAllowance_accountId_idx" ON "CredentialAllowance"("accountId");

-- CreateIndex
CREATE UNIQUE INDEX "CredentialAllowance_memberId_clientId_key" ON "CredentialAllowance"("memberId", "clientId");


-- What asks for generations has a cap: no code path makes a credential that spends without one. No row has the scope yet.
ALTER TABLE "DeveloperKey" ADD CONSTRAINT "DeveloperKey_capped" CHECK ("allowanceId" IS NOT NULL OR NOT 'studio:generate' = ANY ("scopes")) NOT VALID;
ALTER TABLE "OAuthGrant" ADD CONSTRAINT "OAuthGrant_capped" CHECK ("allowanceId" IS NOT NULL OR NOT 'studio:generate' = ANY ("scopes")) NOT VALID;
