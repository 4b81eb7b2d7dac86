import { pause } from '#lib/core/resource-limits/pause.ts';
import type { ToolCall } from './host.ts';

/** Well within the silence after which clients and proxies give up a call: a minute, by habit. */
const EVERY_SECONDS = 10;

/**
 * Does `work` and tells its caller meanwhile that it goes on, with the seconds that went by. Who hung up before it began has nothing begun; once it has, it is done to its end, whether
 * that can be told or not. Errors: those of `work`.
 */
export async function tellingOn<T>(
  call: Pick<ToolCall, 'progress'>,
  message: string,
  work: () => Promise<T>,
): Promise<T> {
  await call.progress(0, null, message);
  const end = new AbortController();
  // Nobody is left to be told: the work goes on.
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
