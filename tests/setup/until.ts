/** Long enough for a busy machine: a wait ends with its event, and this limit only ends a wait that would never end. */
const LIMIT_MS = 240_000;

/**
 * Repeats a check every `everyMs` milliseconds until it returns something other than undefined, null or false, and returns that. A check that throws
 * is repeated too. After the limit it throws, with `what` and the last error.
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  everyMs = 50,
): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    let fault: unknown;
    try {
      const value = await check();
      if (value !== undefined && value !== null && value !== false) return value;
    } catch (error) {
      fault = error;
    }
    if (performance.now() >= end)
      throw new Error(`Waited ${LIMIT_MS / 1000} s for ${what}.`, { cause: fault });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
