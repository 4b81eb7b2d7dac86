import { sql } from 'kysely';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Transaction } from '#lib/db/types.ts';
import { isAnyOf } from '#lib/db/values.ts';

type ClearedBy = 'member' | 'retention' | 'purge';

const clear = prepared(
  'storage.clear_generations',
  (db, p: Params<{ ids: readonly string[]; by: ClearedBy; now: Date }>) => {
    const files = db
      .selectFrom('Asset as a')
      .select(sql.lit(1).as('one'))
      .where('a.generationId', '=', sql.ref<string>('g.id'));
    return db
      .updateTable('Generation as g')
      .set({ filesDeletedAt: p.now, filesDeletedBy: p.by, updatedAt: p.now })
      .where(isAnyOf('g.id', p.ids))
      .where('g.filesDeletedAt', 'is', null)
      .where(({ exists }) => exists(files))
      .where(({ not, exists }) => not(exists(files.where('a.deletedAt', 'is', null))))
      .returning('g.id');
  },
);

const lock = prepared('storage.lock_generations', (db, p: Params<{ ids: readonly string[] }>) =>
  db.selectFrom('Generation').select('id').where(isAnyOf('id', p.ids)).orderBy('id').forNoKeyUpdate(),
);

/** Locks generations before their files, the order of every deletion, restoration and clearing, so that none deadlock. */
export async function lockGenerations(tx: Transaction, generationIds: readonly string[]): Promise<void> {
  if (generationIds.length > 0) await lock.run(tx, { ids: generationIds });
}

/** Marks the generations that had files and have none left; their rows, costs and lines stay. Returns which ones. */
export async function clearGenerations(
  tx: Transaction,
  input: { generationIds: readonly string[]; by: ClearedBy; now: Date },
): Promise<string[]> {
  if (input.generationIds.length === 0) return [];
  const { generationIds: ids, by, now } = input;
  return (await clear.all(tx, { ids, by, now })).map((row) => row.id);
}
