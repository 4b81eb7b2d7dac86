import { keepPostgres } from './server.ts';

// Started by openPostgres in a session of its own; see keepPostgres.
const dataDir = process.argv[2];
if (dataDir) await keepPostgres(dataDir);
