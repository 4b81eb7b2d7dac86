import { defineConfig } from 'prisma/config';

// Who migrates owns the tables: the application's role may not, and a pooler between does not keep the lock of migrations.
const url = process.env.DATABASE_DIRECT_URL?.trim() || process.env.DATABASE_URL?.trim();

/** Read by Prisma's own CLI (`prisma generate`, and `prisma migrate deploy` where its engine can be downloaded). */
export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
});
