import { pause } from '#lib/core/resource-limits/pause.ts';
import type { ToolCall } from './host.ts';

/** Well below the silence, usually a minute, after which clients and proxies give up a call. */
const EVERY_SECONDS = 10;

/**
 * Runs `work`, and sends the caller progress notifications with the elapsed seconds meanwhile. Nothing begins for a caller that has already
 * hung up; once begun, the work is done to its end, whether or not notifications can be sent. Errors: those of `work`.
 */
export async function withProgress<T>(
  call: Pick<ToolCall, 'progress'>,
  message: string,
  work: () => Promise<T>,
): Promise<T> {
  await call.progress(0, null, message);
  const end = new AbortController();
  // The caller is gone: the work goes on.
  tellAgain(call, message, end.signal).catch(() => undefined);
  try {
    return await work();
  } finally {
    end.abort();
  }
}

async function tellAgain(
  call: Pick<ToolCall, 'progress'>,
  message: string,
  ended: AbortSignal,
): Promise<void> {
  for (let seconds = EVERY_SECONDS; ; seconds += EVERY_SECONDS) {
    await pause(EVERY_SECONDS * 1_000, ended);
    if (ended.aborted) return;
    await call.progress(seconds, null, message);
  }
}
