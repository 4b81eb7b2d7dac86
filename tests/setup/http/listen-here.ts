import type { Server } from 'node:http';

/** Longer than any test waits between two calls. */
const KEEP_ALIVE_MS = 600_000;

/**
 * Opens a server of a test on a free port of loopback. Its connections rest between two calls for longer than callers keep them: Node's own
 * five seconds may run out in a process that was held, just as a caller sends on one.
 */
export async function listenHere(server: Pick<Server, 'listen' | 'keepAliveTimeout'>): Promise<void> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
}
