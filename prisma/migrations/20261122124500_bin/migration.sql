-- By hand: the bin of an account, and what a night erases. Few Memories are deleted, and only they are in it.
CREATE INDEX "Memory_bin" ON "Memory" ("accountId", "deletedAt") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "Memory_expired" ON "Memory" ("deletedAt") WHERE "deletedAt" IS NOT NULL;
