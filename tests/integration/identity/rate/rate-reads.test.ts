import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { spacesRead } from '#lib/brain/spaces/list-spaces.ts';
import { manualClock } from '#lib/core/clock.ts';
import { connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { minuteOf } from '#lib/identity/rate/rate-limit.ts';
import { makeAccount, makeKey } from '#tests/factories/account.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 1 });

it('what a request reads to be counted does not grow with the requests of everybody, whatever the plan believes of a minute', async () => {
  const clock = manualClock('2026-11-22T10:00:30Z');
  const { member } = await makeAccount(service, { now: clock.now() });
  const { secret } = await makeKey(service, member, { now: clock.now() });
  const { windowStart } = minuteOf(clock.now());
  const count = (minutes: number, windows: number) =>
    service.pool.query(
      `INSERT INTO "RateLimitWindow" (key, "startsAt", requests, writes)
       SELECT 'other:' || m || ':' || n, $1::timestamptz - m * interval '1 minute', 1, 0
       FROM generate_series(0, $2::int - 1) AS m, generate_series(1, $3::int) AS n`,
      [windowStart, minutes, windows],
    );
  // Quiet minutes are what the planner knows; the one that follows is not quiet.
  await count(400, 2);
  await service.pool.query('ANALYZE "RateLimitWindow"');
  const { pool } = service.connection;
  const settings = ['enable_seqscan = off', 'plan_cache_mode = force_generic_plan'];
  for (const setting of settings) await pool.query(`SET ${setting}`);
  const rowsRead = async () => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      `SELECT sum(idx_tup_read) AS read FROM pg_stat_user_indexes WHERE relname = 'RateLimitWindow'`,
    );
    return Number(rows[0].read);
  };
  const authenticate = () => authenticateKey({ kysely: service.kysely, clock }, secret, { isWrite: false });
  expect((await authenticate())?.rate).toMatchObject({ requests: 1, accountPasses: true });
  await service.pool.query(
    `INSERT INTO "RateLimitWindow" (key, "startsAt", requests, writes) SELECT 'crowd:' || n, $1, 1, 0 FROM generate_series(1, 3000) AS n`,
    [windowStart],
  );
  const before = await rowsRead();
  expect((await authenticate())?.rate).toMatchObject({ requests: 2, accountPasses: true });
  expect((await rowsRead()) - before).toBeLessThan(40);
});

it('the requests of one credential are counted over all instances', async () => {
  const clock = manualClock('2026-11-22T11:00:00Z');
  const { member } = await makeAccount(service, { now: clock.now() });
  const { secret } = await makeKey(service, member, { now: clock.now() });
  const other = connect({
    url: service.databaseUrl,
    poolMax: 1,
    preparedStatements: preparedBy(process.env),
  });
  try {
    const counted: ({ requests: number; writes: number } | undefined)[] = [];
    for (const kysely of [service.kysely, other.kysely, service.kysely, other.kysely])
      counted.push((await authenticateKey({ kysely, clock }, secret, { isWrite: true }))?.rate);
    expect(counted.map((rate) => [rate?.requests, rate?.writes])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
  } finally {
    await other.close();
  }
});

it('a key is kept as its SHA-256, and its last use to the minute', async () => {
  const clock = manualClock('2026-11-22T12:00:00Z');
  const { member } = await makeAccount(service, { now: clock.now() });
  const { secret, key } = await makeKey(service, member, { now: clock.now() });
  const kept = () => service.db.developerKey.findUniqueOrThrow({ where: { id: key.id } });
  const { tokenHash } = await kept();
  expect(Buffer.from(tokenHash).toString('hex')).toBe(hash('sha256', secret, 'hex'));
  const used: (Date | null)[] = [];
  for (const laterMs of [0, 59_999, 1]) {
    clock.advance(laterMs);
    await authenticateKey({ kysely: service.kysely, clock }, secret, { isWrite: false });
    used.push((await kept()).lastUsedAt);
  }
  expect(used.map((at) => at?.toISOString())).toEqual([
    '2026-11-22T12:00:00.000Z',
    '2026-11-22T12:00:00.000Z',
    '2026-11-22T12:01:00.000Z',
  ]);
});

it('a read that is one too many for its key, or for its whole account, is not made and costs none of the quota', async () => {
  const clock = manualClock('2026-11-22T13:00:00Z');
  const { account, member } = await makeAccount(service, { now: clock.now() });
  const { secret } = await makeKey(service, member, { now: clock.now() });
  const used = async () =>
    (await service.db.readMonth.findFirst({ where: { accountId: account.id } }))?.used ?? 0;
  const ask = async (accountRequests: number) => {
    const read = { scope: 'brain:read', read: spacesRead(clock.now()) } as const;
    const deps = { kysely: service.kysely, clock, accountRequests };
    const found = await authenticateKey(deps, secret, { isWrite: false, read });
    return [found?.rate.accountPasses, await used()];
  };
  expect([await ask(2), await ask(2), await ask(2)]).toEqual([
    [true, 1],
    [true, 2],
    [false, 2],
  ]);
  await service.pool.query(
    'UPDATE "RateLimitWindow" SET requests = 120 WHERE key = (SELECT id FROM "DeveloperKey" WHERE "memberId" = $1)',
    [member.id],
  );
  expect(await ask(1_000)).toEqual([true, 2]);
});
