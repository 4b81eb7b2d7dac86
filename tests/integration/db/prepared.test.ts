import { sql } from 'kysely';
import { expect, expectTypeOf, test } from 'vitest';
import { preparedBy } from '#lib/db/pool.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isAnyOf, json } from '#lib/db/values.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 1 });

const findAccounts = prepared(
  'test.find-accounts',
  (db, p: Params<{ names: string[]; capacityCu: number }>) =>
    db
      .selectFrom('Account')
      .select(['id', 'name', 'createdAt'])
      .where(isAnyOf('name', p.names))
      .where('capacityCu', '>=', p.capacityCu)
      .orderBy('name'),
);

const row = (name: string) => ({ id: `acc_${name}`, name, createdAt: new Date(0), updatedAt: new Date(0) });

test('a prepared statement is parsed once per connection, under a name derived from its text, and takes new values', async () => {
  await service.kysely
    .insertInto('Account')
    .values([row('a'), row('b')])
    .execute();
  const first = await findAccounts.all(service.kysely, { names: ['a', 'b'], capacityCu: 0 });
  expectTypeOf(first).toEqualTypeOf<{ id: string; name: string; createdAt: Date }[]>();
  expect(first).toEqual([
    { id: 'acc_a', name: 'a', createdAt: new Date(0) },
    { id: 'acc_b', name: 'b', createdAt: new Date(0) },
  ]);
  expect(await findAccounts.all(service.kysely, { names: ['b'], capacityCu: 0 })).toHaveLength(1);
  expect(await findAccounts.first(service.kysely, { names: ['b'], capacityCu: 1 })).toBeUndefined();
  const { rows } = await service.connection.pool.query(
    `SELECT name, generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE name LIKE 'test.find-accounts.%'`,
  );
  const named = [{ name: expect.stringMatching(/^test\.find-accounts\.[0-9a-f]{16}$/), runs: '3' }];
  // Behind a pooler that follows no prepared statements none has a name (npm run deployment-test).
  expect(rows).toEqual(preparedBy(process.env) ? named : []);
});

test('money and counts are bigint, dates are Date, JSON is a value', async () => {
  const { rows } = await sql<{ n: bigint; at: Date; value: unknown }>`
    SELECT count(*) AS n, ${new Date(1_000)}::timestamptz AS at, ${json(['a', { b: 1 }])} AS value
    FROM (SELECT 1) one`.execute(service.kysely);
  expect(rows).toEqual([{ n: 1n, at: new Date(1_000), value: ['a', { b: 1 }] }]);
});

test('a transaction that throws leaves nothing, and its connection is used again', async () => {
  await expect(
    transaction(service, async (tx) => {
      await tx.insertInto('Account').values(row('c')).execute();
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await findAccounts.all(service.kysely, { names: ['c'], capacityCu: 0 })).toEqual([]);
  expect(service.connection.pool.totalCount).toBe(1);
});

test('a transaction that goes on after one of its statements failed is no success: nothing of it is kept, and its caller is told', async () => {
  const ended = transaction(service, async (tx) => {
    await tx.insertInto('Account').values(row('e')).execute();
    await tx
      .insertInto('Account')
      .values(row('a'))
      .execute()
      .catch(() => undefined);
    return 'written';
  });
  await expect(ended).rejects.toThrow('the transaction was rolled back');
  expect(await findAccounts.all(service.kysely, { names: ['e'], capacityCu: 0 })).toEqual([]);
  expect(service.connection.pool.totalCount).toBe(1);
});

test('a statement sent after its transaction ended is refused', async () => {
  const late = await transaction(service, async (tx) => tx);
  await expect(late.selectFrom('Account').select('id').execute()).rejects.toThrow('already committed');
});

test('a failed statement names itself, its SQLSTATE and our own frames, never its values', async () => {
  const insert = prepared('test.insert', (db, p: Params<{ id: string; name: string }>) =>
    db.insertInto('Account').values({ ...row('x'), id: p.id, name: p.name }),
  );
  const error = (await insert
    .run(service.kysely, { id: 'acc_a', name: 'a secret' })
    .catch((one) => one)) as Error & {
    statement: string;
    code: string;
  };
  expect(error).toMatchObject({ statement: 'test.insert', code: '23505' });
  expect(error.stack).toContain('prepared.test.ts');
  expect(error.stack).not.toContain('a secret');
});

test('a connection whose rollback fails is thrown away', async () => {
  const failing = interceptedQueries(service.connection.pool, {
    before({ label }) {
      if (label === 'rollback') throw new Error('gone');
    },
  });
  await expect(
    transaction({ kysely: failing }, async (tx) => {
      await tx.insertInto('Account').values(row('d')).execute();
      throw new Error('no');
    }),
  ).rejects.toThrow();
  expect(await findAccounts.all(service.kysely, { names: ['d'], capacityCu: 0 })).toEqual([]);
});

test('a process that dies while its rollback is under way gives its connection back once', async () => {
  let abort: () => Promise<void> = async () => {};
  let aborted: Promise<void> | undefined;
  const queries = interceptedQueries(service.connection.pool, {
    acquired: (_, end) => {
      abort = end;
    },
    around: (statement, send) => {
      const sent = send();
      if (statement.label === 'rollback') aborted = abort();
      return sent;
    },
  });
  const ended = transaction({ ...service, kysely: queries }, async () => {
    throw new Error('no');
  });
  await expect(ended).rejects.toThrow('no');
  await aborted;
  expect(service.connection.pool.idleCount).toBe(1);
});

const wholeAccount = prepared('test.whole-account', (db, p: Params<{ name: string }>) =>
  db.selectFrom('Account').selectAll().where('name', '=', p.name),
);

test('a statement of all columns goes on while a migration adds one: what was prepared before is parsed anew, once', async () => {
  const read = () => wholeAccount.first(service.kysely, { name: 'later' });
  const names = async () => {
    const { rows } = await service.connection.pool.query<{ name: string }>(
      `SELECT name FROM pg_prepared_statements WHERE name LIKE 'test.whole-account.%' ORDER BY 1`,
    );
    return rows.length;
  };
  await service.kysely.insertInto('Account').values(row('later')).execute();
  expect(await read()).toMatchObject({ id: 'acc_later' });
  await service.pool.query('ALTER TABLE "Account" ADD COLUMN "addedLater" text');
  try {
    expect(await read()).toMatchObject({ id: 'acc_later', addedLater: null });
    const before = service.connection.roundTrips();
    expect(await read()).toMatchObject({ id: 'acc_later', addedLater: null });
    expect(service.connection.roundTrips() - before).toBe(1);
    expect(await names()).toBe(preparedBy(process.env) ? 2 : 0);
  } finally {
    await service.pool.query('ALTER TABLE "Account" DROP COLUMN "addedLater"');
  }
  // A transaction in which it was refused has failed; the next one is answered.
  const inTransaction = () => transaction(service, (tx) => wholeAccount.first(tx, { name: 'later' }));
  if (preparedBy(process.env)) await expect(inTransaction()).rejects.toMatchObject({ code: '0A000' });
  expect(await inTransaction()).not.toHaveProperty('addedLater');
});
