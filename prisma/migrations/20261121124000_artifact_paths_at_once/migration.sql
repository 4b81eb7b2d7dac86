-- Entries that wait in a pending list are read one by one at each lookup: this index is written at once instead.
DROP INDEX "Generation_artifact_paths";
CREATE INDEX "Generation_artifact_paths" ON "Generation" USING GIN ("artifacts" jsonb_path_ops) WITH (fastupdate = off)
  WHERE "artifacts" <> '[]'::jsonb;
