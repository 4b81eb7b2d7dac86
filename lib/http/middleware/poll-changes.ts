import { pause } from '#lib/core/resource-limits/pause.ts';

/** How often an open stream polls for changes, and how long it stays open: well below any platform's request limit. */
const POLL_EVERY_MS = 5_000;
const STREAM_MS = 50_000;

/** Polls at once and then every five seconds; ends after 50 seconds, or as soon as `signal` is aborted. Errors: those of `poll`. */
export async function pollChanges(signal: AbortSignal, poll: () => Promise<void>): Promise<void> {
  for (let waitedMs = 0; waitedMs < STREAM_MS && !signal.aborted; waitedMs += POLL_EVERY_MS) {
    await poll();
    await pause(POLL_EVERY_MS, signal);
  }
}
