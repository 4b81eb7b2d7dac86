import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type AccountRead, type AccountReadSql, runAccountRead } from '#lib/db/account-read.ts';
import { consumeReadSql, quotaExceeded, READ_LIMIT_SQL, readPeriod } from '../quota/read-quota.ts';
import { type SpaceTemplate, TEMPLATES } from '../templates.ts';

const listSpacesSql = (account: string, first: number): AccountReadSql => ({
  ctes: `account AS (
  SELECT a.id AS "accountId", a."usedCu", a."capacityCu", ${READ_LIMIT_SQL} AS "readLimit" FROM "Account" a WHERE a.id = ${account}
), ${consumeReadSql('account', `$${first}`, `$${first + 1}`)}`,
  columns:
    'account."usedCu", account."capacityCu", s.id, s.name, s.template::text AS template, s.memories, s.cu',
  from: `account CROSS JOIN consumed LEFT JOIN "Space" s ON s."accountId" = account."accountId" AND s."archivedAt" IS NULL`,
  present: 'account."accountId" IS NOT NULL',
  orderBy: 's."createdAt", s.id',
});

type Row = {
  usedCu: number;
  capacityCu: number;
  id: string | null;
  name: string;
  template: SpaceTemplate;
  memories: number;
  cu: number;
};

/** The read of every Space of an account, oldest first, with its capacity; consumes one read. Errors: `quota_exceeded`. */
export function spacesRead(now: Date): AccountRead<ReturnType<typeof viewList>> {
  return {
    name: 'list-spaces',
    sql: listSpacesSql,
    params: readPeriod(now),
    finish: (rows) => viewList(rows as Row[], now),
  };
}

/** `spacesRead`, for the actor's account. */
export function listSpaces(ctx: Context<AccountActor>) {
  return runAccountRead(ctx, spacesRead(ctx.clock.now()));
}

function viewList(rows: Row[], now: Date) {
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
