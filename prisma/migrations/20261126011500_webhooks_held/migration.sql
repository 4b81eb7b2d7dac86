-- An endpoint is told of what it can still be told: its row is held until the transaction ends. Without that, what is written while its endpoint is
-- deleted waited for the deletion, then failed by the foreign key. One that is gone by then is left out; who delivers or changes one waits for nobody.
CREATE OR REPLACE FUNCTION tell_webhooks(account text, event text, subject text, detail jsonb, happened timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public."WebhookDelivery" ("id", "accountId", "endpointId", "type", "subjectId", "data", "at", "dueAt", "endsAt")
  SELECT 'evt_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), account, e."id", event, subject, detail,
    happened, happened, happened + interval '24 hours'
  FROM public."WebhookEndpoint" e JOIN public."Member" m ON m."id" = e."createdById" AND m."status" = 'ACTIVE'
  WHERE e."accountId" = account AND e."disabledAt" IS NULL AND event = ANY(e."events")
  FOR KEY SHARE OF e;
END $$;

CREATE OR REPLACE FUNCTION tell_webhooks(account text, event text, subject text, detail jsonb, happened timestamptz, space text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public."WebhookDelivery" ("id", "accountId", "endpointId", "type", "subjectId", "data", "at", "dueAt", "endsAt")
  SELECT 'evt_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), account, e."id", event, subject, detail,
    happened, happened, happened + interval '24 hours'
  FROM public."WebhookEndpoint" e JOIN public."Member" m ON m."id" = e."createdById" AND m."status" = 'ACTIVE'
  WHERE e."accountId" = account AND e."disabledAt" IS NULL AND event = ANY(e."events")
    AND (m."role" = 'FOUNDER' OR m."spaceRights" IS NULL OR jsonb_exists(m."spaceRights", space))
  FOR KEY SHARE OF e;
END $$;
