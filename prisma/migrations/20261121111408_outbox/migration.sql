-- DropIndex
DROP INDEX "AuditEntry_accountId_action_at_idx";

-- CreateTable
CREATE TABLE "OutboxMessage" (
    "id" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OutboxMessage_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "AuditEntry_accountId_action_at_id_idx" ON "AuditEntry"("accountId", "action", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_accountId_actor_at_id_idx" ON "AuditEntry"("accountId", "actor", "at", "id");
