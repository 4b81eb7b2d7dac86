-- The history of an account's Memories, by the account: what its export counts and reads, and what its erasure takes away.
CREATE INDEX CONCURRENTLY "MemoryRevision_accountId_id_idx" ON "MemoryRevision" ("accountId", "id");
