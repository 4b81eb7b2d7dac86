import { connect } from '#lib/db/connection.ts';
import { readCount, readOptions } from '#lib/local/options.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { addressOf, startTestServer } from '#tests/setup/server.ts';
import { describeTotals, runSeeds } from './run-seeds.ts';

// npm run simulate -- [--minutes 10] [--schedules 100000] [--seed 7]: the lifecycle simulation for as long as one likes. Without a
// seed, another one each time. A violation is printed with the seed that gives it again, and the first of them with the smallest history in
// which it happens (--histories: of how many seeds).
const { values } = readOptions(
  'npm run simulate -- [--minutes 5] [--schedules N] [--seed N] [--databases 4] [--histories 2]',
  {
    options: {
      minutes: { type: 'string', default: '5' },
      schedules: { type: 'string', default: '1000000' },
      seed: { type: 'string' },
      databases: { type: 'string', default: '4' },
      histories: { type: 'string', default: '2' },
    },
  },
);
const firstSeed =
  values.seed === undefined ? Math.floor(Math.random() * 1_000_000_000) : readCount('seed', values.seed, 0);
const schedules = readCount('schedules', values.schedules);
const histories = readCount('histories', values.histories, 0);
const databases = readCount('databases', values.databases);
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error(`--minutes is a number above zero: ${values.minutes}`);
  process.exit(2);
}
const server = await startTestServer();
const names = Array.from({ length: databases }, (_, index) => `test_${process.pid}_simulate_${index}`);
for (const name of names)
  await withSession(server.url, (client) =>
    client.query(`create database "${name}" template "${server.template}"`),
  );
const connections = names.map((name) => connect({ url: addressOf(server.url, name), poolMax: 16 }));
try {
  const used = process.cpuUsage();
  const startedMs = performance.now();
  const totals = await runSeeds(connections, {
    firstSeed,
    schedules,
    untilMs: Date.now() + minutes * 60_000,
    histories,
  });
  console.log(describeTotals('every kind', totals));
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    `${(totals.schedules / seconds).toFixed(1)} schedules a second; ${((user + system) / 1_000 / totals.schedules).toFixed(1)} ms of this process's processor each, PostgreSQL's apart`,
  );
  for (const history of totals.histories) console.error(history);
  for (const violation of totals.violations.slice(0, 20)) console.error(violation);
  process.exitCode = totals.violations.length === 0 ? 0 : 1;
} finally {
  await Promise.all(connections.map((connection) => connection.close()));
  for (const name of names)
    await withSession(server.url, (client) => client.query(`drop database if exists "${name}" with (force)`));
  await server.release();
}
