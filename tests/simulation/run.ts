import { connect } from '#lib/db/connection.ts';
import { readOptions } from '#lib/local/options.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { addressOf, startTestServer } from '#tests/setup/server.ts';
import { describeTotals, runSeeds } from './run-seeds.ts';

// npm run simulate -- [--minutes 10] [--schedules 100000] [--seed 7]: the lifecycle simulation for as long as one likes. Without a
// seed, another one each time; a violation is printed with the seed that gives it again.
const { values } = readOptions(
  'npm run simulate -- [--minutes 5] [--schedules N] [--seed N] [--databases 4]',
  {
    options: {
      minutes: { type: 'string', default: '5' },
      schedules: { type: 'string', default: '1000000' },
      seed: { type: 'string' },
      databases: { type: 'string', default: '4' },
    },
  },
);
const firstSeed = values.seed ? Number(values.seed) : Math.floor(Math.random() * 1_000_000_000);
const server = await startTestServer();
const names = Array.from(
  { length: Number(values.databases) },
  (_, index) => `test_${process.pid}_simulate_${index}`,
);
for (const name of names)
  await withSession(server.url, (client) =>
    client.query(`create database "${name}" template "${server.template}"`),
  );
const connections = names.map((name) => connect({ url: addressOf(server.url, name), poolMax: 16 }));
try {
  const totals = await runSeeds(connections, {
    firstSeed,
    schedules: Number(values.schedules),
    untilMs: Date.now() + Number(values.minutes) * 60_000,
  });
  console.log(describeTotals('every kind', totals));
  for (const violation of totals.violations.slice(0, 20)) console.error(violation);
  process.exitCode = totals.violations.length === 0 ? 0 : 1;
} finally {
  await Promise.all(connections.map((connection) => connection.close()));
  for (const name of names)
    await withSession(server.url, (client) => client.query(`drop database if exists "${name}" with (force)`));
  await server.release();
}
