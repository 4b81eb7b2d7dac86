import { consumeReadSql, READ_LIMIT_SQL } from '../quota/read-quota.ts';

/** Memories read for each list (a word in titles, a word anywhere, all the words); 60 for a word beside others. */
const EACH = 100;
/** Memories that are scored, at most; twice the largest `limit`. */
const MOST = 100;
/** Those after the first 50 are left out once the bodies make this many bytes. */
const MOST_BYTES = 2_000_000;

// $1 account, $4 Space or null, $5 pillar or null, $6 words, $7 their stems.
const RANKED_CANDIDATES = `
SELECT memory_id, row_number() OVER (ORDER BY sum(worth) DESC, max(changed) DESC, memory_id) AS place
FROM (
  SELECT memory_id, word, max(worth) AS worth, max(changed) AS changed
  FROM search_candidates($1, $4, $5::"PillarRole", $6::text[], $7::text[], ${EACH})
  GROUP BY memory_id, word
) AS hits
GROUP BY memory_id`;

/**
 * One search in one round trip: consumes the read ($2 month, $3 day) unless $8 is false or the Space is not there, and reads the
 * candidates. Always one row at least: whether the Space exists, whether the read was granted.
 */
export const SEARCH_MEMORIES = `
WITH account AS (
  SELECT a.id AS "accountId", ${READ_LIMIT_SQL} AS "readLimit" FROM "Account" a
  WHERE a.id = $1 AND $8::boolean
    AND ($4::text IS NULL OR EXISTS (SELECT 1 FROM "Space" WHERE id = $4 AND "accountId" = $1 AND "archivedAt" IS NULL))
), ${consumeReadSql('account', '$2', '$3')},
granted AS (SELECT 1 WHERE NOT $8::boolean OR EXISTS (SELECT 1 FROM consumed)),
best AS MATERIALIZED (
  SELECT * FROM (${RANKED_CANDIDATES}) AS ranked WHERE place <= ${MOST} AND EXISTS (SELECT 1 FROM granted)
), sized AS (
  SELECT m.id, m."spaceId", s.name AS "spaceName", s.template::text AS template, m.role::text AS role, m.title, m.body,
    m.source::text AS source, m."updatedAt", best.place,
    sum(octet_length(m.body)) OVER (ORDER BY best.place) AS bytes
  FROM best JOIN "Memory" m ON m.id = best.memory_id JOIN "Space" s ON s.id = m."spaceId"
  WHERE m."accountId" = $1 AND m."deletedAt" IS NULL
)
SELECT EXISTS (SELECT 1 FROM granted) AS granted,
  ($4::text IS NULL OR EXISTS (SELECT 1 FROM "Space" WHERE id = $4 AND "accountId" = $1 AND "archivedAt" IS NULL)) AS "spaceExists",
  sized.id, sized."spaceId", sized."spaceName", sized.template, sized.role, sized.title, sized.body, sized.source, sized."updatedAt"
FROM (SELECT 1) AS one LEFT JOIN sized ON sized.place <= 50 OR sized.bytes <= ${MOST_BYTES}`;

/** The candidate query alone, for the bench: $1 account, $2 Space, $3 pillar, $4 words, $5 stems. */
export const BARE_CANDIDATES = `SELECT memory_id FROM search_candidates($1, $2, $3::"PillarRole", $4::text[], $5::text[], ${EACH})`;
