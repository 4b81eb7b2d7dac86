import { expect, test } from 'vitest';
import { focusInput } from '#lib/brain/context/rank-answers.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { withoutInvisible } from '#lib/core/text/invisible.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

type Setting = { ctx: Context<MemberActor>; accountId: string; spaceId: string };

async function setting(): Promise<Setting> {
  const { account, actor } = await makeAccount(service, { capacityCu: 100_000 });
  const space = await makeSpace(service, account.id);
  return { ctx: testContext(service, actor), accountId: account.id, spaceId: space.id };
}

/** A process that has read nothing yet: the rows that each of its statements gives, in their order. */
function counting({ ctx }: Setting) {
  const rows: [label: string, rows: number][] = [];
  const kysely = interceptedQueries(service.connection.pool, {
    async around(statement, send) {
      const answer = await send();
      const given = (answer as { rows?: unknown[] } | undefined)?.rows?.length ?? 0;
      rows.push([statement.label, given]);
      return answer;
    },
  });
  return { ctx: { ...ctx, kysely }, take: () => rows.splice(0) };
}

/** An account of `memories` in one segment: all hold « lampe », the first twelve « cuivre », the last twenty-four « rotin ». */
async function filled(memories: number): Promise<Setting> {
  const at = await setting();
  const { accountId, spaceId } = at;
  const day = new Date('2026-01-01T00:00:00Z');
  const data = Array.from({ length: memories }, (_, i) => ({
    id: `mem_${spaceId.slice(-8)}_${i}`,
    accountId,
    spaceId,
    role: 'KNOWLEDGE' as const,
    kind: 'NOTE' as const,
    title: `Note ${i}`,
    body: `Une lampe${i < 12 ? ' de cuivre' : i >= memories - 24 ? ' de rotin' : ''}.`,
    source: 'MANUAL' as const,
    cu: 1,
    createdAt: day,
    updatedAt: day,
  }));
  for (let from = 0; from < memories; from += 1_000)
    await service.db.memory.createMany({ data: data.slice(from, from + 1_000) });
  await indexPending(at.ctx, { accountId, everything: true });
  expect(await service.db.searchSegment.count({ where: { accountId } })).toBe(1);
  return at;
}

test('a search reads what holds its rarest word: as many rows from 2,400 Memories as from 300, twice as many for twice the matches', async () => {
  const read = async (memories: number) => {
    const { ctx, take } = counting(await filled(memories));
    // What the process knows of the segment is read once, whatever is asked.
    await searchMemories(ctx, { q: 'absent', limit: 50 });
    take();
    const rowsOf = async (q: string, matches: number) => {
      const { data } = await searchMemories(ctx, { q, limit: 50 });
      expect(data).toHaveLength(matches);
      const rows = take().sort(([a], [b]) => a.localeCompare(b));
      // The page of a word, and the next where it stands at the end of one; none that an earlier search read.
      for (const [, pages] of rows.filter(([label]) => label === 'search.pages'))
        expect(pages).toBeLessThanOrEqual(2);
      return rows.filter(([label]) => label !== 'search.pages');
    };
    return { twelve: await rowsOf('cuivre', 12), twice: await rowsOf('rotin', 24) };
  };
  const small = await read(300);
  expect(await read(2_400)).toEqual(small);
  expect(small.twice.map(([label]) => label)).toEqual(small.twelve.map(([label]) => label));
  const sum = (rows: readonly [string, number][]) => rows.reduce((all, [, count]) => all + count, 0);
  expect(sum(small.twice)).toBeLessThanOrEqual(2 * sum(small.twelve));
  expect(sum(small.twelve)).toBeLessThan(3 * 12 + 4);
});

/** As long as a body may be, almost, and no word twice. */
function distinctWords(): string {
  let body = '';
  for (let i = 0; body.length < 130_000; i++) body += `${(i * 7919 + 100_003).toString(36)} `;
  return body.trim();
}

const added = ({ spaceId }: Setting, title: string, body: string) => ({
  spaceId,
  pillar: 'KNOWLEDGE' as const,
  title,
  body,
  parentId: null,
  source: 'MANUAL' as const,
  idempotencyKey: null,
});

test('128 KiB of distinct words are written in the statements of one word, and so they are put in the index', async () => {
  const statementsOf = async (body: string) => {
    const at = await setting();
    const { ctx, take } = counting(at);
    await addMemory(ctx, added(at, 'Lexique', body));
    const writing = take();
    await indexPending(ctx, { accountId: at.accountId, everything: true });
    return { writing, indexing: take() };
  };
  const short = await statementsOf('lampe');
  expect(await statementsOf(distinctWords())).toEqual(short);
  expect(short.writing.length).toBeLessThanOrEqual(2);
  expect(short.indexing.length).toBeLessThanOrEqual(20);
});

