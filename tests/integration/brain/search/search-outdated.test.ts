import { expect, test } from 'vitest';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import { storeOf } from '#lib/brain/search/index/store.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { rankDocuments } from '#tests/eval/exhaustive.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

type Setting = { ctx: Context<MemberActor>; accountId: string; spaceId: string };
type Header = { termsVersion?: number };

async function setting(): Promise<Setting> {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  return { ctx: testContext(service, actor), accountId: account.id, spaceId: space.id };
}

const day = new Date('2026-01-01T00:00:00Z');

/** Writes Memories of these bodies, and one segment of them. */
async function addSegment({ ctx, accountId, spaceId }: Setting, name: string, bodies: readonly string[]) {
  await service.db.memory.createMany({
    data: bodies.map((body, i) => ({
      id: `mem_${spaceId.slice(-8)}_${name}_${i}`,
      accountId,
      spaceId,
      role: 'KNOWLEDGE' as const,
      kind: 'NOTE' as const,
      title: `Note ${name} ${i}`,
      body,
      source: 'MANUAL' as const,
      cu: 1,
      createdAt: day,
      updatedAt: day,
    })),
  });
  await indexPending(ctx, { accountId, everything: true });
}

const segmentsOf = async ({ accountId }: Setting) =>
  service.db.searchSegment.findMany({ where: { accountId }, orderBy: { id: 'asc' } });
const idsOf = async (at: Setting) => (await segmentsOf(at)).map(({ id }) => id);
const documentsOf = ({ accountId }: Setting) =>
  service.db.searchDocument.findMany({
    where: { accountId },
    select: { memoryId: true, stamp: true },
    orderBy: { memoryId: 'asc' },
  });

/** Says in the header of each segment under which version its terms were cut, and takes the acronym out of its pages: as another version wrote them. */
async function rewrite(at: Setting, version: Header): Promise<void> {
  for (const { id, header } of await segmentsOf(at)) {
    const bytes = Buffer.from(header);
    const end = 4 + bytes.readUInt32LE(0) * 15;
    const { termsVersion: _, ...rest } = JSON.parse(bytes.toString('utf8', end)) as Header;
    const said = Buffer.from(JSON.stringify({ ...rest, ...version }));
    await service.db.searchSegment.update({
      where: { id },
      data: { header: Buffer.concat([bytes.subarray(0, end), said]) },
    });
    for (const { page, data } of await service.db.searchPage.findMany({ where: { segmentId: id } })) {
      const without = Buffer.from(data).toString('latin1').replaceAll('rgpd', '~~~~');
      await service.db.searchPage.update({
        where: { segmentId_page: { segmentId: id, page } },
        data: { data: Buffer.from(without, 'latin1') },
      });
    }
  }
}

async function expectExact(at: Setting, queries: readonly string[]): Promise<void> {
  const documents = await service.db.memory.findMany({ where: { accountId: at.accountId } });
  for (const q of queries) {
    const { data } = await searchMemories(at.ctx, { q });
    expect(data.map(({ memoryId, score }) => [memoryId, score])).toEqual(
      rankDocuments(parseQuery(q), documents).map(({ document, score }) => [document.id, score]),
    );
  }
}

const BODIES = ['Conforme au R.G.P.D. en vigueur.', 'Le RGPD.', 'Une lampe.'];

/** Queries of which a test waits for an end: that of the `nth` transaction that asks for the lock on segments. */
function watched(nth: number) {
  const ended = Promise.withResolvers<void>();
  let asked = 0;
  const kysely = interceptedQueries(service.connection.pool, {
    after({ label }) {
      if (label === 'search.hold') asked++;
      if (label === 'commit' && asked === nth) ended.resolve();
    },
  });
  return { kysely, ended: ended.promise };
}

test('what a former version wrote is cut anew by the first search: the acronym is found both ways in that very answer, and no Memory was saved again', async () => {
  const at = await setting();
  await addSegment(at, 'a', BODIES);
  await rewrite(at, {});
  const [before, documents] = [await idsOf(at), await documentsOf(at)];
  const { data } = await searchMemories(at.ctx, { q: 'RGPD' });
  expect(data.map(({ title }) => title).sort()).toEqual(['Note a 0', 'Note a 1']);
  const after = await idsOf(at);
  expect(after).toHaveLength(before.length);
  expect(after).not.toEqual(before);
  expect(await documentsOf(at)).toEqual(documents);
  await expectExact(at, ['RGPD', 'R.G.P.D.', 'le RGPD en vigueur', 'lampe', 'r']);
  // Once is enough.
  expect(await idsOf(at)).toEqual(after);
});

