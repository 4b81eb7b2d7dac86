import { sql } from 'kysely';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isStorableInstant } from '#lib/core/input/storable-instant.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { auditNames, parentsIn } from './audit-names.ts';

export type AuditFilters = {
  /** Families of actions, their first part: `key` for `key.created`, `key.revoked`… */
  families?: readonly string[] | undefined;
  /** Their own acts and those of their keys and applications. */
  memberId?: string | undefined;
  /** What it is about: a Space, a Memory, a generation, a member… */
  subjectId?: string | undefined;
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
  /** The name of the member, key or application; null for one that is not of the account. */
  actorName: string | null;
  subjectType: string | null;
  subjectId: string | null;
  subjectName: string | null;
  data: Record<string, unknown>;
  /** Titles of the parent Memories that it records, by identifier; one that was erased has none. */
  parentTitles?: Readonly<Record<string, string>>;
  requestId: string;
  traceId: string | null;
};

export type AuditPage = { entries: AuditView[]; nextCursor: string | null };

/** Counts stop here: pages then say « more than ». */
export const AUDIT_COUNT_LIMIT = 10_000;

const findLabels = prepared('audit.actors', (db, p: Params<{ memberId: string; accountId: string }>) => {
  const labels = (table: 'DeveloperKey' | 'OAuthGrant', kind: string) =>
    db
      .selectFrom(table)
      .select(labelled(kind))
      .where('memberId', '=', p.memberId)
      .where('accountId', '=', p.accountId);
  return db
    .selectFrom('Member')
    .select(labelled('member'))
    .where('id', '=', p.memberId)
    .where('accountId', '=', p.accountId)
    .unionAll(labels('DeveloperKey', 'key'))
    .unionAll(labels('OAuthGrant', 'oauth'));
});

const labelled = (kind: string) => sql<string>`${sql.lit(`${kind}:`)} || id`.as('label');

/**
 * The actions of these families that the account's trail holds, former ones too: from each to the next by the index, so that as many rows
 * are read as there are different actions.
 */
const findActions = prepared(
  'audit.actions',
  (db, p: Params<{ accountId: string; families: readonly string[] }>) =>
    db
      .withRecursive('seen(action)', (q) =>
        q
          .selectFrom('AuditEntry as first')
          .select((eb) => eb.fn.min<string | null>('first.action').as('action'))
          .where('first.accountId', '=', p.accountId)
          .unionAll((u) =>
            u
              .selectFrom('seen')
              .select((eb) =>
                eb
                  .selectFrom('AuditEntry as e')
                  .select((later) => later.fn.min<string | null>('e.action').as('action'))
                  .where('e.accountId', '=', p.accountId)
                  .whereRef('e.action', '>', 'seen.action')
                  .as('action'),
              )
              .where('seen.action', 'is not', null),
          ),
      )
      .selectFrom('seen')
      .select(sql<string>`${sql.ref('seen.action')}`.as('action'))
      .where(isAnyOf(sql<string>`split_part(${sql.ref('seen.action')}, '.', 1)`, p.families)),
);

async function entriesOf(ctx: Context<AccountActor>, filters: AuditFilters) {
  if (!hasPermission(ctx.actor, 'audit.read')) throw new ServiceError('forbidden');
  const { accountId } = ctx.actor;
  const { families, memberId, subjectId, from, to } = filters;
  const found = families && (await findActions.all(ctx.kysely, { accountId, families }));
  let entries = ctx.kysely.selectFrom('AuditEntry').where('accountId', '=', accountId);
  if (memberId) {
    const labels = await findLabels.all(ctx.kysely, { memberId, accountId });
    entries = entries.where(
      isAnyOf(
        'actor',
        labels.map(({ label }) => label),
      ),
    );
  }
  if (subjectId) entries = entries.where('subjectId', '=', subjectId);
  if (from) entries = entries.where('at', '>=', from);
  if (to) entries = entries.where('at', '<', to);
  // The actions are returned for each query to filter by in its own way; null: all.
  return { entries, actions: found ? found.map(({ action }) => action) : null };
}

/**
 * The account's audit trail, newest first, with the names of those it tells of. Pages follow each other by `cursor`, unmoved by
 * what is written meanwhile. Errors: `forbidden`, `invalid_request` for a cursor that is not ours.
 */
export async function readAudit(
  ctx: Context<AccountActor>,
  input: AuditFilters & { limit: number; cursor?: string | undefined },
): Promise<AuditPage> {
  const { entries, actions } = await entriesOf(ctx, input);
  const cursor = readCursor(input.cursor);
  const most = input.limit + 1;
  const newest = entries
    .select(['id', 'at', 'action', 'actor', 'subjectType', 'subjectId', 'requestId', 'traceId'])
    .select((eb) => eb.ref('data').$castTo<Record<string, unknown>>().as('data'))
    .$if(cursor !== null, (page) =>
      page.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(...(cursor as Cursor)))),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(most);
  // For a family: the newest entries of each of its actions by the index, then the newest of those. A rare action would otherwise be searched through
  // the whole trail.
  const rows =
    actions === null
      ? await newest.execute()
      : await ctx.kysely
          .selectFrom(sql<{ action: string }>`unnest(${actions}::text[])`.as<'asked'>(sql`asked("action")`))
          .innerJoinLateral(
            newest.where('AuditEntry.action', '=', sql.ref<string>('asked.action')).as('e'),
            (join) => join.onTrue(),
          )
          .selectAll('e')
          .orderBy('e.at', 'desc')
          .orderBy('e.id', 'desc')
          .limit(most)
          .execute();
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  const names = await auditNames(ctx, shown);
  return {
    entries: shown.map((row) => ({
      ...row,
      actorName: names.get(row.actor.slice(row.actor.indexOf(':') + 1)) ?? null,
      subjectName: (row.subjectId && names.get(row.subjectId)) || null,
      ...parentTitlesOf(row.data, names),
    })),
    nextCursor: rows.length > shown.length && last ? `${last.at.getTime()}-${last.id}` : null,
  };
}

function parentTitlesOf(
  data: AuditView['data'],
  names: ReadonlyMap<string, string>,
): Pick<AuditView, 'parentTitles'> {
  const titles = parentsIn(data).flatMap((id) => {
    const title = names.get(id);
    return title === undefined ? [] : [[id, title] as const];
  });
  return titles.length > 0 ? { parentTitles: Object.fromEntries(titles) } : {};
}

/** How many entries the filters keep; at most one more than `AUDIT_COUNT_LIMIT`. Errors: `forbidden`. */
export async function countAudit(ctx: Context<AccountActor>, filters: AuditFilters): Promise<number> {
  const { entries, actions } = await entriesOf(ctx, filters);
  const kept = actions === null ? entries : entries.where(isAnyOf('action', actions));
  const few = kept.select('id').limit(AUDIT_COUNT_LIMIT + 1);
  const row = await ctx.kysely
    .selectFrom(few.as('few'))
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

type Cursor = [at: Date, id: string];

function readCursor(cursor: string | undefined): Cursor | null {
  if (!cursor) return null;
  const match = /^(\d{1,15})-(aud_[0-9a-z]{26})$/.exec(cursor);
  const at = new Date(Number(match?.[1]));
  if (!match || !isStorableInstant(at))
    throw new ServiceError('invalid_request', { message: 'Cette page de l’audit n’existe pas.' });
  return [at, match[2] as string];
}
