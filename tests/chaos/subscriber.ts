import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { seeded } from '#tests/simulation/random.ts';

/** What one address of the subscriber was posted and answered with 204, in that order. */
export type Taken = { path: string; id: string; body: string };

export type Subscriber = {
  url: string;
  taken: Taken[];
  counts: { refused: number; hung: number; deaths: number; unverified: number };
  /** The secret of each path, once it is known. */
  secrets: Map<string, string>;
  /** From now on everything is taken. */
  heal(): void;
  close(): Promise<void>;
};

/**
 * Somebody's program that is posted events: `/steady` takes everything; `/wild` refuses, hangs, and dies with its connections cut for a
 * while, by the seed. Each posting is verified by the published library before anything else.
 */
export async function openSubscriber(options: { seed: number }): Promise<Subscriber> {
  const random = seeded(options.seed);
  const taken: Taken[] = [];
  const counts = { refused: 0, hung: 0, deaths: 0, unverified: 0 };
  const secrets = new Map<string, string>();
  const sockets = new Set<Socket>();
  let isHealed = false;
  let deadUntilMs = 0;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    try {
      new Webhook(secrets.get(path) ?? '').verify(body, request.headers as Record<string, string>);
    } catch {
      counts.unverified += 1;
      response.writeHead(401).end();
      return;
    }
    if (path === '/wild' && !isHealed) {
      if (Date.now() < deadUntilMs) return void request.socket.destroy();
      const draw = random.next();
      if (draw < 0.03) {
        counts.deaths += 1;
        deadUntilMs = Date.now() + 300;
        for (const socket of sockets) socket.destroy();
        return;
      }
      if (draw < 0.07) {
        counts.hung += 1;
        return;
      }
      if (draw < 0.3) {
        counts.refused += 1;
        response.writeHead(random.pick([500, 503, 429, 404])).end();
        return;
      }
    }
    taken.push({ path, id: String(request.headers['webhook-id']), body });
    response.writeHead(204).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await listenHere(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    counts,
    secrets,
    heal() {
      isHealed = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
