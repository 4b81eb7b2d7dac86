-- CreateEnum
CREATE TYPE "WebhookState" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

-- CreateTable
CREATE TABLE "WebhookEndpoint" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "secret" BYTEA NOT NULL,
    "previousSecret" BYTEA,
    "previousEndsAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "disabledAt" TIMESTAMPTZ(3),
    "disabledReason" TEXT,
    "noticeDueAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failingSince" TIMESTAMPTZ(3),
    "restsUntil" TIMESTAMPTZ(3),
    "lastDeliveredAt" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookEndpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "accountId" TEXT NOT NULL,
    "endpointId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "state" "WebhookState" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,
    "lastStatus" INTEGER,
    "lastError" TEXT,
    "lastMs" INTEGER,
    "closedAt" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookThreshold" (
    "accountId" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "threshold" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WebhookThreshold_pkey" PRIMARY KEY ("accountId","level","month","threshold")
);

-- CreateIndex
CREATE INDEX "WebhookEndpoint_accountId_idx" ON "WebhookEndpoint"("accountId");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_position_key" ON "WebhookDelivery"("position");

-- CreateIndex
CREATE INDEX "WebhookDelivery_accountId_id_idx" ON "WebhookDelivery"("accountId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_at_idx" ON "WebhookDelivery"("at");

-- CreateIndex
CREATE INDEX "WebhookDelivery_endpointId_position_idx" ON "WebhookDelivery"("endpointId", "position" DESC);

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_endpointId_fkey" FOREIGN KEY ("endpointId") REFERENCES "WebhookEndpoint"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- What is claimed, and what the next event of the same object waits for.
CREATE INDEX "WebhookDelivery_due_idx" ON "WebhookDelivery"("endpointId", "dueAt") WHERE "state" = 'PENDING';
CREATE INDEX "WebhookDelivery_object_idx" ON "WebhookDelivery"("endpointId", "subjectId", "position") WHERE "state" = 'PENDING';
CREATE INDEX "WebhookEndpoint_notice_idx" ON "WebhookEndpoint"("noticeDueAt") WHERE "noticeDueAt" IS NOT NULL;
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_data_size" CHECK (pg_column_size("data") <= 4096);

-- Events are written here and not by the verbs: whoever writes a revision or closes a generation tells it, in the same transaction, without
-- a round trip; an account without endpoints pays one probe of an index.
CREATE FUNCTION tell_webhooks(account text, event text, subject text, detail jsonb, happened timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public."WebhookDelivery" ("id", "accountId", "endpointId", "type", "subjectId", "data", "at", "dueAt", "endsAt")
  SELECT 'evt_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), account, e."id", event, subject, detail,
    happened, happened, happened + interval '24 hours'
  FROM public."WebhookEndpoint" e JOIN public."Member" m ON m."id" = e."createdById" AND m."status" = 'ACTIVE'
  WHERE e."accountId" = account AND e."disabledAt" IS NULL AND event = ANY(e."events");
END $$;

CREATE FUNCTION tell_of_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.tell_webhooks(NEW."accountId",
    CASE NEW."change" WHEN 'CREATED' THEN 'memory.added' WHEN 'DELETED' THEN 'memory.deleted' ELSE 'memory.changed' END,
    NEW."memoryId",
    jsonb_build_object('memoryId', NEW."memoryId", 'spaceId', (SELECT m."spaceId" FROM public."Memory" m WHERE m."id" = NEW."memoryId"),
      'pillar', NEW."role", 'version', NEW."version", 'change', lower(NEW."change"::text)),
    NEW."createdAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "MemoryRevision_told" AFTER INSERT ON "MemoryRevision" FOR EACH ROW EXECUTE FUNCTION tell_of_revision();

CREATE FUNCTION tell_of_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.tell_webhooks(NEW."accountId", 'memory.proposed', NEW."subjectId",
    jsonb_build_object('proposalId', NEW."subjectId", 'spaceId', NEW."data" ->> 'spaceId'), NEW."at");
  RETURN NULL;
END $$;
CREATE TRIGGER "AuditEntry_told" AFTER INSERT ON "AuditEntry" FOR EACH ROW WHEN (NEW."action" = 'memory.proposed')
  EXECUTE FUNCTION tell_of_proposal();

CREATE FUNCTION tell_of_closing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.tell_webhooks(NEW."accountId", 'generation.closed', NEW."id",
    jsonb_build_object('generationId', NEW."id", 'kind', lower(NEW."kind"::text), 'status', lower(NEW."state"::text), 'code', NEW."code"),
    NEW."updatedAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Generation_told" AFTER UPDATE OF "state" ON "Generation" FOR EACH ROW
  WHEN (OLD."state" IN ('STARTING', 'SUBMITTED') AND NEW."state" IN ('COMPLETED', 'FAILED'))
  EXECUTE FUNCTION tell_of_closing();
