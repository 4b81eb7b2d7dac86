-- Search is segments of postings, written by the service and never changed (lib/brain/search/README.md). What a Memory's former triggers wrote goes first.
DROP TRIGGER "Memory_search" ON "Memory";
DROP FUNCTION memory_search_sync();
DROP FUNCTION search_put("Memory");
DROP FUNCTION search_candidates(text, text, "PillarRole", text[], text[], integer);
DROP FUNCTION search_list(integer[], integer, text, text[], boolean, integer);
DROP FUNCTION search_grams(text, bigint);
DROP FUNCTION search_beginning(text);
DROP FUNCTION search_hash(text, bigint);
DROP FUNCTION search_fold(text);

-- DropTable
DROP TABLE "MemorySearch";

-- DropTable
DROP TABLE "SearchBlock";

-- DropTable
DROP TABLE "SearchWord";

-- CreateTable
CREATE TABLE "SearchDocument" (
    "memoryId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "stamp" BIGSERIAL NOT NULL,
    "segmentId" INTEGER,
    "number" INTEGER,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "SearchDocument_pkey" PRIMARY KEY ("memoryId")
);

-- CreateTable
CREATE TABLE "SearchSegment" (
    "id" SERIAL NOT NULL,
    "accountId" TEXT NOT NULL,
    "memories" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "header" BYTEA NOT NULL,
    "dictionary" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SearchSegment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SearchPage" (
    "segmentId" INTEGER NOT NULL,
    "page" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "SearchPage_pkey" PRIMARY KEY ("segmentId","page")
);

-- CreateTable
CREATE TABLE "SearchDead" (
    "accountId" TEXT NOT NULL,
    "segmentId" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,

    CONSTRAINT "SearchDead_pkey" PRIMARY KEY ("accountId","segmentId","number")
);

-- CreateIndex
CREATE INDEX "SearchDocument_accountId_segmentId_idx" ON "SearchDocument"("accountId", "segmentId");

-- CreateIndex
CREATE INDEX "SearchSegment_accountId_idx" ON "SearchSegment"("accountId");

-- AddForeignKey
ALTER TABLE "SearchPage" ADD CONSTRAINT "SearchPage_segmentId_fkey" FOREIGN KEY ("segmentId") REFERENCES "SearchSegment"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- By hand from here. Postings are dense already, and read whole: neither compressed nor cut in statistics.
ALTER TABLE "SearchSegment" ALTER COLUMN "header" SET STORAGE EXTERNAL, ALTER COLUMN "dictionary" SET STORAGE EXTERNAL;
ALTER TABLE "SearchPage" ALTER COLUMN "data" SET STORAGE EXTERNAL;

-- One row a Memory and one statement a write, whatever the length of the text: its words are read later, outside of the writer's transaction.
CREATE FUNCTION memory_search_added() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "SearchDocument" ("memoryId", "accountId", bytes)
  SELECT id, "accountId", octet_length(title) + octet_length(body) FROM added WHERE "deletedAt" IS NULL;
  RETURN NULL;
END
$$;

CREATE FUNCTION memory_search_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT n.id, n."accountId", n."deletedAt" IS NULL AS live, octet_length(n.title) + octet_length(n.body) AS bytes
    FROM after_change n JOIN before_change o ON o.id = n.id
    WHERE (n.title, n.body, n."accountId", n."spaceId", n.role, n."updatedAt", n."deletedAt" IS NULL)
      IS DISTINCT FROM (o.title, o.body, o."accountId", o."spaceId", o.role, o."updatedAt", o."deletedAt" IS NULL)
  ), held AS MATERIALIZED (
    SELECT d."memoryId", d."accountId", d."segmentId", d.number FROM "SearchDocument" d
    WHERE d."memoryId" = ANY (ARRAY(SELECT id FROM changed)) ORDER BY d."memoryId" FOR UPDATE
  ), dead AS (
    INSERT INTO "SearchDead" ("accountId", "segmentId", number)
    SELECT "accountId", "segmentId", number FROM held WHERE "segmentId" IS NOT NULL
  ), gone AS (
    DELETE FROM "SearchDocument" d USING held h, changed c WHERE d."memoryId" = h."memoryId" AND c.id = h."memoryId" AND NOT c.live
  )
  INSERT INTO "SearchDocument" AS d ("memoryId", "accountId", bytes)
  SELECT c.id, c."accountId", c.bytes FROM changed c WHERE c.live AND (SELECT count(*) FROM held) >= 0
  ON CONFLICT ("memoryId") DO UPDATE SET "accountId" = EXCLUDED."accountId", stamp = EXCLUDED.stamp, "segmentId" = NULL, number = NULL,
    bytes = EXCLUDED.bytes;
  RETURN NULL;
END
$$;

CREATE FUNCTION memory_search_removed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  WITH gone AS (
    DELETE FROM "SearchDocument" d USING removed r WHERE d."memoryId" = r.id RETURNING d."accountId", d."segmentId", d.number
  )
  INSERT INTO "SearchDead" ("accountId", "segmentId", number)
  SELECT "accountId", "segmentId", number FROM gone WHERE "segmentId" IS NOT NULL;
  RETURN NULL;
END
$$;

CREATE TRIGGER "Memory_search_added" AFTER INSERT ON "Memory"
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION memory_search_added();
CREATE TRIGGER "Memory_search_changed" AFTER UPDATE ON "Memory"
REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change FOR EACH STATEMENT EXECUTE FUNCTION memory_search_changed();
CREATE TRIGGER "Memory_search_removed" AFTER DELETE ON "Memory"
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION memory_search_removed();

-- What was there before is found at once, from its texts, and put in segments by the searches and the writes that follow.
INSERT INTO "SearchDocument" ("memoryId", "accountId", bytes)
SELECT id, "accountId", octet_length(title) + octet_length(body) FROM "Memory" WHERE "deletedAt" IS NULL ORDER BY id;
