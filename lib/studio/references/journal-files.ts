import type { AccountActor } from '#lib/core/actor.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyOf } from '#lib/db/values.ts';
import type { StudioContext } from '../context.ts';
import { parseArtifacts } from '../generation/params.ts';
import { readJournalRef } from '../journal-ref.ts';

const findRows = prepared('studio.journal_files', (db, p: Params<{ accountId: string; ids: string[] }>) =>
  db
    .selectFrom('Generation')
    .select(['id', 'artifacts'])
    .where('accountId', '=', p.accountId)
    .where('filesDeletedAt', 'is', null)
    .where(isAnyOf('id', p.ids)),
);

/** Where the files of the account's journal lie, by their reference; a file that is deleted, not stored yet or another account's is left out. */
export async function findJournalFiles(
  ctx: StudioContext<AccountActor>,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const named = refs.flatMap((ref) => {
    const found = readJournalRef(ref);
    return found ? [{ ref, ...found }] : [];
  });
  if (named.length === 0) return new Map();
  const ids = [...new Set(named.map(({ generationId }) => generationId))];
  const rows = await findRows.all(ctx.kysely, { accountId: ctx.actor.accountId, ids });
  const files = new Map(rows.map(({ id, artifacts }) => [id, parseArtifacts(artifacts)]));
  return new Map(
    named.flatMap(({ ref, generationId, file }) => {
      const pathname = files.get(generationId)?.[file]?.pathname;
      return pathname ? [[ref, pathname] as const] : [];
    }),
  );
}
