import './env-file.ts';
import { readOptions } from '#lib/local/options.ts';
import { generateClient } from '#lib/local/prisma/client.ts';
import { seedWorld } from '#lib/local/seed-world.ts';
import { withWorld } from '#lib/local/world.ts';

// npm run seed: the demonstration account, in the embedded database; with --force also in a configured one.
const { values } = readOptions('npm run seed -- [--force]', {
  options: { force: { type: 'boolean', default: false } },
});
await generateClient();
await withWorld(async (world) => {
  const demo = await seedWorld(world, { force: values.force });
  if (demo) console.log(`Demonstration account of ${demo.memberEmail} is in place.`);
  else console.log('DATABASE_URL is set: run with --force to write demonstration data there.');
});
