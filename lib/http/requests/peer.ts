import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** Header in which this process gives routes the address of the connection; whatever a caller sends under it is replaced. */
export const PEER_HEADER = 'x-atelier-peer';

/** Sets `PEER_HEADER` on every request to this process, because routes and pages see headers alone. Once per process, before the first request. */
export function exposePeers(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    const peer = request.socket.remoteAddress;
    if (peer === undefined) delete request.headers[PEER_HEADER];
    else request.headers[PEER_HEADER] = peer;
  });
}
