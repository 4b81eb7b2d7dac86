-- What was given up for an endpoint: few events are, and their count, their list and what is sent again ask for those.
CREATE INDEX CONCURRENTLY "WebhookDelivery_failed_idx" ON "WebhookDelivery" ("endpointId", "position") WHERE "state" = 'FAILED';
