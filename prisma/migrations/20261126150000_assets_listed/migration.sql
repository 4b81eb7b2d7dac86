-- The files of an account that can be listed: rows stay when their bytes are deleted, and few of an old account's are left.
CREATE INDEX CONCURRENTLY "Asset_listed" ON "Asset" ("accountId", "state", "createdAt" DESC, "id" DESC)
  WHERE "deletedAt" IS NULL AND "expiringAt" IS NULL AND NOT "imported";
