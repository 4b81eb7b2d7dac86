import '../env-file.ts';
import { readOptions } from '#lib/local/options.ts';
import { generateClient } from '#lib/local/prisma/client.ts';
import { ensureDemonstration } from '#lib/local/services/ensure-demonstration.ts';
import { withServices } from '#lib/local/services/open-services.ts';

// npm run seed: the demonstration account, in the embedded database; with --force also in a configured one.
const { values } = readOptions('npm run seed -- [--force]', {
  options: { force: { type: 'boolean', default: false } },
});
await generateClient();
await withServices(async (services) => {
  const demo = await ensureDemonstration(services, { force: values.force });
  if (demo) console.log(`Demonstration account of ${demo.memberEmail} is in place.`);
  else console.log('DATABASE_URL is set: run with --force to write demonstration data there.');
});
