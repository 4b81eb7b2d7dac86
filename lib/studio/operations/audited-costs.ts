import type { Expression, Kysely, Selectable, SelectQueryBuilder } from 'kysely';
import type { DB } from '#lib/db/generated/tables.ts';
import { briefOf } from '#lib/db/values.ts';

type Entry = Pick<Selectable<DB['AuditEntry']>, 'id' | 'at' | 'data' | 'subjectId'>;

/** The account's audit entries of one action about costs, the latest first. */
export function auditedCosts(
  db: Kysely<DB>,
  accountId: Expression<string>,
  action: 'generation.paid_not_delivered' | 'generation.cost_divergence',
) {
  return db
    .selectFrom('AuditEntry')
    .select(['id', 'at', 'data', 'subjectId'])
    .where('accountId', '=', accountId)
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');
}

/** Those entries, each with what is shown of the generation that it is about. */
export function withGeneration(
  db: Kysely<DB>,
  accountId: Expression<string>,
  entries: SelectQueryBuilder<DB, 'AuditEntry', Entry>,
) {
  return db
    .selectFrom(entries.as('entry'))
    .leftJoin('Generation as generation', (join) =>
      join.onRef('generation.id', '=', 'entry.subjectId').on('generation.accountId', '=', accountId),
    )
    .select([
      'entry.id',
      'entry.at',
      'entry.data',
      'generation.id as generationId',
      'generation.kind',
      briefOf('generation.params').as('brief'),
    ])
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc');
}
