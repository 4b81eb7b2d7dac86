import { pause } from '#lib/core/process/pause.ts';

/** How often an open stream looks for changes, and how long it stays open: within the 60 s that a function has. */
const LOOK_EVERY_MS = 5_000;
const STREAM_MS = 50_000;

/** Looks at once and then every five seconds; ends after 50 seconds, or as soon as `signal` is aborted. Errors: those of `look`. */
export async function pollChanges(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  for (let waitedMs = 0; waitedMs < STREAM_MS && !signal.aborted; waitedMs += LOOK_EVERY_MS) {
    await look();
    await pause(LOOK_EVERY_MS, signal);
  }
}
