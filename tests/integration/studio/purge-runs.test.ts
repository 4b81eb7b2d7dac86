import { expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import { purgeRuns } from '#lib/studio/operations/purge-runs.ts';
import { testContext } from '#tests/factories/context.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const DAY_MS = 86_400_000;

it('runs of jobs are kept for 90 days, and the last of each job for as long as there is no other', async () => {
  await service.db.cronRun.deleteMany();
  const clock = manualClock('2026-11-26T03:00:00Z');
  const ctx = testContext(service, { type: 'system', job: 'retention' } as const, { clock });
  const run = (job: string, daysAgo: number) => {
    const startedAt = new Date(clock.now().getTime() - daysAgo * DAY_MS);
    return { id: createId('cronRun', startedAt), job, startedAt };
  };
  const sweeps = [91, 90.01, 89.99, 1].map((daysAgo) => run('generations-sweep', daysAgo));
  // No night since: the last of them says so.
  const nights = [200, 199].map((daysAgo) => run('retention', daysAgo));
  await service.db.cronRun.createMany({ data: [...sweeps, ...nights] });
  expect(await purgeRuns(ctx)).toBe(3);
  const left = await service.db.cronRun.findMany({ orderBy: { startedAt: 'asc' }, select: { id: true } });
  expect(left.map(({ id }) => id)).toEqual([nights[1], sweeps[2], sweeps[3]].map((one) => one?.id));
  expect(await purgeRuns(ctx)).toBe(0);
});

it('they are found by index, however many there are', async () => {
  const startedAt = new Date('2026-11-26T03:00:00Z');
  await service.db.cronRun.createMany({
    data: Array.from({ length: 20_000 }, (_, n) => ({
      id: `run_many_${n}`,
      job: 'generations-sweep',
      startedAt: new Date(startedAt.getTime() - n * 60_000),
    })),
  });
  await service.pool.query('ANALYZE "CronRun"');
  const plans: string[] = [];
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ text, parameters }) {
      if (!text.startsWith('delete from "CronRun"')) return;
      const { rows } = await service.pool.query(`EXPLAIN ${text}`, [...parameters]);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    },
  });
  const ctx = testContext({ ...service, kysely }, { type: 'system', job: 'retention' } as const, {
    clock: manualClock(startedAt.toISOString()),
  });
  expect(await purgeRuns(ctx)).toBe(0);
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).not.toContain('Seq Scan');
});

// Last: it leaves a run that is due.
it('one that somebody holds stays for another night, which waits for nobody', async () => {
  await service.db.cronRun.deleteMany();
  const clock = manualClock('2026-11-26T03:00:00Z');
  const ctx = testContext(service, { type: 'system', job: 'retention' } as const, { clock });
  const ids = [200, 199, 1].map((daysAgo) => {
    const startedAt = new Date(clock.now().getTime() - daysAgo * DAY_MS);
    return { id: createId('cronRun', startedAt), job: 'retention', startedAt };
  });
  await service.db.cronRun.createMany({ data: ids });
  const hold = { text: 'SELECT 1 FROM "CronRun" WHERE id = $1 FOR UPDATE', values: [ids[0]?.id] };
  expect(await claimedMeanwhile(service, hold, () => purgeRuns(ctx))).toEqual({ came: 1, waited: false });
});
