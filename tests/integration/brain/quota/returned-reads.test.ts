import { expect, test } from 'vitest';
import { getContext } from '#lib/brain/context/get-context.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const BEFORE = new Date('2026-10-31T23:59:59.900Z');
const AFTER = new Date('2026-11-01T00:00:00.100Z');

const READS: [string, (ctx: Context<AccountActor>, spaceId: string) => Promise<unknown>][] = [
  ['search', (ctx) => searchMemories(ctx, { q: 'laiton' })],
  ['context about a question', (ctx, spaceId) => getContext(ctx, { spaceId, q: 'laiton' })],
];

test.each(READS)(
  'a %s that fails is charged to nobody: its read returns to the month and the day that it was made in, though they are over',
  async (_, read) => {
    const { account, actor } = await makeAccount(service);
    const space = await makeSpace(service, account.id);
    await addMemory(testContext(service, actor), {
      spaceId: space.id,
      pillar: 'ITEMS',
      title: 'Lampe',
      body: 'Laiton.',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    let now = BEFORE;
    let fails = false;
    const clock = { now: () => now };
    const kysely = interceptedQueries(service.connection.pool, {
      before({ label }) {
        if (!fails || label !== 'search.texts') return;
        now = AFTER;
        throw new Error('the texts cannot be read');
      },
    });
    const used = async () => {
      const [where, orderBy] = [{ accountId: account.id }, { used: 'asc' }] as const;
      const months = await service.db.readMonth.findMany({ where, orderBy });
      const days = await service.db.readDay.findMany({ where, orderBy });
      return [months.map((one) => [one.month, one.used]), days.map((one) => one.used)];
    };
    fails = true;
    await expect(read({ ...testContext(service, actor, { clock }), kysely }, space.id)).rejects.toThrow(
      'the texts cannot be read',
    );
    expect(await used()).toEqual([[['2026-10', 0]], [0]]);
    // The same one that succeeds is charged.
    [now, fails] = [BEFORE, false];
    await read({ ...testContext(service, actor, { clock }), kysely }, space.id);
    expect(await used()).toEqual([[['2026-10', 1]], [1]]);
  },
);
