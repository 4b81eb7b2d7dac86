import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { auditNames } from './audit-names.ts';

export type AuditFilters = {
  /** First parts of actions: `key` for `key.created`, `key.revoked`… */
  families?: readonly string[] | undefined;
  /** Their own acts and those of their keys and applications. */
  memberId?: string | undefined;
  from?: Date | undefined;
  /** Excluded. */
  to?: Date | undefined;
};

export type AuditView = {
  id: string;
  at: Date;
  action: string;
  /** As written: `member:mbr_…`, `key:key_…`, `system:retention`, `admin`. */
  actor: string;
  /** The name of the member, key or application, when it is known. */
  actorName: string | null;
  subjectType: string | null;
  subjectId: string | null;
  subjectName: string | null;
  data: Record<string, unknown>;
  requestId: string;
  traceId: string | null;
};

export type AuditPage = { entries: AuditView[]; nextCursor: string | null };

type Row = Omit<AuditView, 'actorName' | 'subjectName'>;

const WHERE = `e."accountId" = $1 AND ($2::text[] IS NULL OR split_part(e.action, '.', 1) = ANY($2))
  AND ($3::text[] IS NULL OR e.actor = ANY($3)) AND ($4::timestamptz IS NULL OR e.at >= $4)
  AND ($5::timestamptz IS NULL OR e.at < $5)`;

const READ = `
SELECT e.id, e.at, e.action, e.actor, e."subjectType", e."subjectId", e.data, e."requestId", e."traceId"
FROM "AuditEntry" e
WHERE ${WHERE} AND ($6::timestamptz IS NULL OR (e.at, e.id) < ($6, $7))
ORDER BY e.at DESC, e.id DESC LIMIT $8`;

/** Counts further than this say « more than ». */
export const AUDIT_COUNT_LIMIT = 10_000;
const COUNT = `SELECT count(*)::int AS total FROM (SELECT 1 FROM "AuditEntry" e WHERE ${WHERE} LIMIT ${AUDIT_COUNT_LIMIT + 1}) few`;

const ACTORS = `
SELECT 'member:' || id AS label FROM "Member" WHERE id = $1 AND "accountId" = $2
UNION ALL SELECT 'key:' || id FROM "DeveloperKey" WHERE "memberId" = $1 AND "accountId" = $2
UNION ALL SELECT 'oauth:' || id FROM "OAuthGrant" WHERE "memberId" = $1 AND "accountId" = $2`;

async function conditions(ctx: Context<AccountActor>, filters: AuditFilters): Promise<unknown[]> {
  if (!hasPermission(ctx.actor, 'audit.read')) throw new ServiceError('forbidden');
  const { accountId } = ctx.actor;
  const actors = filters.memberId
    ? (await ctx.sql.rows<{ label: string }>('audit.actors', ACTORS, [filters.memberId, accountId])).map(
        (row) => row.label,
      )
    : null;
  return [accountId, filters.families ?? null, actors, filters.from ?? null, filters.to ?? null];
}

/**
 * The account's audit trail, newest first, with the names of those it tells of. Pages follow each other by `cursor`, unmoved by
 * what is written meanwhile. Errors: `forbidden`, `invalid_request` for a cursor that is not ours.
 */
export async function readAudit(
  ctx: Context<AccountActor>,
  input: AuditFilters & { limit: number; cursor?: string | undefined },
): Promise<AuditPage> {
  const params = await conditions(ctx, input);
  const [at, id] = readCursor(input.cursor);
  const rows = await ctx.sql.rows<Row>('audit.read', READ, [...params, at, id, input.limit + 1]);
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  const names = await auditNames(ctx, shown);
  return {
    entries: shown.map((row) => ({
      ...row,
      actorName: names.get(row.actor.slice(row.actor.indexOf(':') + 1)) ?? null,
      subjectName: (row.subjectId && names.get(row.subjectId)) || null,
    })),
    nextCursor: rows.length > shown.length && last ? `${last.at.getTime()}-${last.id}` : null,
  };
}

/** How many entries the filters keep; at most one more than `AUDIT_COUNT_LIMIT`. Errors: `forbidden`. */
export async function countAudit(ctx: Context<AccountActor>, filters: AuditFilters): Promise<number> {
  const [row] = await ctx.sql.rows<{ total: number }>('audit.count', COUNT, await conditions(ctx, filters));
  return row?.total ?? 0;
}

function readCursor(cursor: string | undefined): [Date | null, string | null] {
  if (!cursor) return [null, null];
  const match = /^(\d{1,15})-(aud_[0-9a-z]{26})$/.exec(cursor);
  if (!match) throw new ServiceError('invalid_request', { message: 'Cette page de l’audit n’existe pas.' });
  return [new Date(Number(match[1])), match[2] as string];
}