test('while 128 KiB of distinct words go into the index, their account adds, changes them and searches, and so does another: nobody waits', async () => {
  const [at, other] = [await setting(), await setting()];
  const { memory } = await addMemory(at.ctx, added(at, 'Lexique', distinctWords()));
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ label }) {
      if (label !== 'search.place') return;
      reached.resolve();
      await go.promise;
    },
  });
  // All of its words are written by now, and nothing is committed.
  const indexing = indexPending({ ...at.ctx, kysely }, { accountId: at.accountId, everything: true });
  await reached.promise;
  for (const one of [at, other]) {
    await addMemory(one.ctx, added(one, 'Lampe', 'Une lampe de cuivre.'));
    const { data } = await searchMemories(one.ctx, { q: 'cuivre' });
    expect(data.map(({ title }) => title)).toEqual(['Lampe']);
  }
  await updateMemory(at.ctx, {
    memoryId: memory.id,
    expectedVersion: null,
    title: 'Lexique',
    body: 'Un mot changé.',
  });
  go.resolve();
  await indexing;
  const found = async (q: string) =>
    (await searchMemories(at.ctx, { q })).data.map(({ memoryId }) => memoryId);
  expect(await found('changé')).toEqual([memory.id]);
  expect(await found((7919 * 7 + 100_003).toString(36))).toEqual([]);
});

test('of two processes that come to write the segments of an account, the second leaves it to the first: each word is written once', async () => {
  const at = await setting();
  await addMemory(at.ctx, added(at, 'Lampe', 'Une lampe de cuivre.'));
  const second = counting(at);
  const index = { accountId: at.accountId, everything: true };
  let isWriting = false;
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ label }) {
      if (label !== 'search.insert-segment' || isWriting) return;
      isWriting = true;
      await indexPending(second.ctx, index);
    },
  });
  await indexPending({ ...at.ctx, kysely }, index);
  expect(second.take().map(([label]) => label)).toEqual(['begin', 'search.hold', 'commit']);
  const segments = await service.db.searchSegment.findMany({ where: { accountId: at.accountId } });
  expect(segments.map(({ memories }) => memories)).toEqual([1]);
});

test('a Memory that somebody is changing is not waited for: its place is given once, to what it then says', async () => {
  const at = await setting();
  const { memory } = await addMemory(at.ctx, added(at, 'Lampe', 'Une lampe de cuivre.'));
  let tries = 0;
  const kysely = interceptedQueries(service.connection.pool, {
    before({ label }) {
      if (label === 'search.hold' && ++tries > 12) throw new Error('it is tried for as long as that takes');
    },
  });
  const index = () => indexPending({ ...at.ctx, kysely }, { accountId: at.accountId, everything: true });
  const changing = {
    text: 'UPDATE "Memory" SET "body" = $2 WHERE "id" = $1',
    values: [memory.id, 'Une lampe de rotin.'],
  };
  expect(await claimedMeanwhile(service, changing, index)).toEqual({ came: undefined, waited: false });
  await index();
  const found = async (q: string) => (await searchMemories(at.ctx, { q })).data.length;
  expect([await found('cuivre'), await found('rotin')]).toEqual([0, 1]);
  const segments = await service.db.searchSegment.findMany({ where: { accountId: at.accountId } });
  expect(segments.map(({ memories }) => memories)).toEqual([1]);
});

test('a long text with characters that nobody sees has its matches found in slices, as prompts receive it, before it is looked into', async () => {
  const at = await setting();
  const body = `La lampe\u200b éclaire. ${'Une phrase de plus. '.repeat(200)}`;
  const { memory } = await addMemory(at.ctx, added(at, 'Lampe', body));
  const { id, role, parentId, kind, title, source, createdAt } = await service.db.memory.findUniqueOrThrow({
    where: { id: memory.id },
  });
  const { answers, memories } = await focusInput(at.ctx, {
    q: 'lampe',
    space: { id: at.spaceId, name: 'Maison', template: 'brand' },
    pillars: ['KNOWLEDGE'],
    memories: [{ id, role, parentId, kind, title, body, source, createdAt, hasInvisible: true }],
    maxChars: 4_000,
  });
  const shown = withoutInvisible(body);
  expect(memories.map((row) => row.body)).toEqual([shown]);
  expect(answers.matchesOf(shown)).toHaveLength(1);
  // What was found before is given again: it would be another array if it were looked for now.
  expect(answers.matchesOf(shown)).toBe(answers.matchesOf(shown));
});

test('a long text that changed while its context was put together reaches no prompt with what nobody sees in it', async () => {
  const at = await setting();
  const phrases = 'Une phrase de plus. '.repeat(400);
  const { memory } = await addMemory(at.ctx, added(at, 'Lampe', `La lampe éclaire. ${phrases}`));
  const read = await service.db.memory.findUniqueOrThrow({ where: { id: memory.id } });
  const body = `La lampe\u202e éclaire. ${phrases}`;
  await updateMemory(at.ctx, { memoryId: memory.id, expectedVersion: null, title: 'Lampe', body });
  const { memories } = await focusInput(at.ctx, {
    q: 'lampe',
    space: { id: at.spaceId, name: 'Maison', template: 'brand' },
    pillars: ['KNOWLEDGE'],
    memories: [{ ...read, body: read.body.slice(0, 4_100) }],
    maxChars: 4_000,
  });
  expect(memories.map((row) => row.body)).toEqual([withoutInvisible(body)]);
});
