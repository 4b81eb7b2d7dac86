import './env-file.ts';

import { applyMigrations } from '#lib/local/prisma/migrations.ts';
import { withDatabase } from '#lib/local/prisma/with-database.ts';

// npm run migrate: brings DATABASE_URL, or the embedded database, up to prisma/migrations.
await withDatabase(async ({ url }) => {
  const applied = await applyMigrations(url);
  console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`);
});
