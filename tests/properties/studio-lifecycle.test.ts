import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, connect } from '#lib/db/connection.ts';
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts';
import { brokenCloser } from '#tests/simulation/broken-closer.ts';
import { describeTotals, runSeeds } from '#tests/simulation/run-seeds.ts';

const DATABASES = 4;
/** Like every limit of time here, it only ends what would never end: a busy machine lives four schedules a second. */
const PATIENCE = { timeout: 3_600_000 };
const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 1);

let databases: TestDatabase[] = [];
let connections: Connection[] = [];

beforeAll(async () => {
  databases = await Promise.all(Array.from({ length: DATABASES }, () => createTestDatabase()));
  connections = databases.map(({ url }) => connect({ url, poolMax: 16 }));
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await Promise.all(databases.map((database) => database.drop()));
});

// Every call to the database, the store and the providers may fail (before or after it took effect) or be the process's last;
// all that happens together is interleaved call by call, in an order that the seed decides.
describe('a generation ends once, whatever happens', () => {
  it('synchronous kinds: requests repeated, sweeps, faults and deaths at every call', PATIENCE, async () => {
    const totals = await runSeeds(connections, {
      firstSeed: FIRST_SEED,
      schedules: 500,
      synchronousOnly: true,
    });
    console.log(describeTotals('synchronous kinds', totals));
    expect(totals.violations).toEqual([]);
    expect(totals.states.COMPLETED).toBeGreaterThan(100);
  });

  it(
    'jobs: webhooks, readers, callbacks and sweeps together, in 2,000 schedules and more',
    PATIENCE,
    async () => {
      const totals = await runSeeds(connections, { firstSeed: FIRST_SEED + 100_000, schedules: 2_000 });
      console.log(describeTotals('every kind', totals));
      expect(totals.violations).toEqual([]);
      // Some of what is asked later comes from whom a change has shut out.
      expect(totals.states['SHUT OUT']).toBeGreaterThan(0);
      // The schedules reach every end there is.
      for (const end of [
        'provider-failure',
        'setting-dropped',
        'video_timeout',
        'orphaned',
        'no-callback',
        'quota',
      ])
        expect(totals.states[`FAILED ${end}`], end).toBeGreaterThan(0);
    },
  );

  it('a closer that looks before it acts is caught', async () => {
    const caught = /changed after it closed|debited/;
    const totals = await runSeeds(connections, {
      firstSeed: FIRST_SEED + 200_000,
      schedules: 200,
      closer: brokenCloser,
      asynchronousOnly: true,
      // Once it is caught, more schedules would show nothing else.
      untilFault: caught,
    });
    expect(totals.violations.length).toBeGreaterThan(0);
    expect(totals.violations.join('\n')).toMatch(caught);
  });
});
