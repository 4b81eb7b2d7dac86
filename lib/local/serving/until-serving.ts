/** How long `npm start` waits for what it started; all in milliseconds. */
type Patience = {
  /** In all. On a machine that does other things, too: what counts is that it answers. */
  wholeMs: number;
  /** How long an answer may be wrong: the first request compiles and connects. */
  wrongMs: number;
  /**
   * How long the service may say itself that something it stands on does not answer. On a busy machine one slow look is enough for it
   * to say so, and it says what it found for 15 seconds (lib/http/runtime/health.ts).
   */
  notYetMs: number;
  /** Between two requests, once it answers. */
  everyMs: number;
};

export const PATIENCE: Patience = { wholeMs: 600_000, wrongMs: 15_000, notYetMs: 120_000, everyMs: 500 };
const SILENT_EVERY_MS = 60;
const ANSWER_LIMIT_MS = 120_000;

/** The header of a mark that the server started with it returns (serve-hooks.ts), and no other does. */
export const SERVED_BY = 'x-atelier-served-by';

/**
 * Undefined once real requests are answered: `/api/health` (database, migrations, store) with 200 and the first page with no error. Else
 * what is wrong, in French: whoever typed `npm start` reads it. `ended` gives how the server ended, or null while it runs. `mark`: answers
 * without it are another server’s, which took the port first; they say nothing of the one that is waited for.
 */
export async function untilServing(
  url: string,
  ended: () => string | number | null,
  { mark, ...patience }: Patience & { mark?: string } = PATIENCE,
): Promise<string | undefined> {
  const beganAt = performance.now();
  let wrongSince: number | undefined;
  let fault = 'Le serveur ne répond pas.';
  while (performance.now() - beganAt < patience.wholeMs) {
    const end = ended();
    if (end !== null) return `Le serveur s’est arrêté en démarrant (${end}).`;
    const found = await firstFault(url, mark);
    if (found === undefined) return undefined;
    if (found !== 'silent') {
      fault = found.said;
      wrongSince ??= performance.now();
      const limitMs = found.isNotYet ? patience.notYetMs : patience.wrongMs;
      if (performance.now() - wrongSince > limitMs) break;
    }
    await new Promise((resolve) =>
      setTimeout(resolve, found === 'silent' ? SILENT_EVERY_MS : patience.everyMs),
    );
  }
  return fault;
}

type Fault = { said: string; isNotYet: boolean };

/** What is wrong with its answers now; `silent` while it answers nothing at all. */
async function firstFault(url: string, mark: string | undefined): Promise<Fault | 'silent' | undefined> {
  for (const [path, isGood] of [
    ['/api/health', (status: number) => status === 200],
    ['/', (status: number) => status < 500],
  ] as const) {
    try {
      const response = await fetch(url + path, {
        redirect: 'manual',
        headers: mark === undefined ? {} : { [SERVED_BY]: mark },
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      const text = (await response.text()).slice(0, 300);
      if (mark !== undefined && response.headers.get(SERVED_BY) !== mark) return 'silent';
      if (isGood(response.status)) continue;
      const checks = response.headers.get('content-type')?.includes('json') ? `\u00a0: ${text}` : '';
      return {
        said: `Le serveur a démarré, mais ${path} répond ${response.status}${checks}.`,
        isNotYet: response.status === 503,
      };
    } catch {
      return 'silent';
    }
  }
  return undefined;
}
