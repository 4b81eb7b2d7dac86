import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import { recordedWebhookSecret } from '#lib/providers/gateway/recorded-video-answers.ts';
import { signGatewayBody } from '#lib/providers/gateway/signature.ts';
import { recordedServices } from '#lib/providers/wiring/create-providers.ts';
import { answerInLiveFrame } from '#tests/factories/files/live-frame.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { type Random, seeded } from '#tests/simulation/random.ts';

/** A moment at which a kill hurts: the provider has just done, and may be paid for, what the server does not know yet. */
export type Moment = { what: 'started' | 'completed' | 'image'; instance: string };

export type Job = {
  jobId: string;
  generationId: string;
  scenario: Scenario;
  costMicros: bigint;
  /** Times that the start was received, and times that it was answered with an error of ours. */
  starts: number;
  faults: number;
  /** Times that the finished file was handed over. */
  handed: number;
};

export type Outside = {
  url: string;
  jobs: Map<string, Job>;
  /** Paid image calls by the brief that asked. */
  images: Map<string, number>;
  webhooks: { sent: number; accepted: number };
  onMoment(listener: ((moment: Moment) => void) | undefined): void;
  /** While held, every job is still running and no webhook leaves. */
  hold(isHeld: boolean): void;
  close(): Promise<void>;
};

const ENDS: readonly Scenario[] = [
  'success',
  'success',
  'success',
  'success',
  'success',
  'success',
  'video-failed',
  'garbage-file',
  'setting-dropped',
  'video-never',
];
const MARK = /\[chaos \d+\]/;

/**
 * The AI Gateway of a chaos run, over HTTP: recorded answers, an end for each job by the seed, some starts answered 500 after they took
 * effect, signed webhooks delivered twice to `deliverTo`, and an exact account of what it would bill.
 */
export async function openOutside(options: { seed: number; deliverTo: () => string }): Promise<Outside> {
  const random = seeded(options.seed);
  const jobs: Outside['jobs'] = new Map();
  const images: Outside['images'] = new Map();
  const webhooks = { sent: 0, accepted: 0 };
  const timers = new Set<NodeJS.Timeout>();
  let listener: ((moment: Moment) => void) | undefined;
  let held = false;

  const later = (ms: number, work: () => Promise<unknown>) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void work();
    }, ms);
    timers.add(timer);
  };

  async function deliver(job: Job, path: string, left: number): Promise<void> {
    if (held) return later(50, () => deliver(job, path, left));
    const status = job.scenario === 'video-failed' ? 'failed' : 'completed';
    const body = JSON.stringify({ type: `video.${status}`, data: { jobId: job.jobId, status } });
    webhooks.sent += 1;
    const answer = await fetch(options.deliverTo() + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-ai-gateway-signature': signGatewayBody(body, recordedWebhookSecret(job.jobId), new Date()),
      },
      body,
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 204) webhooks.accepted += 1;
    else if (left > 0 && (answer?.status ?? 503) >= 500) later(300, () => deliver(job, path, left - 1));
  }

  function jobOf(generationId: string, chance: Random): Job {
    const known = jobs.get(generationId);
    if (known) return known;
    const job: Job = {
      jobId: '',
      generationId,
      scenario: chance.pick(ENDS),
      costMicros: 390_000n + BigInt(chance.below(20_000)),
      starts: 0,
      faults: 0,
      handed: 0,
    };
    jobs.set(generationId, job);
    return job;
  }

  async function start(url: string, init: RequestInit, json: { callbackUrl?: string }): Promise<Response> {
    const job = jobOf(new Headers(init.headers).get('idempotency-key') ?? '', random);
    const isFirst = job.starts === 0;
    job.starts += 1;
    const readyAfterMs = random.below(1_500);
    const send = recordedServices(() => new Date(), { scenario: job.scenario, readyAfterMs });
    const answer = await send(url, init, {
      outputMs: 4_000,
      audio: true,
      formulaMicros: () => job.costMicros,
    });
    const { operation } = (await answer.clone().json()) as { operation: { id: string } };
    job.jobId = operation.id;
    const { callbackUrl } = json;
    if (isFirst && callbackUrl && job.scenario !== 'video-never')
      for (const copy of [0, 1]) {
        const { pathname } = new URL(callbackUrl);
        later(readyAfterMs + 20 + copy * random.below(100), () => deliver(job, pathname, 6));
      }
    if (!random.chance(0.08)) return answer;
    job.faults += 1;
    return new Response('{"error":{"message":"Internal error"}}', { status: 500 });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const url = `https://ai-gateway.vercel.sh${request.url}`;
    const instance = String(request.headers['x-chaos-instance'] ?? '');
    const init: RequestInit = {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      ...(body ? { body } : {}),
    };
    await new Promise((resolve) => setTimeout(resolve, random.below(30)));
    const json = body ? (JSON.parse(body) as Record<string, never>) : {};
    let moment: Moment['what'] | undefined;
    let answer: Response;
    if (request.url?.endsWith('/start')) {
      answer = await start(url, init, json);
      moment = 'started';
    } else {
      const isEarly = held && request.url?.endsWith('/status');
      const send = recordedServices(() => new Date(isEarly ? 0 : Date.now()));
      answer = await send(url, init, { formulaMicros: () => 30_000n });
      if (request.url?.endsWith('/image-model')) {
        const mark = MARK.exec(body)?.[0] ?? 'unmarked';
        images.set(mark, (images.get(mark) ?? 0) + 1);
        moment = 'image';
      }
    }
    const isStatus = request.url?.endsWith('/status');
    const token = (json as { operation?: { id?: string } }).operation?.id;
    const asked = [...jobs.values()].filter(({ jobId }) => jobId === token);
    if (isStatus && asked[0]?.scenario === 'success') answer = await answerInLiveFrame(answer);
    const text = await answer.text();
    if (isStatus && text.includes('"status":"completed"')) {
      for (const job of asked) job.handed += 1;
      moment = 'completed';
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    if (moment) listener?.({ what: moment, instance });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await listenHere(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    images,
    webhooks,
    onMoment(next) {
      listener = next;
    },
    hold(isHeld) {
      held = isHeld;
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
