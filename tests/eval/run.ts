import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '#lib/db/connection.ts';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { openServices } from '#lib/local/services/open-services.ts';
import { TUNING_SETS } from './conversations.ts';
import { evaluate, WHOLE } from './evaluate.ts';
import { compareEvidence } from './evidence.ts';
import { EVERY_PEER } from './peers.ts';
import { writeEvidence } from './report.ts';

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
  if (values.tune) console.log(writeEvidence(await compareEvidence(connection, TUNING_SETS, EVERY_PEER)));
  else {
    const report = await evaluate(
      connection,
      values.quick ? { ...WHOLE, sizes: [1_000, 10_000] } : WHOLE,
      say,
    );
    console.log(report);
    if (!values.quick) await writeFile(path.join(repositoryRoot, 'docs/retrieval.md'), report);
  }
} finally {
  await connection.close();
  await services.close();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
