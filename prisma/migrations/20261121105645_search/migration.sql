-- CreateTable
CREATE TABLE "SearchBlock" (
    "id" SERIAL NOT NULL,
    "accountId" TEXT NOT NULL,
    "spaceId" TEXT NOT NULL,
    "role" "PillarRole" NOT NULL,

    CONSTRAINT "SearchBlock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MemorySearch" (
    "memoryId" TEXT NOT NULL,
    "blockId" INTEGER NOT NULL,
    "keys" BIGINT[],
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MemorySearch_pkey" PRIMARY KEY ("memoryId")
);

-- CreateTable
CREATE TABLE "SearchWord" (
    "id" BIGSERIAL NOT NULL,
    "accountId" TEXT NOT NULL,
    "word" TEXT NOT NULL,
    "hash" BIGINT NOT NULL,
    "grams" BIGINT[],

    CONSTRAINT "SearchWord_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "SearchBlock_accountId_spaceId_role_id_idx" ON "SearchBlock"("accountId", "spaceId", "role", "id");

-- CreateIndex
CREATE INDEX "MemorySearch_keys_idx" ON "MemorySearch" USING GIN ("keys");

-- CreateIndex
CREATE INDEX "SearchWord_hash_idx" ON "SearchWord"("hash");

-- CreateIndex
CREATE INDEX "SearchWord_grams_idx" ON "SearchWord" USING GIN ("grams");


-- By hand from here. The hashes say nothing to the planner, cannot be compressed, and are read by every search: no waiting list.
ALTER INDEX "MemorySearch_keys_idx" SET (fastupdate = off);
ALTER INDEX "SearchWord_grams_idx" SET (fastupdate = off);
ALTER TABLE "MemorySearch" ALTER COLUMN "keys" SET STORAGE EXTERNAL, ALTER COLUMN "keys" SET STATISTICS 0;
ALTER TABLE "SearchWord" ALTER COLUMN "grams" SET STATISTICS 0;

-- The words of a text, folded as lib/brain/search/fold.ts folds them (a property test compares the two), one space between.
CREATE FUNCTION search_fold(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(
    replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, NFKD),
        '[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\u00ad\u200c\u200d\u2060\ufeff]+',
        '', 'g') COLLATE "und-x-icu"),
      'øđðłħıς', 'oddlhiσ'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'), 'þ', 'th') COLLATE "und-x-icu",
    '([^[:alnum:]]|[\u02b0-\u02ff\ua78b\ua78c])+', ' ', 'g'))
$$;

