import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connect } from '#lib/db/connection.ts';
import { readCount, readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { addressOf, startTestServer } from '#tests/setup/server.ts';
import { fillGenerations, fillMemories, openAccount, PER_ACCOUNT } from './fill.ts';
import { sizes, statements, type WriterRow, writers } from './measure.ts';
import { type ScaleResults, writeScale } from './report.ts';

// npm run scale -- [--largest 1000000] [--write]: the tables that grow, filled to 10⁴, 10⁵ and 10⁶ rows on a real PostgreSQL; what a row
// weighs, what a hot read costs and how many writes one account takes; then what that says of 10,000 accounts. Some minutes, some GB.
const { values } = readOptions('npm run scale -- [--largest 1000000] [--write]', {
  options: { largest: { type: 'string', default: '1000000' }, write: { type: 'boolean', default: false } },
});
const largest = readCount('largest', values.largest, 10_000);

const raw = path.join(repositoryRoot, '.tmp/scale');
const server = await startTestServer();
const name = `test_${process.pid}_scale`;
await withSession(server.url, (client) =>
  client.query(`create database "${name}" template "${server.template}"`),
);
// The owner: a bulk load without triggers is nothing that an application may do. One connection: its statistics are its own.
const connection = connect({ url: addressOf(server.url, name), poolMax: 1 });
const many = connect({ url: addressOf(server.url, name), poolMax: 16 });
try {
  const steps: ScaleResults['steps'] = [];
  const first = await openAccount(connection);
  const accounts = [first];
  let memories = 0;
  let generations = 0;
  for (let rows = 10_000; rows <= largest; rows *= 10) {
    const beganAt = performance.now();
    const generationsBefore = generations;
    for (; memories < rows; memories += PER_ACCOUNT.memories) {
      const account = memories === 0 ? first : await openAccount(connection);
      if (memories > 0) accounts.push(account);
      await fillMemories(connection, account, memories < 2 * PER_ACCOUNT.memories);
    }
    const generationsAt = performance.now();
    // The account that is asked keeps what it has: what its reads cost more, they cost for rows of others.
    while (generations < rows) {
      const ofOthers = generations - PER_ACCOUNT.asked;
      const left =
        ofOthers < 0 ? PER_ACCOUNT.asked : PER_ACCOUNT.generations - (ofOthers % PER_ACCOUNT.generations);
      const owner = ofOthers < 0 ? first : accounts[1 + Math.floor(ofOthers / PER_ACCOUNT.generations)];
      if (!owner) throw new Error('fewer accounts than their journals need');
      const count = Math.min(rows - generations, left);
      await fillGenerations(connection, owner, count);
      generations += count;
    }
    const generationsPerSecond =
      (generations - generationsBefore) / ((performance.now() - generationsAt) / 1_000);
    await connection.pool.query('VACUUM ANALYZE');
    await connection.pool.query('CHECKPOINT');
    const fillSeconds = (performance.now() - beganAt) / 1_000;
    const step = {
      rows,
      fillSeconds,
      generationsPerSecond,
      sizes: await sizes(connection),
      statements: await statements(connection, first, steps.length),
    };
    steps.push(step);
    // What was measured stays when a larger step is cut.
    mkdirSync(raw, { recursive: true });
    writeFileSync(path.join(raw, 'results.json'), JSON.stringify({ steps }, null, 2));
    console.log(`${rows} rows: ${fillSeconds.toFixed(0)} s to fill`);
    console.table(
      step.statements.map(({ indexes, wholeTables, ...row }) => ({
        ...row,
        wholeTables: wholeTables.join(),
      })),
    );
  }
  const others = accounts
    .slice(-16)
    .map((one) => ({ ...one, ctx: { ...one.ctx, db: many.db, kysely: many.kysely } }));
  const one = others.slice(0, 1);
  await writers(one, 1, 40);
  const spreads = others.length > 1 ? [await writers(others, 16)] : [];
  const written: WriterRow[] = [await writers(one, 1), await writers(one, 16), ...spreads];
  console.table(written);
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model ?? '?'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const page = writeScale({ steps, written, machine, day: new Date().toISOString().slice(0, 10) });
  writeFileSync(path.join(raw, 'results.json'), JSON.stringify({ steps, written, machine }, null, 2));
  if (values.write) writeFileSync(path.join(repositoryRoot, 'docs/scale.md'), page);
  else console.log(page);
} finally {
  await connection.close();
  await many.close();
  await withSession(server.url, (client) => client.query(`drop database if exists "${name}" with (force)`));
  await server.release();
}
