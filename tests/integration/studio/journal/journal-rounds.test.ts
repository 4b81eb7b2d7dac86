import { expect, it } from 'vitest';
import {
  countGenerations,
  type JournalQuery,
  journalFilters,
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

it('whoever tries all filters together leaves a few statements behind, in the process and on the connections that all accounts share', async () => {
  const { ctx } = await studioScene(service);
  const shared = globalThis as { atelierStatementNames?: Map<string, { label: string }> };
  const names = () =>
    [...(shared.atelierStatementNames?.values() ?? [])].filter(({ label }) =>
      /^studio\.(list|count)\./.test(label),
    );
  const before = names().length;
  const filters = {
    kind: 'image',
    case: 'image-best',
    productId: 'libre',
    memberId: ctx.actor.memberId,
    from: '2026-11-01',
    to: '2026-11-30',
  };
  for (let chosen = 0; chosen < 2 ** 6; chosen += 1) {
    const asked = Object.fromEntries(Object.entries(filters).filter((_, at) => (chosen >> at) % 2 === 1));
    await listGenerations(ctx, journalQuery.parse(asked));
    await countGenerations(ctx, journalFilters.parse(asked));
  }
  // No filter, each of the four others, and a period by its beginning, its end or both: a list and a count.
  expect(names().length - before).toBeLessThanOrEqual(16);
  const { rows } = await service.connection.pool.query<{ kept: string }>(
    `SELECT count(*) AS kept FROM pg_prepared_statements WHERE name ~ '^studio\\.(list|count)\\.'`,
  );
  expect(Number(rows[0]?.kept)).toBeLessThan(32);
});
