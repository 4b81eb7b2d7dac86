import { type Expression, type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { DB } from '#lib/db/generated/tables.ts';
import { briefOf } from '#lib/db/values.ts';

/** The rows that a founder may follow: their account's, or, for the operator's founders, every account's. */
export type Scope = 'account' | 'service';

/** The scope of an actor who passed `requireOperations`. */
export function scopeOf(actor: AccountActor): Scope {
  return hasPermission(actor, 'service.operate') ? 'service' : 'account';
}

/** What a list shows of a row's generation. For another account: only the account's name, neither its identifier nor its brief. */
export type Followed = { generationId: string | null; brief: string | null; accountName: string | null };

/** The columns of `Followed`, for a reader of `accountId`, of tables named `generation` and `account`. */
export function followed(accountId: Expression<string>) {
  const own = <T>(value: Expression<T>) =>
    sql<T | null>`case when ${sql.ref('generation.accountId')} = ${accountId} then ${value} end`;
  return [
    own(sql.ref<string>('generation.id')).as('generationId'),
    own(briefOf('generation.params')).as('brief'),
    sql<string | null>`${sql.ref('account.name')}`.as('accountName'),
  ] as const;
}

type Entry = Pick<Selectable<DB['AuditEntry']>, 'id' | 'at' | 'data' | 'subjectId' | 'accountId'>;

/** The audit entries of one action about costs, the latest first: of the account, or of all. */
export function auditedCosts(
  db: Kysely<DB>,
  scope: Scope,
  accountId: Expression<string>,
  action: 'generation.paid_not_delivered' | 'generation.cost_divergence',
) {
  // The action is written as a constant: the index of the whole service holds these two alone.
  const entries = db
    .selectFrom('AuditEntry')
    .select(['id', 'at', 'data', 'subjectId', 'accountId'])
    .where('action', '=', sql.lit(action))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');
  return scope === 'service' ? entries : entries.where('accountId', '=', accountId);
}

/** Those entries, each with the visible fields of its generation. */
export function withGeneration(
  db: Kysely<DB>,
  accountId: Expression<string>,
  entries: SelectQueryBuilder<DB, 'AuditEntry', Entry>,
) {
  return db
    .selectFrom(entries.as('entry'))
    .leftJoin('Generation as generation', (join) =>
      join
        .onRef('generation.id', '=', 'entry.subjectId')
        .onRef('generation.accountId', '=', 'entry.accountId'),
    )
    .leftJoin('Account as account', 'account.id', 'entry.accountId')
    .select(['entry.id', 'entry.at', 'entry.data', 'entry.subjectId', 'generation.kind'])
    .select(followed(accountId))
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc');
}
