import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transaction } from '#lib/db/transaction.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 1 });

async function waitOf() {
  const { rows } = await sql<{ lock_timeout: string }>`SHOW lock_timeout`.execute(service.kysely);
  return rows;
}

test('a transaction waits for a lock as long as it is told and no longer; the next one on its connection is not told', async () => {
  const at = new Date(0);
  await service.kysely
    .insertInto('Account')
    .values({ id: 'acc_held', name: 'a', createdAt: at, updatedAt: at })
    .execute();
  const rename = (lockWaitMs?: number) =>
    transaction({ kysely: service.kysely, lockWaitMs }, (tx) =>
      tx.updateTable('Account').set({ name: 'b' }).where('id', '=', 'acc_held').execute(),
    );
  const usual = await waitOf();
  const holder = await service.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM "Account" WHERE "id" = 'acc_held' FOR UPDATE`);
    await expect(rename(50)).rejects.toMatchObject({ code: '55P03' });
    expect(await waitOf()).toEqual(usual);
    const patient = rename();
    await holder.query('COMMIT');
    await patient;
  } finally {
    holder.release(true);
  }
  const { name } = await service.db.account.findUniqueOrThrow({ where: { id: 'acc_held' } });
  expect(name).toBe('b');
});
