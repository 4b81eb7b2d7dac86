import { expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { getMonthReads } from '#lib/brain/queries/get-month-reads.ts';
import { listSpaceCards } from '#lib/brain/queries/list-space-cards.ts';
import { viewSpace } from '#lib/brain/queries/view-space.ts';
import { listSpaces } from '#lib/brain/spaces/list-spaces.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

test('the list of Spaces tells the coverage of what they hold now, the same as their pages', async () => {
  const { account, actor } = await makeAccount(service);
  const { id: spaceId } = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const told = async () => [
    (await listSpaceCards(ctx)).spaces[0]?.quality,
    (await viewSpace(ctx, { spaceId })).quality,
  ];
  expect(await told()).toEqual([0, 0]);
  for (const quality of [4, 8]) {
    await addMemory(ctx, {
      spaceId,
      pillar: 'ITEMS',
      title: 'Lampe',
      body: 'x'.repeat(800),
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    expect(await told()).toEqual([quality, quality]);
  }
});

test('the reads of a month are those of its own days, and of no month before it', async () => {
  const { account, actor } = await makeAccount(service, { capacityCu: 2 });
  const read = (now: Date) => listSpaces(testContext(service, actor, { clock: { now: () => now } }));
  await read(new Date('2026-10-31T23:59:59Z'));
  await read(new Date('2026-11-01T00:00:00Z'));
  await read(new Date('2026-11-30T00:00:00Z'));
  await read(new Date('2026-11-30T23:59:59Z'));
  const at = { clock: { now: () => new Date('2026-11-30T12:00:00Z') } };
  const month = await getMonthReads(testContext(service, actor, at));
  expect(month).toMatchObject({ month: '2026-11', limit: 20, used: 3, today: 29 });
  const days = month.days.filter(({ used }) => used > 0);
  expect(days).toEqual([
    { day: '2026-11-01', used: 1 },
    { day: '2026-11-30', used: 2 },
  ]);
  expect(month.days).toHaveLength(30);
  expect(await service.db.readMonth.count({ where: { accountId: account.id } })).toBe(2);
});
