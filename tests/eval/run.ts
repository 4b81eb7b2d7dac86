import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '#lib/db/connection.ts';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { openServices } from '#lib/local/services/open-services.ts';
import { TUNING_SETS } from './conversations.ts';
import { evaluate, type Part, partsOf, WHOLE } from './evaluate.ts';
import { compareEvidence } from './evidence.ts';
import { EVERY_PEER } from './peers.ts';
import { writeEvidence } from './report.ts';

// npm run eval [-- --quick | --tune | --resume | --only part]: what search and context find, on data that it makes itself, beside what they are compared with. Prints
// docs/retrieval.md and writes it: the same bytes each time. --quick leaves out 100,000 Memories and writes nothing; --tune prints the questions of the other seeds, to tune on.
// --only measures one part (known-items, strangers, questions, scan-100000…) and keeps it; --resume takes what is kept of these trees, and keeps the rest as it goes: a run may be cut.
const { values } = readOptions('npm run eval [-- --quick | --tune | --resume | --only part]', {
  options: {
    quick: { type: 'boolean' },
    tune: { type: 'boolean' },
    resume: { type: 'boolean' },
    only: { type: 'string' },
  },
});
const folder = path.join(repositoryRoot, '.tmp', `eval-${process.pid}`);
await mkdir(folder, { recursive: true });
process.env.SERVICE_DATA_DIR = path.join(folder, 'data');
process.env.SERVICE_ENV = 'development';
delete process.env.DATABASE_URL;

/** What decides the result, as git names it. */
const measured = ['HEAD:lib/brain', 'HEAD:tests/eval', 'HEAD:tests/bench', 'HEAD:tests/simulation/random.ts'];
const trees = execFileSync('git', ['rev-parse', ...measured], { encoding: 'utf8' })
  .trim()
  .split('\n');
const keptIn = path.join(repositoryRoot, '.tmp/eval-parts', trees.map((tree) => tree.slice(0, 10)).join('-'));

/** Measures a part, or gives what was kept of it. */
async function take<T>({ name, measure }: Part<T>): Promise<T> {
  const file = path.join(keptIn, `${name}.json`);
  const kept = values.resume ? await readFile(file, 'utf8').catch(() => null) : null;
  if (kept !== null) return JSON.parse(kept) as T;
  // Says how far it is, beside what it prints.
  console.error(`… ${name}`);
  const result = await measure();
  if (values.resume || values.only) {
    await mkdir(keptIn, { recursive: true });
    await writeFile(file, JSON.stringify(result));
  }
  return result;
}

async function takeOnly(wanted: string): Promise<void> {
  const { items, strangers, questions, scans } = partsOf(connection, WHOLE);
  const one = [items, strangers, questions, ...scans].find(({ name }) => name === wanted);
  if (!one) throw new Error(`No part of the evaluation is called ${wanted}.`);
  await take<unknown>(one);
}

const services = await openServices({});
const connection = connect({ url: services.databaseUrl, poolMax: 4 });
try {
  if (values.tune) console.log(writeEvidence(await compareEvidence(connection, TUNING_SETS, EVERY_PEER)));
  else if (values.only) await takeOnly(values.only);
  else {
    const size = values.quick ? { ...WHOLE, sizes: [1_000, 10_000] } : WHOLE;
    const report = await evaluate(connection, size, take);
    console.log(report);
    if (!values.quick) await writeFile(path.join(repositoryRoot, 'docs/retrieval.md'), report);
  }
} finally {
  await connection.close();
  await services.close();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