test('a search writes anew one segment at least and no more than it has time for; the others after its answer', async () => {
  const at = await setting();
  for (const name of ['a', 'b', 'c']) await addSegment(at, name, BODIES);
  await rewrite(at, {});
  const before = await idsOf(at);
  expect(before).toHaveLength(3);
  // One transaction before the answer; after it two that write, and one that finds nothing more to do.
  const { kysely, ended } = watched(4);
  let readings = 0;
  const clock = { now: () => new Date(day.getTime() + 3_000 * readings++) };
  const { data } = await searchMemories({ ...at.ctx, kysely, clock }, { q: 'lampe' });
  expect(data).toHaveLength(3);
  await ended;
  expect((await idsOf(at)).filter((id) => before.includes(id))).toEqual([]);
  await expectExact(at, ['RGPD', 'R.G.P.D.', 'lampe']);
});

test('what another process is writing anew is searched as it is meanwhile, without waiting', async () => {
  const at = await setting();
  await addSegment(at, 'a', BODIES);
  await rewrite(at, {});
  const before = await idsOf(at);
  const holder = await service.connection.pool.connect();
  // One before the answer and one after it, both in vain.
  const { kysely, ended } = watched(2);
  try {
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('search ' || $1::text, 0))`, [
      at.accountId,
    ]);
    const { data } = await searchMemories({ ...at.ctx, kysely }, { q: 'lampe' });
    expect(data.map(({ title }) => title)).toEqual(['Note a 2']);
    await ended;
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect(await idsOf(at)).toEqual(before);
  await expectExact(at, ['RGPD', 'R.G.P.D.', 'lampe']);
  expect(await idsOf(at)).not.toEqual(before);
});

test('while this process does so for two other accounts a search begins nothing and answers at once; a later one does its part', async () => {
  const at = await setting();
  await addSegment(at, 'a', BODIES);
  await rewrite(at, {});
  const before = await idsOf(at);
  let asked = 0;
  const kysely = interceptedQueries(service.connection.pool, {
    before({ label }) {
      if (label === 'search.hold') asked++;
    },
  });
  const others = Promise.withResolvers<void>();
  const busy = ['one', 'two'].map((id) => storeOf(kysely).renewing(id, () => others.promise));
  const { data } = await searchMemories({ ...at.ctx, kysely }, { q: 'lampe' });
  expect(data.map(({ title }) => title)).toEqual(['Note a 2']);
  expect([asked, await idsOf(at)]).toEqual([0, before]);
  others.resolve();
  expect(await Promise.all(busy)).toEqual([true, true]);
  expect((await searchMemories({ ...at.ctx, kysely }, { q: 'RGPD' })).data).toHaveLength(2);
  expect(await idsOf(at)).not.toEqual(before);
});

test('a search that cannot write it anew answers all the same, and says so in the log', async () => {
  const at = await setting();
  await addSegment(at, 'a', BODIES);
  await rewrite(at, {});
  const lines: { event: string }[] = [];
  const twice = Promise.withResolvers<void>();
  const kysely = interceptedQueries(service.connection.pool, {
    before({ label }) {
      if (label === 'search.hold') throw new Error('nothing can be written');
    },
  });
  const warn = (event: string) => {
    if (lines.push({ event }) === 2) twice.resolve();
  };
  const { data } = await searchMemories({ ...at.ctx, kysely, log: { ...at.ctx.log, warn } }, { q: 'lampe' });
  expect(data).toHaveLength(1);
  await twice.promise;
  expect(lines).toEqual([{ event: 'search.index_failed' }, { event: 'search.index_failed' }]);
});

test('what a later version wrote is left as it is: beside it, an instance of this one undoes nothing', async () => {
  const at = await setting();
  await addSegment(at, 'a', BODIES);
  await rewrite(at, { termsVersion: 1_000 });
  const before = await idsOf(at);
  expect((await searchMemories(at.ctx, { q: 'lampe' })).data).toHaveLength(1);
  expect(await idsOf(at)).toEqual(before);
});
