import { generateClient } from '#lib/local/prisma/client.ts';

// Preloaded (node --import) by every command whose modules reach the database: their imports are resolved before their first
// line runs, and on a fresh clone the Prisma client is not there yet.
await generateClient();
