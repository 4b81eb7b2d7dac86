import { type AddressInfo, connect as connectTo, createServer, type Server } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 1 });

/** A way to the server that can forget its connections, as a network does of a machine that sleeps: nobody is told. */
let way: Server;
let generation = 0;
const forgetAll = () => {
  generation += 1;
};
/** The clock of the wall, which goes on while a process is held; its timers do not. */
let nowMs = 0;
let own: Connection;
let opened = 0;

beforeAll(async () => {
  const server = new URL(service.databaseUrl);
  way = createServer((near) => {
    const mine = generation;
    const far = connectTo({ host: server.hostname, port: Number(server.port) });
    const isKnown = () => mine === generation;
    near.on('data', (bytes) => isKnown() && far.write(bytes));
    far.on('data', (bytes) => isKnown() && near.write(bytes));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((done) => way.listen(0, '127.0.0.1', () => done()));
  const url = new URL(service.databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((way.address() as AddressInfo).port);
  own = connect({
    url: url.href,
    poolMax: 3,
    // Ends a wait that would last for ever; none is reached.
    statementMs: 30_000,
    preparedStatements: preparedBy(process.env),
    nowMs: () => nowMs,
  });
  own.pool.on('connect', () => {
    opened += 1;
  });
});
afterAll(async () => {
  await own?.close();
  way?.close();
});

const one = async () => (await sql<{ one: number }>`select 1 as one`.execute(own.kysely)).rows;
const byPrisma = () => own.db.account.count();

test('connections that a process slept on are left: each statement after it is answered at once, by a connection of its own', async () => {
  await Promise.all([one(), one(), one()]);
  expect(opened).toBe(3);
  forgetAll();
  nowMs += 10 * 60_000;
  expect(await Promise.all([one(), byPrisma(), one(), one(), byPrisma()])).toEqual([
    [{ one: 1 }],
    0,
    [{ one: 1 }],
    [{ one: 1 }],
    0,
  ]);
  expect(own.pool.totalCount).toBeLessThanOrEqual(3);
});

test('one that rested for exactly the time that none may rest for is left, and one a moment before it is kept', async () => {
  await one();
  const before = opened;
  nowMs += 59_999;
  await one();
  expect(opened).toBe(before);
  nowMs += 60_000;
  await one();
  expect(opened).toBe(before + 1);
});

test('those in use and those that just were are kept', async () => {
  await one();
  const before = opened;
  nowMs += 20_000;
  await one();
  await byPrisma();
  // A clock that was set back says nothing of how long.
  nowMs -= 3_600_000;
  await one();
  expect(opened).toBe(before);
});
