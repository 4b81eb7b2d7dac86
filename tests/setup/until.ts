/** Long enough for a machine with other things to do; a wait ends on its event, and this only tells a fault from patience. */
const LIMIT_MS = 240_000;

/**
 * Asks again until the answer is neither undefined, null nor false, and gives it. A check that throws is asked again too. When the limit
 * passes it throws what was waited for, and what the check last threw.
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
