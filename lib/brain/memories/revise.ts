import { type QueryCreator, type Selectable, sql } from 'kysely';
import type { RevisionChange } from '#lib/db/generated/tables.ts';
import type { Params } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';

/** The Memories that a statement wrote, as they are now: the CTE whose rows `revise` keeps. */
export type ChangedTable = { changed: Selectable<DB['Memory']> };

export type ReviseParams = {
  /** Memories of `changed` that get a revision, and the identifiers of these revisions, in the same order. */
  revisedIds: string[];
  revisionIds: string[];
  change: RevisionChange;
  actor: string;
  now: Date;
};

/** Adds the CTE that keeps what each Memory of `changed` says now as one more revision of its history. */
export function revise<D extends ChangedTable>(
  db: QueryCreator<D>,
  p: Params<ReviseParams>,
): QueryCreator<D> {
  return (db as unknown as QueryCreator<DB & ChangedTable>).with('revised', (one) =>
    one
      .insertInto('MemoryRevision')
      .columns([
        'id',
        'accountId',
        'memoryId',
        'version',
        'change',
        'role',
        'parentId',
        'kind',
        'title',
        'body',
        'actor',
        'createdAt',
      ])
      .expression((eb) =>
        eb
          .selectFrom(
            sql<{
              memoryId: string;
              revisionId: string;
            }>`unnest(${p.revisedIds}::text[], ${p.revisionIds}::text[])`.as<'given'>(
              sql`given("memoryId", "revisionId")`,
            ),
          )
          .innerJoin('changed', 'changed.id', 'given.memoryId')
          .select([
            'given.revisionId',
            'changed.accountId',
            'changed.id',
            'changed.version',
            sql<RevisionChange>`${p.change}::"RevisionChange"`.as('change'),
            'changed.role',
            'changed.parentId',
            'changed.kind',
            'changed.title',
            'changed.body',
            p.actor.as('actor'),
            sql<Date>`${p.now}::timestamptz`.as('createdAt'),
          ]),
      ),
  ) as unknown as QueryCreator<D>;
}
