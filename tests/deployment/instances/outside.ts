import { chmod, copyFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { recordedServices } from '#lib/providers/wiring/create-providers.ts';
import { answerInLiveFrame } from '#tests/factories/files/live-frame.ts';
import { wordsOf } from '../child.ts';

/** What the provider bills for each video: four seconds with sound, by its price. */
export const COST_MICROS = 400_000n;

/** The subscriber's two addresses: one takes everything, the other refuses the first posting of each event. */
export const TAKES = '/takes';
export const REFUSES_FIRST = '/refuses-first';

/** One posting as it came: 204 when it was taken, 500 when it was refused, 401 when its signature was not the secret's. */
export type Posting = { path: string; id: string; status: number; instance: string };

export type Outside = {
  /** What leads a server there: variables of its environment. */
  env: Record<string, string>;
  /** Jobs by the generation that they are of, and how often their start came. */
  jobs: ReadonlyMap<string, { jobId: string; starts: number }>;
  postings: readonly Posting[];
  /** The secret of each address, once it is known. */
  secrets: Map<string, string>;
  /** What it could not answer, which is a fault of this test or of what asked. */
  faults: readonly string[];
  close(): Promise<void>;
};

/** A posting is held for a moment: passes of other instances come while it is under way. */
const HOLD_MS = 150;

/**
 * The AI Gateway, by its recorded answers, whose jobs are finished as they begin and which calls nobody back by itself, and a subscriber that
 * verifies each posting by the published library. `folder` is one that the servers' user may read.
 */
export async function openOutside(folder: string): Promise<Outside> {
  const jobs = new Map<string, { jobId: string; starts: number }>();
  const postings: Posting[] = [];
  const secrets = new Map<string, string>();
  const faults: string[] = [];
  const send = recordedServices(() => new Date(), { readyAfterMs: 0 });

  const gateway = async (request: IncomingMessage, address: string): Promise<Response> => {
    const body = await text(request);
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    const answer = await send(
      `https://ai-gateway.vercel.sh${address}`,
      { method: request.method ?? 'GET', headers, ...(body ? { body } : {}) },
      { outputMs: 4_000, audio: true, formulaMicros: () => COST_MICROS },
    );
    if (address.endsWith('/start')) {
      const { operation } = (await answer.clone().json()) as { operation: { id: string } };
      const generationId = headers.get('idempotency-key') ?? '';
      jobs.set(generationId, {
        jobId: operation.id,
        starts: (jobs.get(generationId)?.starts ?? 0) + 1,
      });
    }
    return address.endsWith('/status') ? answerInLiveFrame(answer) : answer;
  };

  const subscriber = async (request: IncomingMessage, address: string): Promise<number> => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id'] ?? '';
    const isFirst = !postings.some((one) => one.id === id);
    const status = isSigned(secrets.get(address), body, headers)
      ? address === REFUSES_FIRST && isFirst
        ? 500
        : 204
      : 401;
    postings.push({ path: address, id, status, instance: headers['x-instance'] ?? '' });
    await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
    return status;
  };

  const server = createServer(async (request, response) => {
    const [, whom = '', address = ''] = /^\/(gateway|subscriber)(\/.*)$/.exec(request.url ?? '') ?? [];
    try {
      if (whom !== 'gateway') {
        response.writeHead(await subscriber(request, address)).end();
        return;
      }
      const answer = await gateway(request, address);
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(Buffer.from(await answer.arrayBuffer()));
    } catch (error) {
      faults.push(`${request.method} ${request.url}: ${wordsOf(error)}`);
      response.destroy();
    }
  });
  // A server never sends on a connection that this end is about to close.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const preload = path.join(folder, 'lead-outside.mjs');
  await copyFile(path.join(import.meta.dirname, 'lead-outside.mjs'), preload);
  await chmod(preload, 0o644);
  return {
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`,
      ATELIER_OUTSIDE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AI_GATEWAY_API_KEY: 'a-key-of-the-deployment-test',
    },
    jobs,
    postings,
    secrets,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isSigned(secret: string | undefined, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret ?? '').verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
