-- Memories that are in no segment yet, by account and in their order: few are, and what each search and each night asks for are those.
CREATE INDEX CONCURRENTLY "SearchDocument_waiting_idx" ON "SearchDocument" ("accountId", "stamp") WHERE "segmentId" IS NULL;
