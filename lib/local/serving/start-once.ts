import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../lock.ts';
import { readRunningServer } from '../state.ts';

/** A fault that whoever typed the command can mend: told in one line, without a stack. */
export class StartFault extends Error {}

/** A first start builds the app, on a machine that does other things. */
const START_LIMIT_MS = 1_800_000;

/**
 * Runs `begin`, which ends with the server written down (`writeRunningServer`), unless one of this data folder runs already. Of two starts at
 * once the second waits for the first: both would take the same port, and the answers of one for those of the other.
 */
export async function startOnce<T>(
  dataDir: string,
  say: (line: string) => void,
  begin: () => Promise<T>,
): Promise<T> {
  await mkdir(dataDir, { recursive: true });
  const waiting = setTimeout(() => say('Ce clone démarre déjà ailleurs\u00a0: attente de sa fin.'), 1_000);
  try {
    return await withLock(
      path.join(dataDir, 'start.lock'),
      async () => {
        clearTimeout(waiting);
        const running = await readRunningServer(dataDir);
        if (running)
          throw new StartFault(`Ce clone tourne déjà\u00a0: ${running.url} (processus ${running.pid}).`);
        return begin();
      },
      START_LIMIT_MS,
    );
  } finally {
    clearTimeout(waiting);
  }
}
