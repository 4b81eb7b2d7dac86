-- What an endpoint is told, its creator could read: the journal of the Studio and what it costs are for who may generate.
CREATE FUNCTION may_be_told(event text, member_role text, member_permissions text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT member_role = 'FOUNDER' OR event NOT IN ('generation.closed', 'credit.reached') OR 'generate' = ANY(member_permissions)
$$;

CREATE OR REPLACE FUNCTION tell_webhooks(account text, event text, subject text, detail jsonb, happened timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public."WebhookDelivery" ("id", "accountId", "endpointId", "type", "subjectId", "data", "at", "dueAt", "endsAt")
  SELECT 'evt_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), account, e."id", event, subject, detail,
    happened, happened, happened + interval '24 hours'
  FROM public."WebhookEndpoint" e JOIN public."Member" m ON m."id" = e."createdById" AND m."status" = 'ACTIVE'
  WHERE e."accountId" = account AND e."disabledAt" IS NULL AND event = ANY(e."events")
    AND public.may_be_told(event, m."role"::text, m."permissions")
  FOR KEY SHARE OF e;
END $$;

-- What was told before is forgotten, as it is when the right is taken back.
DELETE FROM "WebhookDelivery" d USING "WebhookEndpoint" e, "Member" m
WHERE e."id" = d."endpointId" AND m."id" = e."createdById" AND NOT may_be_told(d."type", m."role"::text, m."permissions");
