import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** Header in which this process tells the routes whose connection a request came by; whatever a caller sends under it is replaced. */
export const PEER_HEADER = 'x-atelier-peer';

/**
 * From now on every request to this process says in `PEER_HEADER` whose connection it came by: routes and pages see headers
 * alone. Once per process, before the first request.
 */
export function exposePeers(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    const peer = request.socket.remoteAddress;
    if (peer === undefined) delete request.headers[PEER_HEADER];
    else request.headers[PEER_HEADER] = peer;
  });
}
