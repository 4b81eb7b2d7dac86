import { expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { isNightMissed } from '#lib/http/runtime/night-missed.ts';
import { testContext } from '#tests/factories/context.ts';
import { explainedQueries } from '#tests/factories/statements/explained-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

test('a night is missed once 03:40 UTC passed without it, of a service that ran before; it is had as soon as it began', async () => {
  const clock = manualClock('2026-03-02T08:00:00Z');
  const isMissed = () =>
    isNightMissed(testContext(service, { type: 'system', job: 'retention' } as const, { clock }));
  const run = (id: string, job: string, at: string, report = {}) =>
    service.db.cronRun.create({ data: { id, job, startedAt: new Date(at), report } });
  // New this morning.
  await run('run_1', 'generations-sweep', '2026-03-02T07:55:00Z');
  expect(await isMissed()).toBe(false);
  await run('run_2', 'generations-sweep', '2026-03-01T20:00:00Z');
  expect(await isMissed()).toBe(true);
  await run('run_3', 'retention', '2026-03-01T03:40:00Z');
  expect(await isMissed()).toBe(true);
  // Files alone, asked for at a shell.
  await run('run_hand', 'retention', '2026-03-02T07:59:00Z', { byHand: true });
  expect(await isMissed()).toBe(true);
  await run('run_4', 'retention', '2026-03-02T08:00:00Z');
  expect(await isMissed()).toBe(false);
  // Until the hour of the next one.
  clock.advance(19 * 3_600_000);
  expect(await isMissed()).toBe(false);
  clock.advance(3_600_000);
  expect(await isMissed()).toBe(true);
});

test('it is told from the index of runs, however many there were', async () => {
  const of = ({ text }: { text: string }) => text.includes('"CronRun"');
  const { kysely, plans } = explainedQueries(service, { of, off: ['enable_seqscan', 'enable_bitmapscan'] });
  const ctx = testContext(service, { type: 'system', job: 'retention' } as const);
  await isNightMissed({ ...ctx, kysely });
  expect(plans).toHaveLength(1);
  expect(plans[0]?.match(/"CronRun_job_startedAt_idx"/g)).toHaveLength(2);
  expect(plans[0]?.match(/Index Cond: \(\(job = .*"startedAt" [<>]/g)).toHaveLength(2);
});
