import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '#lib/db/connection.ts';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { openServices } from '#lib/local/services/open-services.ts';
import { CONVERSATION_SETS, TUNING_SETS } from './conversations.ts';
import { compareEvidence } from './evidence.ts';
import { compareWithScan } from './exactness.ts';
import { HELD_OUT_ITEMS } from './held-out-items.ts';
import { compareKnownItems, searchKnownItems } from './known-item-table.ts';
import { KNOWN_ITEMS } from './known-items.ts';
import { writeEvidence, writeReport } from './report.ts';

// npm run eval [-- --quick | --tune]: what search and context find, on data that it makes itself, beside what they are compared with. Prints docs/retrieval.md and
// writes it: the same bytes each time. --quick leaves out 100,000 Memories and writes nothing; --tune prints the questions of the other seeds, to tune on.
const { values } = readOptions('npm run eval [-- --quick | --tune]', {
  options: { quick: { type: 'boolean' }, tune: { type: 'boolean' } },
});
const folder = path.join(repositoryRoot, '.tmp', `eval-${process.pid}`);
await mkdir(folder, { recursive: true });
process.env.SERVICE_DATA_DIR = path.join(folder, 'data');
process.env.SERVICE_ENV = 'development';
delete process.env.DATABASE_URL;

/** Says how far it is, beside what it prints. */
const say = (step: string) => console.error(`… ${step}`);
const services = await openServices({});
const connection = connect({ url: services.databaseUrl, poolMax: 4 });
try {
  if (values.tune) console.log(writeEvidence(await compareEvidence(connection, TUNING_SETS)));
  else await evaluate();
} finally {
  await connection.close();
  await services.close();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function evaluate(): Promise<void> {
  say('known items');
  const search = await searchKnownItems(connection);
  const knownItems = await compareKnownItems(search, KNOWN_ITEMS);
  const heldOutItems = await compareKnownItems(search, HELD_OUT_ITEMS);
  say('questions over conversations');
  const evidence = await compareEvidence(connection, CONVERSATION_SETS);
  const exactness = [];
  for (const size of values.quick ? [1_000, 10_000] : [1_000, 10_000, 100_000]) {
    say(`${size} Memories against a scan`);
    exactness.push(await compareWithScan(connection, size));
  }
  const report = writeReport({ exactness, knownItems, heldOutItems, evidence });
  console.log(report);
  if (!values.quick) await writeFile(path.join(repositoryRoot, 'docs/retrieval.md'), report);
}
