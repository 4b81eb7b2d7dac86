import './env-file.ts';

import { run } from '#lib/local/serving/run.ts';
import { StartFault } from '#lib/local/serving/start-once.ts';
import { connectionSentence } from './admin/fault-sentence.ts';

// npm start: the whole service on this machine, built for production.
try {
  process.exitCode = await run('start');
} catch (error) {
  console.error(error instanceof StartFault ? error.message : (connectionSentence(error) ?? error));
  process.exitCode = 1;
}
process.exit();
