import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { createLogger } from '#lib/core/log.ts';
import { logFailedPage, logFaults } from '#lib/http/boot/log-faults.ts';
import { toServiceError } from '#lib/http/responses/respond.ts';

function logged() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => new Date(0) });
  return { lines, log };
}

/** As the driver throws it: the value that a user wrote is in its message and its fields. */
const refused = () =>
  Object.assign(new Error('Key (name)=(SECRET) already exists'), {
    name: 'error',
    code: '23505',
    detail: 'Key (name)=(SECRET) already exists.',
    statement: 'spaces.create',
    digest: '3141592653',
  });

test('a fault that the framework prints is told by its SQLSTATE, its statement, our frames and the digest that the page shows', () => {
  const { lines, log } = logged();
  const printed: unknown[][] = [];
  const server = { error: (...given: unknown[]) => void printed.push(given) };
  logFaults(server, log);
  server.error(' ⨯', refused());
  server.error('a warning without an error', 3);
  expect(printed).toEqual([['a warning without an error', 3]]);
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'server.fault',
      digest: '3141592653',
      error: 'DatabaseError',
      code: '23505',
      statement: 'spaces.create',
    }),
  ]);
  expect(JSON.stringify(lines)).toContain('log-faults.test.ts');
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});

test('a page that failed is told by its route and its digest, never by its address', () => {
  const { lines, log } = logged();
  logFailedPage(refused(), { routePath: '/(cockpit)/recherche/page', routeType: 'render' }, log);
  logFailedPage(
    Object.assign(new Error(), { digest: 'SECRET words' }),
    { routePath: '/x', routeType: 'render' },
    log,
  );
  expect(lines).toMatchObject([
    { event: 'page.failed', digest: '3141592653', route: '/(cockpit)/recherche/page', kind: 'render' },
    { event: 'page.failed', digest: null },
  ]);
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});

test('what caused a refusal that is our fault is told; a refusal that is the caller’s is not', () => {
  const { lines, log } = logged();
  const silent = Object.assign(new Error('SECRET'), { statement: 'store.open', status: 503 });
  const unavailable = new ServiceError('unavailable', { retryAfterSeconds: 5, cause: silent });
  expect(toServiceError(unavailable, log, 'req_1')).toBe(unavailable);
  toServiceError(new ServiceError('not_found', { cause: silent }), log, 'req_2');
  toServiceError(new ServiceError('unavailable'), log, 'req_3');
  toServiceError(new ServiceError('unavailable', { cause: new ServiceError('invalid') }), log, 'req_4');
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'request.failed',
      requestId: 'req_1',
      refusal: 'unavailable',
      statement: 'store.open',
      status: 503,
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});

test('work after an answer goes by runLater alone: the framework would print its failure whole', () => {
  const others = globSync('{app,lib}/**/*.{ts,tsx}').filter((file) =>
    /import \{[^}]*\bafter\b[^}]*\} from 'next\/server'/.test(readFileSync(file, 'utf8')),
  );
  expect(others).toEqual(['lib/http/runtime/run-later.ts']);
});
