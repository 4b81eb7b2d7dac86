import type pg from 'pg';

/**
 * Makes the loss of a connection fail at most the statement that used it, never the process: an error event without a listener would end it. The
 * pool replaces a lost connection at next use.
 */
export function outliveCuts(pool: pg.Pool): void {
  pool.on('error', () => undefined);
  // The pool's own listener is away from a connection that it hands over, and a server's last word may come in the packet that opened it.
  pool.on('connect', (client) => client.on('error', () => undefined));
}
