import { faultFields } from '#lib/core/faults.ts';
import { type Logger, stdoutLogger } from '#lib/core/log.ts';

type Console = { error(...given: unknown[]): void };

/**
 * Next's server prints the errors that it catches by itself (a page that fails, work after an answer) with their message and fields, which
 * quote user input. Once this is called, an error given to the console is logged like any other fault, as `server.fault`, with the digest that
 * the page shows as its reference.
 */
export function logFaults(on: Console = console, log: Logger = stdoutLogger): void {
  const print = on.error.bind(on);
  on.error = (...given) => {
    const fault = given.find((one) => one instanceof Error);
    if (fault === undefined) return print(...given);
    log.error('server.fault', { digest: digestOf(fault), ...faultFields(fault) });
  };
}

/** Logs where a fault that Next caught happened: the route's file path, never the address, which holds search terms. */
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
