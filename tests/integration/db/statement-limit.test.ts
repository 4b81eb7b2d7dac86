import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLogger } from '#lib/core/log.ts';
import { type Connection, connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor } from '#lib/db/types.ts';
import { json } from '#lib/db/values.ts';
import { toServiceError } from '#lib/http/responses/respond.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
/** No statement comes to it by the clock, which goes on while a process is held: `outOfTime` says when it is over. */
const STATEMENT_MS = 61_000;
/** One connection in all: what is given up must not stand in the way of the next statement. */
let own: Connection;
beforeAll(() => {
  own = connect({
    url: service.databaseUrl,
    poolMax: 1,
    statementMs: STATEMENT_MS,
    preparedStatements: preparedBy(process.env),
  });
});
afterAll(() => own?.close());

/** Runs `work` while every read of an account waits. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const holder = await service.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE "Account" IN ACCESS EXCLUSIVE MODE');
    await work();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

/** What comes of `ask`, whose last statement is given up once it waits for its lock. */
async function outOfTime(ask: () => Promise<unknown>): Promise<unknown> {
  const limits: { clear: () => void; over: () => void }[] = [];
  const start = globalThis.setTimeout;
  const watched = (over: () => void, ms?: number, ...more: unknown[]) => {
    const timer = start(over, ms, ...more);
    if (ms === STATEMENT_MS) limits.push({ clear: () => clearTimeout(timer), over });
    return timer;
  };
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(watched as never);
  try {
    const given = ask().catch((error: unknown) => error);
    await untilBlocked(service);
    const last = limits.at(-1);
    if (!last) throw new Error('the statement has no limit');
    last.clear();
    last.over();
    return await given;
  } finally {
    spy.mockRestore();
  }
}

const one = async () => (await sql<{ one: number }>`select 1 as one`.execute(own.kysely)).rows;
const log = createLogger({ write: () => {}, now: () => new Date(0) });
const codeOf = (error: unknown) => toServiceError(error, log, 'req_1').code;

test('a statement that is not answered in time fails as unavailable, and the next one has a connection of its own', async () => {
  await whileLocked(async () => {
    const given = await outOfTime(() => own.kysely.selectFrom('Account').select('id').execute());
    expect(given).toMatchObject({ code: 'ETIMEDOUT', statement: 'select "id" from "Account"' });
    expect(codeOf(given)).toBe('unavailable');
    expect(await one()).toEqual([{ one: 1 }]);
  });
  expect(await own.kysely.selectFrom('Account').select('id').execute()).toEqual([]);
});

test('so does a read by Prisma', async () => {
  await whileLocked(async () => {
    const given = await outOfTime(() => own.db.account.findFirst());
    expect(codeOf(given)).toBe('unavailable');
    expect(await one()).toEqual([{ one: 1 }]);
  });
});

test('a transaction with such a statement ends without waiting for it once more, and leaves nothing', async () => {
  const row = { job: 'given-up', cursor: json({}), updatedAt: new Date(0) };
  await whileLocked(async () => {
    const before = own.roundTrips();
    const given = await outOfTime(() =>
      transaction(own, async (tx) => {
        await tx.insertInto('CronCursor').values(row).execute();
        await tx.selectFrom('Account').select('id').execute();
      }),
    );
    expect(given).toMatchObject({ code: 'ETIMEDOUT' });
    // BEGIN and its two statements: nothing is sent behind the one that hangs.
    expect(own.roundTrips() - before).toBe(3);
    expect(await one()).toEqual([{ one: 1 }]);
  });
  expect(await own.kysely.selectFrom('CronCursor').select('job').execute()).toEqual([]);
});

test('a server that takes reads alone, as after a failover, is unavailable, and its connection is given to nobody else', async () => {
  const row = { job: 'read-only', cursor: json({}), updatedAt: new Date(0) };
  const write = (on: Executor) => on.insertInto('CronCursor').values(row).execute();
  await one();
  let connections = 0;
  own.pool.on('connect', () => {
    connections += 1;
  });
  const given = await transaction(own, async (tx) => {
    await sql`set transaction read only`.execute(tx);
    await write(tx);
  }).catch((error: unknown) => error);
  expect(given).toMatchObject({ code: '25006' });
  expect(codeOf(given)).toBe('unavailable');
  await write(own.kysely);
  expect(connections).toBe(1);
});
