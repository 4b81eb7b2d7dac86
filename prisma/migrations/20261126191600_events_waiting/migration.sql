-- What waits for an endpoint, in its order: a claim of a few events reads those, however many wait behind them or were delivered before.
CREATE INDEX CONCURRENTLY "WebhookDelivery_waiting_idx" ON "WebhookDelivery" ("endpointId", "position") WHERE "state" = 'PENDING';
