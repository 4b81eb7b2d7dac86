import { describe, expect, test, vi } from 'vitest';
import { assembleContext } from '#lib/brain/context/assemble.ts';
import { contextRead, getContext } from '#lib/brain/context/get-context.ts';
import { MAX_CONTEXT_CHARS } from '#lib/brain/limits.ts';
import { cachedContext } from '#lib/brain/queries/cached-context.ts';
import { previewContext } from '#lib/brain/queries/preview-context.ts';
import { viewSpace } from '#lib/brain/queries/view-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { createId } from '#lib/core/ids.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { receivedBytes } from '#tests/factories/watching/received-bytes.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 1 });

const received = () => receivedBytes(service.connection.pool);

async function setting(bodies: readonly string[], pillar: PillarRole = 'KNOWLEDGE') {
  const { account, actor, member } = await makeAccount(service, { capacityCu: 1_000_000 });
  const space = await makeSpace(service, account.id);
  const write = (all: readonly string[], role: PillarRole) =>
    service.db.memory.createMany({
      data: all.map((body, index) => ({
        id: createId('memory'),
        accountId: account.id,
        spaceId: space.id,
        role,
        kind: 'NOTE',
        title: `Titre ${index}`,
        body,
        source: 'MANUAL',
        cu: 1,
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
        updatedAt: new Date(),
      })),
    });
  await write(bodies, pillar);
  const whole = async (maxChars: number) => {
    const memories = await service.db.memory.findMany({
      where: { spaceId: space.id },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    const pillars = ['IDENTITY', 'GUIDELINES', 'KNOWLEDGE', 'ITEMS', 'PEOPLE'] as const;
    return JSON.stringify(assembleContext({ space, pillars, memories, maxChars }));
  };
  const ctx = testContext(service, actor);
  return { ctx, space, member, write, whole };
}

describe('a context from the database', () => {
  test('is what the whole bodies would have given, to the byte, whatever stands where they are cut', async () => {
    const pieces = ['a', 'é', '👩‍👩‍👧‍👦', '🇫🇷', 'e\u0301', '\r\n', 'mot ', '漢'];
    const lengths = [170, 199, 200, 231, 232, 233, 264, 900];
    const bodies = pieces.flatMap((piece) =>
      lengths.map((length) =>
        piece
          .repeat(Math.ceil(length / piece.length))
          .slice(0, length)
          .toWellFormed(),
      ),
    );
    for (const some of [bodies, bodies.slice(0, 2), ...bodies.map((body) => [body])]) {
      const { ctx, space, whole } = await setting(some);
      for (const maxChars of [200, 263])
        expect((await getContext(ctx, { spaceId: space.id, maxChars })).json?.text).toBe(
          await whole(maxChars),
        );
    }
  });

  test('reads of each body no more than the text can show, of no pillar that was not asked for, in one round trip', async () => {
    const long = Array.from({ length: 50 }, () => 'é👍🏽x '.repeat(5_000));
    const { ctx, space, write, whole } = await setting(long);
    await write(long, 'ITEMS');
    const cost = async (input: Omit<Parameters<typeof getContext>[1], 'spaceId'>) => {
      const before = { bytes: await received(), trips: service.connection.roundTrips() };
      const { json } = await getContext(ctx, { spaceId: space.id, ...input });
      return {
        text: json?.text,
        trips: service.connection.roundTrips() - before.trips,
        bytesEach: ((await received()) - before.bytes) / 100,
      };
    };
    const small = await cost({ maxChars: 200 });
    expect(small.trips).toBe(1);
    expect(small.bytesEach).toBeLessThan(232 * 4 + 300);
    expect(small.text).toBe(await whole(200));
    // A larger text is another answer: nothing that was cut for the small one serves it.
    const large = await cost({ maxChars: 20_000 });
    expect(large.text).toBe(await whole(20_000));
    expect(large.text?.length).toBeGreaterThan(20_000);
    const none = await cost({ maxChars: 20_000, pillars: ['PEOPLE'] });
    expect(none.bytesEach).toBeLessThan(20);
  });

  test('as a preview is the same, and reads of each body no more than the text can show', async () => {
    const long = Array.from({ length: 50 }, () => 'é👍🏽x '.repeat(5_000));
    const { ctx, space, whole } = await setting(long);
    // Prisma prepares what it asks for the first time.
    await previewContext(ctx, { spaceId: space.id, pillars: ['PEOPLE'] });
    const before = await received();
    const { payload } = await previewContext(ctx, { spaceId: space.id, maxChars: 200 });
    expect(((await received()) - before) / 50).toBeLessThan(232 * 4 + 400);
    expect(JSON.stringify(payload)).toBe(await whole(200));
    const large = await previewContext(ctx, { spaceId: space.id, maxChars: 20_000 });
    expect(JSON.stringify(large.payload)).toBe(await whole(20_000));
  });

  test('of the cockpit: the rows of a Space are read once for each of its versions, whoever looks at it', async () => {
    const { ctx, space, write } = await setting(['Une lampe.', 'a'.repeat(50_000)]);
    const cost = async () => {
      const before = await received();
      const { pillars } = await viewSpace(ctx, { spaceId: space.id });
      return { bytes: (await received()) - before, titles: pillars.map(({ memories }) => memories.length) };
    };
    expect(await cost()).toMatchObject({ titles: [0, 0, 2, 0, 0] });
    const again = await cost();
    expect(again).toMatchObject({ titles: [0, 0, 2, 0, 0] });
    expect(again.bytes).toBeLessThan(1_000);
    await write(['Une bougie.'], 'ITEMS');
    await service.db.space.update({
      where: { id: space.id },
      data: { version: { increment: 1 }, name: 'Autre nom' },
    });
    expect(await cost()).toMatchObject({ titles: [0, 0, 2, 1, 0] });
    expect(await viewSpace(ctx, { spaceId: space.id })).toMatchObject({ name: 'Autre nom' });
    const stranger = await setting([]);
    await expect(viewSpace(stranger.ctx, { spaceId: space.id })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('looked at through a link, or copied, is put together once for each version of its Space', async () => {
    const { ctx, space, write } = await setting(['Une lampe.', 'a'.repeat(50_000)]);
    const cost = async (length: { maxChars?: number } = { maxChars: MAX_CONTEXT_CHARS }) => {
      const before = await received();
      const kept = await cachedContext(ctx, { spaceId: space.id, ...length });
      return { bytes: (await received()) - before, ...kept };
    };
    const first = await cost();
    expect(first.bytes).toBeGreaterThan(50_000);
    const again = await cost();
    expect(again.context).toBe(first.context);
    expect(again.bytes).toBeLessThan(2_000);
    const { payload } = await previewContext(ctx, { spaceId: space.id });
    expect(await cost({})).toMatchObject({ context: payload.context, truncated: true });
    expect((await cost({})).bytes).toBeLessThan(2_000);
    await write(['Une bougie.'], 'ITEMS');
    await service.db.space.update({ where: { id: space.id }, data: { version: { increment: 1 } } });
    expect((await cost()).context).toContain('Une bougie.');
    expect((await cost({})).context).toContain('Une bougie.');
    await service.db.space.update({ where: { id: space.id }, data: { archivedAt: new Date() } });
    await expect(cost()).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['by itself', false],
    ['in the statement that authenticates', true],
  ])(
    'what this instance assembled already is answered %s without a look at a Memory, even by a plan that reads the whole table',
    async (_, authenticating) => {
      const { ctx, space, member } = await setting(['Un.', 'Deux.']);
      const { secret } = await makeKey(service, member, { scopes: ['brain:read'] });
      const { pool } = service.connection;
      const input = { spaceId: space.id, maxChars: 700 };
      const ask = async () => {
        const read = { scope: 'brain:read', read: contextRead(ctx.clock.now(), input) } as const;
        const found = authenticating
          ? await authenticateKey(ctx, secret, { isWrite: false, read })
          : undefined;
        return getContext(ctx, input, found?.answer());
      };
      const scans = async () => {
        await pool.query('SELECT pg_stat_force_next_flush()');
        const { rows } = await pool.query(
          `SELECT seq_scan + idx_scan AS scans FROM pg_stat_user_tables WHERE relname = 'Memory'`,
        );
        return Number(rows[0].scans);
      };
      // The plan of a small table, which a connection keeps while the table grows.
      const plans = ['enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan'];
      for (const name of plans) await pool.query(`SET ${name} = off`);
      try {
        const before = await scans();
        const first = await ask();
        expect(await scans()).toBeGreaterThan(before);
        // Other connections hand in what they scanned before when they like: a read that looks would count at every try.
        const looks = async () => {
          const once = await scans();
          expect(await ask()).toEqual(first);
          return (await scans()) - once;
        };
        await expect.poll(looks).toBe(0);
      } finally {
        for (const name of plans) await pool.query(`RESET ${name}`);
      }
    },
  );

  test('another instance gives the same bytes, and neither serves what the other knows to be old', async () => {
    const { ctx, space } = await setting(['Un.', 'Deux.']);
    const here = (maxChars = 500) => getContext(ctx, { spaceId: space.id, maxChars });
    vi.resetModules();
    const other = await import('#lib/brain/context/get-context.ts');
    expect(other.getContext).not.toBe(getContext);
    const there = (maxChars = 500) => other.getContext(ctx, { spaceId: space.id, maxChars });
    const first = await here();
    expect(await there()).toEqual(first);
    // A change that neither made: the version in the database is all that tells them.
    const change = (body: string) =>
      service.pool.query(
        `WITH changed AS (UPDATE "Memory" SET body = $2 WHERE "spaceId" = $1 AND title = 'Titre 0') UPDATE "Space" SET version = version + 1 WHERE id = $1`,
        [space.id, body],
      );
    await change('Trois.');
    const second = await there();
    expect(second.json?.text).toContain('Trois.');
    expect(second.etag).not.toBe(first.etag);
    expect(await here()).toEqual(second);
    await change('Un.');
    const third = await here();
    expect(third.json?.text).toBe(first.json?.text);
    expect(await there()).toEqual(third);
  });
});