-- A hash in the low half, what it is salted with in the high half: what is written together lies together in the index.
CREATE FUNCTION search_hash(value text, scope bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT (scope << 32) | (hashtext(value)::bigint & 4294967295) $$;

-- The longest stored beginning of a word.
CREATE FUNCTION search_beginning(word text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT left(word, CASE WHEN length(word) >= 9 THEN 9 WHEN length(word) >= 6 THEN 6 ELSE 4 END)
$$;

-- The pieces of one, two and three characters that begin after the first character of a word.
CREATE FUNCTION search_grams(word text, scope bigint) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(DISTINCT search_hash(substr(word, start, size), scope))
  FROM generate_series(1, 3) AS size, generate_series(2, length(word) - size + 1) AS start
$$;

-- Makes one live Memory findable, under its present words.
CREATE FUNCTION search_put(memory "Memory") RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  block integer;
  title_words text[] := string_to_array(search_fold(memory.title), ' ');
  words text[];
  scope bigint := hashtext(memory."accountId");
BEGIN
  SELECT b.id INTO block FROM "MemorySearch" s JOIN "SearchBlock" b ON b.id = s."blockId"
  WHERE s."memoryId" = memory.id AND b."spaceId" = memory."spaceId" AND b.role = memory.role;
  IF block IS NULL THEN
    SELECT id INTO block FROM "SearchBlock"
    WHERE "accountId" = memory."accountId" AND "spaceId" = memory."spaceId" AND role = memory.role
    ORDER BY id DESC LIMIT 1;
    -- One identifier in 512 opens a block: no counter, so no row that writers wait for.
    IF block IS NULL OR hashtext(memory.id) & 511 = 0 THEN
      INSERT INTO "SearchBlock" ("accountId", "spaceId", role)
      VALUES (memory."accountId", memory."spaceId", memory.role) RETURNING id INTO block;
    END IF;
  END IF;
  SELECT array_agg(DISTINCT word) INTO words
  FROM unnest(title_words || string_to_array(search_fold(memory.body), ' ')) AS word WHERE word <> '';

  INSERT INTO "MemorySearch" ("memoryId", "blockId", keys, "updatedAt")
  SELECT memory.id, block, COALESCE(array_agg(DISTINCT search_hash(kind || left(word, size), block)), '{}'), memory."updatedAt"
  FROM (
    SELECT 'a' AS kind, word FROM unnest(words) AS word
    UNION ALL SELECT 't', word FROM unnest(title_words) AS word WHERE word <> ''
  ) AS found, unnest(ARRAY[1, 2, 3, 4, 6, 9]) AS size
  WHERE size <= length(word)
  ON CONFLICT ("memoryId") DO UPDATE
  SET "blockId" = EXCLUDED."blockId", keys = EXCLUDED.keys, "updatedAt" = EXCLUDED."updatedAt";

  -- Two writers of one new word may both add it: harmless, and nobody waits.
  INSERT INTO "SearchWord" ("accountId", word, hash, grams)
  SELECT memory."accountId", fresh.word, hashtextextended(fresh.word, scope), search_grams(fresh.word, scope)
  FROM unnest(words) AS fresh (word)
  WHERE length(fresh.word) BETWEEN 2 AND 512
    AND NOT EXISTS (SELECT 1 FROM "SearchWord" known WHERE known.hash = hashtextextended(fresh.word, scope));
END
$$;

CREATE FUNCTION memory_search_sync() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "MemorySearch" WHERE "memoryId" = OLD.id;
  ELSIF NEW."deletedAt" IS NOT NULL THEN
    DELETE FROM "MemorySearch" WHERE "memoryId" = NEW.id;
  ELSIF TG_OP = 'UPDATE' AND OLD."deletedAt" IS NULL
    AND (OLD.title, OLD.body, OLD."accountId", OLD."spaceId", OLD.role) = (NEW.title, NEW.body, NEW."accountId", NEW."spaceId", NEW.role)
  THEN
    IF NEW."updatedAt" <> OLD."updatedAt" THEN
      UPDATE "MemorySearch" SET "updatedAt" = NEW."updatedAt" WHERE "memoryId" = NEW.id;
    END IF;
  ELSE
    PERFORM search_put(NEW);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "Memory_search" AFTER INSERT OR DELETE OR UPDATE OF title, body, "accountId", "spaceId", role, "deletedAt", "updatedAt"
ON "Memory" FOR EACH ROW EXECUTE FUNCTION memory_search_sync();

SELECT search_put(m) FROM "Memory" m WHERE m."deletedAt" IS NULL;

-- Memories that may answer these words, with a rough worth for each word (0 for all of them together, -1 for all in the title).
-- For each list at most `each` Memories, latest first; a list that ends sooner is complete. `stems[i]` begins `words[i]`.
CREATE FUNCTION search_candidates(account text, space text, pillar "PillarRole", words text[], stems text[], each integer)
RETURNS TABLE (memory_id text, word integer, worth integer, changed timestamptz)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  stages text[];
  stage text;
  blocks integer[];
  list record;
  present text[] := '{}';
  begins text[];
  room integer;
  got integer;
  found integer;
  infix boolean;
BEGIN
  -- The latest block of each pillar, then the next seven, then the rest: few Memories are read for a word that many hold.
  SELECT array_agg(ids::text ORDER BY stage_number) INTO stages FROM (
    SELECT stage_number, array_agg(id) AS ids FROM (
      SELECT id, CASE WHEN age = 1 THEN 1 WHEN age <= 8 THEN 2 ELSE 3 END AS stage_number FROM (
        SELECT b.id, row_number() OVER (PARTITION BY b."spaceId", b.role ORDER BY b.id DESC) AS age
        FROM "SearchBlock" b JOIN "Space" s ON s.id = b."spaceId" AND s."accountId" = b."accountId"
        WHERE b."accountId" = account AND s."archivedAt" IS NULL
          AND (space IS NULL OR b."spaceId" = space) AND (pillar IS NULL OR b.role = pillar)
      ) AS aged
    ) AS staged GROUP BY stage_number
  ) AS grouped;
  IF stages IS NULL THEN RETURN; END IF;

  FOR nth IN 1 .. cardinality(words) LOOP
    begins := ARRAY[search_beginning(stems[nth])];
    infix := false;
    LOOP
      found := 0;
      FOR list IN SELECT * FROM (VALUES ('t', 10), ('a', 3)) AS kinds (kind, points) LOOP
        room := each;
        FOREACH stage IN ARRAY stages LOOP
          blocks := stage::integer[];
          RETURN QUERY
            SELECT s."memoryId", nth, CASE WHEN infix THEN list.points / 2 ELSE list.points END, s."updatedAt"
            FROM "MemorySearch" s
            WHERE s.keys && ARRAY(SELECT search_hash(list.kind || b, k) FROM unnest(begins) AS b, unnest(blocks) AS k)
            ORDER BY s."updatedAt" DESC, s."memoryId" LIMIT room;
          GET DIAGNOSTICS got = ROW_COUNT;
          found := found + got;
          room := room - got;
          EXIT WHEN room <= 0;
        END LOOP;
      END LOOP;
      EXIT WHEN infix;
      IF found > 0 THEN present := present || begins[1]; END IF;
      -- Nothing begins so, or it is not sure that anything does: the words that hold it inside.
      EXIT WHEN found > 0 AND (room <= 0 OR (stems[nth] = words[nth] AND begins[1] = words[nth]));
      SELECT array_agg(DISTINCT search_beginning(w.word)) INTO begins FROM (
        SELECT DISTINCT known.word, length(known.word) FROM "SearchWord" known
        WHERE known."accountId" = account AND position(words[nth] IN known.word) > 1
          AND known.grams @> (
            SELECT array_agg(search_hash(substr(words[nth], start, least(3, length(words[nth]))), hashtext(account)))
            FROM generate_series(1, greatest(1, length(words[nth]) - 2)) AS start
          )
        ORDER BY length(known.word), known.word LIMIT 16
      ) AS w;
      EXIT WHEN begins IS NULL;
      infix := true;
    END LOOP;
  END LOOP;

  IF cardinality(present) < 2 THEN RETURN; END IF;
  -- The longest beginnings are the rarest: four of them are enough to name the Memories that hold every word.
  SELECT array_agg(b ORDER BY length(b) DESC, b) INTO begins FROM (SELECT DISTINCT unnest(present) AS b) AS d;
  FOR list IN SELECT * FROM (VALUES ('t', 20, -1), ('a', 6, 0)) AS kinds (kind, points, number) LOOP
    room := each;
    FOREACH stage IN ARRAY stages LOOP
      blocks := stage::integer[];
      IF cardinality(begins) = 2 THEN
        RETURN QUERY
          SELECT s."memoryId", list.number, list.points, s."updatedAt" FROM "MemorySearch" s
          WHERE s.keys && ARRAY(SELECT search_hash(list.kind || begins[1], k) FROM unnest(blocks) AS k)
            AND s.keys && ARRAY(SELECT search_hash(list.kind || begins[2], k) FROM unnest(blocks) AS k)
          ORDER BY s."updatedAt" DESC, s."memoryId" LIMIT room;
      ELSE
        RETURN QUERY
          SELECT s."memoryId", list.number, list.points, s."updatedAt" FROM "MemorySearch" s
          WHERE s.keys && ARRAY(SELECT search_hash(list.kind || begins[1], k) FROM unnest(blocks) AS k)
            AND s.keys && ARRAY(SELECT search_hash(list.kind || begins[2], k) FROM unnest(blocks) AS k)
            AND s.keys && ARRAY(SELECT search_hash(list.kind || begins[3], k) FROM unnest(blocks) AS k)
            AND s.keys && ARRAY(SELECT search_hash(list.kind || COALESCE(begins[4], begins[3]), k) FROM unnest(blocks) AS k)
          ORDER BY s."updatedAt" DESC, s."memoryId" LIMIT room;
      END IF;
      GET DIAGNOSTICS got = ROW_COUNT;
      room := room - got;
      EXIT WHEN room <= 0;
    END LOOP;
  END LOOP;
END
$$;
