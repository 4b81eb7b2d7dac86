-- AlterTable
ALTER TABLE "DeveloperKey" ADD COLUMN     "spaceRights" JSONB;

-- AlterTable
ALTER TABLE "Member" ADD COLUMN     "spaceRights" JSONB;

-- AlterTable
ALTER TABLE "OAuthGrant" ADD COLUMN     "spaceRights" JSONB;

-- Identifiers of Spaces, each with `read` or `write`; null is all of them, and nothing else is.
ALTER TABLE "DeveloperKey" ADD CONSTRAINT "DeveloperKey_spaceRights" CHECK (jsonb_typeof("spaceRights") = 'object') NOT VALID;
ALTER TABLE "Member" ADD CONSTRAINT "Member_spaceRights" CHECK (jsonb_typeof("spaceRights") = 'object') NOT VALID;
ALTER TABLE "OAuthGrant" ADD CONSTRAINT "OAuthGrant_spaceRights" CHECK (jsonb_typeof("spaceRights") = 'object') NOT VALID;

-- An endpoint is told of the Spaces that its creator was given, and of no other.
CREATE FUNCTION tell_webhooks(account text, event text, subject text, detail jsonb, happened timestamptz, space text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public."WebhookDelivery" ("id", "accountId", "endpointId", "type", "subjectId", "data", "at", "dueAt", "endsAt")
  SELECT 'evt_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), account, e."id", event, subject, detail,
    happened, happened, happened + interval '24 hours'
  FROM public."WebhookEndpoint" e JOIN public."Member" m ON m."id" = e."createdById" AND m."status" = 'ACTIVE'
  WHERE e."accountId" = account AND e."disabledAt" IS NULL AND event = ANY(e."events")
    AND (m."role" = 'FOUNDER' OR m."spaceRights" IS NULL OR jsonb_exists(m."spaceRights", space));
END $$;

CREATE OR REPLACE FUNCTION tell_of_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  space text := (SELECT m."spaceId" FROM public."Memory" m WHERE m."id" = NEW."memoryId");
BEGIN
  PERFORM public.tell_webhooks(NEW."accountId",
    CASE NEW."change" WHEN 'CREATED' THEN 'memory.added' WHEN 'DELETED' THEN 'memory.deleted' ELSE 'memory.changed' END,
    NEW."memoryId",
    jsonb_build_object('memoryId', NEW."memoryId", 'spaceId', space,
      'pillar', NEW."role", 'version', NEW."version", 'change', lower(NEW."change"::text)),
    NEW."createdAt", space);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_of_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.tell_webhooks(NEW."accountId", 'memory.proposed', NEW."subjectId",
    jsonb_build_object('proposalId', NEW."subjectId", 'spaceId', NEW."data" ->> 'spaceId'), NEW."at", NEW."data" ->> 'spaceId');
  RETURN NULL;
END $$;
