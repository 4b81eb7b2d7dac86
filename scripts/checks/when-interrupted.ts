import { constants } from 'node:os';

/**
 * Runs `clean` once this command is asked to end (a Ctrl-C, a polite kill, a closed terminal), then ends it with the shell's code of the
 * signal: no `finally` runs for a signal. The same signal a second time ends it at once.
 */
export function whenInterrupted(clean: (signal: NodeJS.Signals) => Promise<void> | void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, async () => {
      try {
        await clean(signal);
      } catch (error) {
        console.error(error);
      }
      process.exit(128 + constants.signals[signal]);
    });
}
