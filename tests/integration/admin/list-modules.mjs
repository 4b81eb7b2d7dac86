import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Preloaded by modules.test.ts: the address of every module that the process loads, one a line, into MODULES_FILE.
const seen = [];
registerHooks({
  load(url, context, next) {
    seen.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.MODULES_FILE, seen.join('\n')));
