import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type Balancer = {
  url: string;
  /** Whom requests are sent to from now on, in turn. */
  setInstances(urls: readonly string[]): void;
  /** How many answers came from each instance. */
  answered: ReadonlyMap<string, number>;
  close(): Promise<void>;
};

/** What can be asked again of another instance when the first one dies before it answers: it may have done the rest already. */
const isRepeatable = (method: string | undefined) => method === 'GET' || method === 'HEAD';

/**
 * A balancer as people put one before several instances: each request goes to the next of them, a connection that is refused goes on to
 * another, and a read whose instance dies before its answer begins is asked of another (nginx: proxy_next_upstream error). The public
 * host is passed on, so that origins are checked as in production.
 */
export async function startBalancer(publicUrl: string): Promise<Balancer> {
  const host = new URL(publicUrl).host;
  const answered = new Map<string, number>();
  let instances: readonly string[] = [];
  let turn = 0;

  const send = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, triesLeft: number) => {
    turn += 1;
    const instance = instances[turn % instances.length];
    if (!instance) {
      outgoing.writeHead(502).end();
      return;
    }
    const upstream = request(new URL(incoming.url ?? '/', instance), {
      method: incoming.method,
      headers: { ...incoming.headers, host, 'x-forwarded-proto': 'https', 'x-forwarded-host': host },
      agent: false,
    });
    let isSent = false;
    upstream.on('socket', (socket) => socket.once('connect', () => (isSent = true)));
    upstream.on('response', (answer) => {
      answered.set(instance, (answered.get(instance) ?? 0) + 1);
      const { connection: _, 'keep-alive': __, ...headers } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    upstream.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else if (triesLeft > 0 && (!isSent || isRepeatable(incoming.method)))
        send(incoming, body, outgoing, triesLeft - 1);
      else outgoing.writeHead(502).end();
    });
    upstream.end(body);
  };

  // A body is taken whole first, as balancers do: an instance that refuses the connection has taken none of it from the next.
  const server = createServer((incoming, outgoing) => {
    buffer(incoming).then(
      (body) => send(incoming, body, outgoing, instances.length),
      () => outgoing.destroy(),
    );
  });
  // A client never sends on a connection that this end is about to close.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setInstances(urls) {
      instances = urls;
    },
    answered,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
