import { faultFields } from '#lib/core/faults.ts';
import { type Logger, stdoutLogger } from '#lib/core/log.ts';

type Console = { error(...given: unknown[]): void };

/**
 * What Next's server catches by itself (a page that fails, work that it runs after an answer) it prints with its message and every field of
 * it, which quote what somebody wrote. From here on an error given to the console is a line like any other fault's: `server.fault`, with the
 * digest that the page shows as its reference.
 */
export function logFaults(on: Console = console, log: Logger = stdoutLogger): void {
  const print = on.error.bind(on);
  on.error = (...given) => {
    const fault = given.find((one) => one instanceof Error);
    if (fault === undefined) return print(...given);
    log.error('server.fault', { digest: digestOf(fault), ...faultFields(fault) });
  };
}

/** Where a fault that Next caught happened: the route as its file is called, never the address, which has what was searched for. */
export function logFailedPage(
  fault: unknown,
  where: { routePath: string; routeType: string },
  log: Logger = stdoutLogger,
): void {
  log.error('page.failed', { digest: digestOf(fault), route: where.routePath, kind: where.routeType });
}

function digestOf(fault: unknown): string | null {
  const { digest } = (fault ?? {}) as { digest?: unknown };
  return typeof digest === 'string' && /^[\w@-]{1,40}$/.test(digest) ? digest : null;
}
