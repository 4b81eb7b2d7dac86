import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#lib/core/log.ts';
import { type Connection, connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor } from '#lib/db/types.ts';
import { toServiceError } from '#lib/http/responses/respond.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 1 });
/** A process whose transactions may be idle for another time than is usual: longer than a machine under load holds it. */
let stopping: Connection;
beforeAll(() => {
  stopping = connect({
    url: service.databaseUrl,
    poolMax: 1,
    idleTransactionMs: 45_000,
    preparedStatements: preparedBy(process.env),
  });
});
afterAll(() => stopping?.close());

async function idleLimit(on: Executor): Promise<string | undefined> {
  const name = 'idle_in_transaction_session_timeout';
  const { rows } = await sql<{ idle: string }>`select current_setting(${name}) as idle`.execute(on);
  return rows[0]?.idle;
}

test('a transaction may be idle for a minute, said as it begins; the next statement on its connection is not told', async () => {
  const usual = await idleLimit(service.kysely);
  const before = service.connection.roundTrips();
  const within = await transaction(service, (tx) => idleLimit(tx));
  // BEGIN, the question, COMMIT.
  expect([within, service.connection.roundTrips() - before]).toEqual(['1min', 3]);
  expect(await idleLimit(service.kysely)).toBe(usual);
});

test('a process that stops inside a transaction keeps its rows from nobody: the server ends it, and nothing of it stays', async () => {
  const at = new Date(0);
  await service.kysely
    .insertInto('Account')
    .values({ id: 'acc_idle', name: 'before', createdAt: at, updatedAt: at })
    .execute();
  const rename = (on: Executor, name: string) =>
    on.updateTable('Account').set({ name }).where('id', '=', 'acc_idle').execute();
  const nameNow = async () => (await service.db.account.findUnique({ where: { id: 'acc_idle' } }))?.name;
  const given = await transaction(stopping, async (tx) => {
    expect(await idleLimit(tx)).toBe('45s');
    await rename(tx, 'stopped');
    // Its time is over soon from here on alone: a machine that is held before does not end it too early.
    await sql`set local idle_in_transaction_session_timeout = 100`.execute(tx);
    // Waits for the row, which nobody here gives back.
    await rename(service.kysely, 'another');
    await rename(tx, 'too late');
  }).catch((error: unknown) => error);
  const log = createLogger({ write: () => {}, now: () => new Date(0) });
  expect(toServiceError(given, log, 'req_1').code).toBe('unavailable');
  expect(await nameNow()).toBe('another');
  // Its connection was thrown away: the next transaction of the process has another.
  await transaction(stopping, (tx) => rename(tx, 'next'));
  expect(await nameNow()).toBe('next');
});
