-- Where a kept face was used: rows by the pathname that one of their references has.
CREATE INDEX "Generation_reference_paths" ON "Generation" USING GIN ("references" jsonb_path_ops) WHERE "references" <> '{}'::jsonb;
