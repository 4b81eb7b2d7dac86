import './env-file.ts';

import { run } from '#lib/local/serving/run.ts';
import { StartFault } from '#lib/local/serving/start-once.ts';
import { connectionSentence } from './admin/fault-sentence.ts';

// npm run dev: the whole service on this machine, with hot reload.
try {
  process.exitCode = await run('dev');
} catch (error) {
  console.error(error instanceof StartFault ? error.message : (connectionSentence(error) ?? error));
  process.exitCode = 1;
}
process.exit();
