-- What members of an account sent and is still there, newest first.
CREATE INDEX CONCURRENTLY "Upload_listed" ON "Upload" ("accountId", "createdAt" DESC, "id" DESC)
  WHERE "deletedAt" IS NULL AND "expiringAt" IS NULL;
