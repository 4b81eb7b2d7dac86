import { generateClient } from '#lib/local/prisma/client.ts';

// npm run generate: the Prisma client of prisma/schema, into lib/db/generated.
console.log((await generateClient()) ? 'Prisma client generated.' : 'Prisma client is up to date.');
