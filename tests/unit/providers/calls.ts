import { manualClock } from '#lib/core/clock.ts';
import { WORKFLOW_INPUTS } from '#lib/providers/github/recorded-rules.ts';
import type { CallOptions, Providers } from '#lib/providers/ports.ts';
import type { ProviderFetch } from '#lib/providers/transport.ts';
import { createProviders, type ProvidersOptions } from '#lib/providers/wiring/create-providers.ts';
import type { RecordedOptions } from '#lib/providers/wiring/recorded-transport.ts';

export const NOON = '2026-11-21T12:00:00.000Z';

export const SECRETS = {
  gateway: 'vck_gateway_0123456789',
  elevenlabs: 'sk_elevenlabs_0123456789',
  lipsync: 'sync_lipsync_0123456789',
  github: 'ghp_github_0123456789',
};

export const ALL = new Set(['gateway', 'elevenlabs', 'lipsync', 'github'] as const);

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The picture as what a request refers to. */
export const image = { kind: 'bytes', bytes: new Uint8Array(PNG), mediaType: 'image/png' } as const;

export type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown };

/** A network that records the requests and gives each one an answer; the last answer repeats. */
export function scriptedNetwork(...answers: ((init: RequestInit) => Response | Promise<Response>)[]) {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push({
        url,
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      });
      init.signal?.throwIfAborted();
      if (!answer) throw new Error('no answer scripted');
      return answer(init);
    },
  };
}

/** All services live, over the given network. */
export function liveProviders(
  fetch: NonNullable<ProvidersOptions['fetch']>,
  extra: Partial<ProvidersOptions> = {},
): Providers {
  return createProviders({
    live: ALL,
    clock: manualClock(NOON),
    secrets: SECRETS,
    renderRepository: 'atelier/renders',
    fetch,
    sleep: () => Promise.resolve(),
    ...extra,
  });
}

/** The request that our adapter sends for one call. */
export async function ours(
  call: (providers: ReturnType<typeof liveProviders>) => Promise<unknown>,
): Promise<Sent> {
  const network = scriptedNetwork(json({}));
  await call(liveProviders(network.fetch));
  return network.sent[0] as Sent;
}

/** All services recorded. */
export function recordedProviders(
  fixtures: RecordedOptions = {},
  clock = manualClock(NOON),
  recordedFetch?: ProviderFetch,
): Providers {
  return createProviders({
    live: new Set(),
    clock,
    secrets: {},
    fixtures,
    ...(recordedFetch ? { recordedFetch } : {}),
  });
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

export const networkError = (code: string) => () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
};

/** Does not answer until it is aborted. */
export const silence = (init: RequestInit) =>
  new Promise<Response>((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true });
  });

/** Every input that the render workflow requires. */
export const RENDER_INPUTS = Object.fromEntries(WORKFLOW_INPUTS.required.map((name) => [name, 'x']));

type PortCall = {
  name: string;
  /** Whether the call starts paid work without a key that makes a repetition harmless. */
  paidOnce: boolean;
  run: (providers: Providers, options?: CallOptions) => Promise<{ outcome: string }>;
};

const RECORDED_OPERATION = { id: 'eyJyZWFkeUF0TXMiOjF9' };

/** All calls of all ports. */
export const PORT_CALLS: PortCall[] = [
  {
    name: 'image.generate',
    paidOnce: true,
    run: (p, o) => p.image.generate({ case: 'image-fast', prompt: 'Un vase bleu', aspectRatio: '1:1' }, o),
  },
  {
    name: 'vector.generate',
    paidOnce: true,
    run: (p, o) => p.vector.generate({ system: 'Dessine.', prompt: 'Une feuille' }, o),
  },
  {
    name: 'voice.synthesize',
    paidOnce: true,
    run: (p, o) => p.voice.synthesize({ voiceId: 'Camille0Recorded0001', text: 'Bonjour à tous.' }, o),
  },
  {
    name: 'voice.describeVoice',
    paidOnce: false,
    run: (p, o) => p.voice.describeVoice('Camille0Recorded0001', o),
  },
  { name: 'voice.listVoices', paidOnce: false, run: (p, o) => p.voice.listVoices(o) },
  { name: 'voice.quota', paidOnce: false, run: (p, o) => p.voice.quota(o) },
  {
    name: 'video.start without a key',
    paidOnce: true,
    run: (p, o) =>
      p.video.start({ case: 'veo', prompt: 'La mer', durationSeconds: 8, resolution: '720p' }, o),
  },
  {
    name: 'video.start with a key',
    paidOnce: false,
    run: (p, o) =>
      p.video.start(
        { case: 'veo', prompt: 'La mer', durationSeconds: 8, resolution: '720p' },
        { ...o, idempotencyKey: 'gen_01' },
      ),
  },
  {
    name: 'video.status',
    paidOnce: false,
    run: (p, o) => p.video.status({ operation: { id: 'job_1' }, modelId: 'google/veo-3.1-generate-001' }, o),
  },
  {
    name: 'lipsync.start',
    paidOnce: true,
    run: (p, o) =>
      p.lipsync.start(
        {
          case: 'lipsync',
          visual: { kind: 'url', url: 'https://files.example/clip.mp4?signature=abc' },
          audio: { kind: 'url', url: 'https://files.example/voice.mp3?signature=abc' },
          audioMs: 4_000,
        },
        o,
      ),
  },
  {
    name: 'lipsync.status',
    paidOnce: false,
    run: (p, o) => p.lipsync.status({ operation: RECORDED_OPERATION }, o),
  },
  { name: 'cost.cost', paidOnce: false, run: (p, o) => p.cost.cost('gen_01JX', o) },
  {
    name: 'render.dispatch',
    paidOnce: true,
    run: (p, o) => p.render.dispatch({ inputs: RENDER_INPUTS }, o),
  },
  { name: 'render.status', paidOnce: false, run: (p, o) => p.render.status('17952553', o) },
];
