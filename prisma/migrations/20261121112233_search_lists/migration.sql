-- Search reads less: one list for a rare word (it is complete, so it also holds the titles and the Memories with every word), and
-- steps over the blocks that follow what the first ones gave.

-- The latest Memories, at most `each`, under one of the beginnings (or `together`, under all of them), from the blocks in their order.
-- Fewer than `each`: there are no others.
CREATE FUNCTION search_list(blocks integer[], first integer, kind text, beginnings text[], together boolean, each integer)
RETURNS TABLE (memory_id text, changed timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  start integer := 1;
  size integer := first;
  found integer := 0;
  got integer;
  batch integer[];
BEGIN
  WHILE start <= cardinality(blocks) AND found < each LOOP
    batch := blocks[start:start + size - 1];
    IF NOT together THEN
      RETURN QUERY
        SELECT s."memoryId", s."updatedAt" FROM "MemorySearch" s
        WHERE s.keys && ARRAY(SELECT search_hash(kind || b, k) FROM unnest(beginnings) AS b, unnest(batch) AS k)
        ORDER BY s."updatedAt" DESC, s."memoryId" LIMIT each - found;
    ELSE
      -- Block by block: an intersection over many keys at once compares every Memory with every key.
      RETURN QUERY
        SELECT s."memoryId", s."updatedAt" FROM unnest(batch) AS k, LATERAL (
          SELECT m."memoryId", m."updatedAt" FROM "MemorySearch" m
          WHERE m.keys @> ARRAY(SELECT search_hash(kind || b, k) FROM unnest(beginnings) AS b)
          OFFSET 0
        ) AS s
        ORDER BY s."updatedAt" DESC, s."memoryId" LIMIT each - found;
    END IF;
    GET DIAGNOSTICS got = ROW_COUNT;
    found := found + got;
    start := start + size;
    -- As many blocks as should fill the list at the rate so far, half as many again to be sure.
    size := CASE
      WHEN found = 0 THEN cardinality(blocks)
      ELSE least(cardinality(blocks), greatest(1, ceil(1.5 * (each - found) * (start - 1) / found)::integer))
    END;
  END LOOP;
END
$$;

-- Memories that may answer these words, with a rough worth for each word (0 for all of them together, -1 for all in the title).
-- For each list at most `each` Memories. `stems[i]` begins `words[i]`.
CREATE OR REPLACE FUNCTION search_candidates(account text, space text, pillar "PillarRole", words text[], stems text[], each integer)
RETURNS TABLE (memory_id text, word integer, worth integer, changed timestamptz)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  blocks integer[];
  first integer;
  begins text[];
  common text[] := '{}';
  rare boolean := false;
  rare_in_title boolean := false;
  found integer;
  step integer;
  ids text[];
  dates timestamptz[];
  -- Beside other words a word needs fewer Memories of its own: those that hold them all are listed too.
  own integer := CASE WHEN cardinality(words) > 1 THEN least(each, 60) ELSE each END;
BEGIN
  -- The latest block of each pillar comes first, then the second latest of each, and so on.
  SELECT array_agg(id ORDER BY age, id DESC), count(*) FILTER (WHERE age = 1) INTO blocks, first
  FROM (
    SELECT b.id, row_number() OVER (PARTITION BY b."spaceId", b.role ORDER BY b.id DESC) AS age
    FROM "SearchBlock" b JOIN "Space" s ON s.id = b."spaceId" AND s."accountId" = b."accountId"
    WHERE b."accountId" = account AND s."archivedAt" IS NULL
      AND (space IS NULL OR b."spaceId" = space) AND (pillar IS NULL OR b.role = pillar)
  ) AS aged;
  IF blocks IS NULL THEN RETURN; END IF;
  step := CASE WHEN cardinality(words) > 1 THEN greatest(least(first, 5), first / 2) ELSE first END;

  FOR nth IN 1 .. cardinality(words) LOOP
    begins := ARRAY[search_beginning(stems[nth])];
    SELECT array_agg(l.memory_id), array_agg(l.changed) INTO ids, dates FROM search_list(blocks, step, 'a', begins, false, own) AS l;
    found := COALESCE(cardinality(ids), 0);
    -- A rare word counts for more than a title.
    RETURN QUERY SELECT unnest(ids), nth, CASE WHEN found < own THEN 12 ELSE 3 END, unnest(dates);
    IF found = own THEN
      common := common || begins;
      RETURN QUERY SELECT l.memory_id, nth, 10, l.changed FROM search_list(blocks, step, 't', begins, false, own) AS l;
      GET DIAGNOSTICS found = ROW_COUNT;
      rare_in_title := rare_in_title OR found < own;
      CONTINUE;
    END IF;
    rare := rare OR found > 0;
    -- Nothing begins so, or it is not sure that anything does: the words that hold it inside.
    CONTINUE WHEN found > 0 AND begins[1] = words[nth];
    SELECT array_agg(DISTINCT search_beginning(w.word)) INTO begins FROM (
      SELECT DISTINCT near.word, length(near.word) FROM (
        SELECT known.word FROM "SearchWord" known
        WHERE known."accountId" = account AND position(words[nth] IN known.word) > 1
          AND known.grams @> (
            SELECT array_agg(search_hash(substr(words[nth], start, least(3, length(words[nth]))), hashtext(account)))
            FROM generate_series(1, greatest(1, length(words[nth]) - 2)) AS start
          )
        LIMIT 500
      ) AS near
      ORDER BY length(near.word), near.word LIMIT 8
    ) AS w;
    IF begins IS NOT NULL THEN
      RETURN QUERY SELECT l.memory_id, nth, 2, l.changed FROM search_list(blocks, step, 'a', begins, false, own) AS l;
    END IF;
  END LOOP;

  -- A list that is not full already holds every Memory that has this word and all the others.
  SELECT array_agg(DISTINCT b) INTO begins FROM unnest(common) AS b;
  IF rare OR begins IS NULL OR cardinality(begins) < 2 THEN RETURN; END IF;
  IF NOT rare_in_title THEN
    RETURN QUERY SELECT l.memory_id, -1, 20, l.changed FROM search_list(blocks, first, 't', begins, true, each) AS l;
  END IF;
  RETURN QUERY SELECT l.memory_id, 0, 6, l.changed FROM search_list(blocks, first, 'a', begins, true, each) AS l;
END
$$;
