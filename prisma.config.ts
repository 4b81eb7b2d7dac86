import { defineConfig } from 'prisma/config';

const url = process.env.DATABASE_URL;

/** Read by Prisma's own CLI (`prisma generate`, and `prisma migrate deploy` where its engine can be downloaded). */
export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
});
