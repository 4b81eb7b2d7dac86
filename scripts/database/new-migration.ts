import '../env-file.ts';
import { readOptions } from '#lib/local/options.ts';
import { dataFolder } from '#lib/local/paths.ts';
import { openPostgres } from '#lib/local/postgres/server.ts';
import { migrationDrift, writeMigration } from '#lib/local/prisma/migrations.ts';

// npm run migration -- <name>: what prisma/schema says and the migrations do not say yet, as a new migration.
//   --empty   writes a file to fill by hand (triggers, partial indexes) when there is no difference
//   --check   writes nothing; exit code 1 when there is a difference
const { values, positionals } = readOptions('npm run migration -- <name> [--empty] | --check', {
  allowPositionals: true,
  options: { empty: { type: 'boolean' }, check: { type: 'boolean' } },
});
const name = positionals.join(' ');

if (name === '' && !values.check) {
  console.error('Usage: npm run migration -- <name> [--empty], or npm run migration -- --check');
  process.exit(2);
}
const server = await openPostgres({ dataDir: dataFolder() });
try {
  if (values.check) {
    const drift = await migrationDrift(server.url);
    console.log(drift ?? 'The migrations say what prisma/schema says.');
    process.exitCode = drift === undefined ? 0 : 1;
  } else {
    const folder = await writeMigration(server.url, name, { now: new Date(), empty: values.empty ?? false });
    console.log(
      folder ? `prisma/migrations/${folder}/migration.sql` : 'Nothing to write: prisma/schema is unchanged.',
    );
  }
} finally {
  await server.release();
}
