import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { consumeReadSql, quotaExceeded, READ_LIMIT_SQL, readPeriod } from './read-quota.ts';
import { type SpaceTemplate, TEMPLATES } from './templates.ts';

const LIST_SPACES = `
WITH account AS (
  SELECT a.id AS "accountId", a."usedCu", a."capacityCu", ${READ_LIMIT_SQL} AS "readLimit" FROM "Account" a WHERE a.id = $1
), ${consumeReadSql('account', '$2', '$3')}
SELECT account."usedCu", account."capacityCu", s.id, s.name, s.template::text AS template, s.memories, s.cu
FROM account CROSS JOIN consumed
LEFT JOIN "Space" s ON s."accountId" = account."accountId" AND s."archivedAt" IS NULL
ORDER BY s."createdAt", s.id`;

type Row = {
  usedCu: number;
  capacityCu: number;
  id: string | null;
  name: string;
  template: SpaceTemplate;
  memories: number;
  cu: number;
};

/**
 * Every Space of the account, oldest first, with the account's capacity; consumes one read.
 * Errors: `quota_exceeded`.
 */
export async function listSpaces(ctx: Context<AccountActor>) {
  const now = ctx.clock.now();
  const rows = await ctx.sql.rows<Row>('list-spaces', LIST_SPACES, [ctx.actor.accountId, ...readPeriod(now)]);
  const [first] = rows;
  if (!first) throw quotaExceeded(now);
  return {
    object: 'list' as const,
    data: rows.flatMap((row) =>
      row.id === null
        ? []
        : [
            {
              object: 'space' as const,
              id: row.id,
              name: row.name,
              template: row.template,
              templateLabel: TEMPLATES[row.template].label,
              memories: row.memories,
              cu: row.cu,
            },
          ],
    ),
    capacity: { usedCu: first.usedCu, capacityCu: first.capacityCu },
  };
}
