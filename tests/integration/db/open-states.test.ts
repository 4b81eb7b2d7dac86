import { expect, test } from 'vitest';
import { recordAudits } from '#lib/core/audit.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { transaction } from '#lib/db/transaction.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

test('open states are constants of the text: the partial index of due rows serves even a generic plan', async () => {
  const query = service.kysely
    .selectFrom('Generation as g')
    .select('g.id')
    .where(inOpenState('g.state'))
    .where('g.dueAt', '<=', new Date(0))
    .compile();
  expect(query.parameters).toHaveLength(1);
  const client = await service.pool.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query('SET enable_seqscan = off');
    await client.query(`PREPARE due AS ${query.sql}`);
    const { rows } = await client.query(`EXPLAIN EXECUTE due('2026-01-01')`);
    expect(JSON.stringify(rows)).toContain('Generation_due');
  } finally {
    client.release(true);
  }
});

test('audit entries written in a transaction go with it', async () => {
  const ctx = testContext(service, { type: 'admin' });
  const write = (founderId: string, fails: boolean) =>
    transaction(ctx, async (tx) => {
      await recordAudits(tx, ctx, [
        {
          action: 'account.created',
          accountId: null,
          subject: { type: 'account', id: 'acc_1' },
          data: { founderId },
        },
      ]);
      if (fails) throw new Error('no');
    });
  await write('mbr_1', false);
  await expect(write('mbr_2', true)).rejects.toThrow('no');
  const entries = await service.db.auditEntry.findMany({ select: { action: true, data: true } });
  expect(entries).toEqual([{ action: 'account.created', data: { founderId: 'mbr_1' } }]);
});
