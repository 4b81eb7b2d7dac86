import { expect, it } from 'vitest';
import {
  countGenerations,
  type JournalQuery,
  journalQuery,
  listGenerations,
} from '#lib/studio/journal/list-generations.ts';
import { fillJournal } from '#tests/e2e/setup/scenes/fill-journal.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('a page of the journal costs one question, filtered or not, however long it is, and every row comes once', async () => {
  const scene = await studioScene(service);
  await fillJournal(scene.ctx, 1_000);
  const asked: string[] = [];
  const ctx = {
    ...scene.ctx,
    kysely: interceptedQueries(service.connection.pool, { before: ({ label }) => asked.push(label) }),
    get db(): never {
      throw new Error('the journal asks nothing elsewhere');
    },
  };
  const questions = async (work: () => Promise<unknown>) => {
    asked.length = 0;
    await work();
    return asked.length;
  };
  const read = (query: Partial<JournalQuery>) => listGenerations(ctx, journalQuery.parse(query));
  for (const filter of [
    {},
    { status: 'cancelled' },
    { status: 'failed' },
    { kind: 'image', productId: 'libre' },
  ] as const) {
    expect(await questions(() => read({ ...filter, limit: 48 }))).toBe(1);
    expect(await questions(() => countGenerations(ctx, filter as Partial<JournalQuery>))).toBe(1);
  }
  const seen = new Set<string>();
  let cursor: string | undefined;
  let rounds = 0;
  do {
    const page = await read({ limit: 100, ...(cursor ? { cursor } : {}) });
    for (const { id } of page.generations) seen.add(id);
    cursor = page.nextCursor ?? undefined;
    rounds += 1;
  } while (cursor);
  expect([seen.size, rounds]).toEqual([1_000, 10]);
});
