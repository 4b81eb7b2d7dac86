import type { Clock } from '#lib/core/clock.ts';
import { PROVIDER_NAMES, type ProviderName } from '#lib/core/env.ts';
import { type Budgets, DEFAULT_BUDGETS } from '../budgets.ts';
import { answerElevenLabs } from '../elevenlabs/recorded-answers.ts';
import { createVoiceProvider } from '../elevenlabs/voice.ts';
import type { GatewayRouting } from '../gateway/client.ts';
import { createCostProvider } from '../gateway/cost.ts';
import { createImageProvider } from '../gateway/image.ts';
import { answerGateway } from '../gateway/recorded-answers.ts';
import { createVectorProvider } from '../gateway/vector.ts';
import { createVideoProvider } from '../gateway/video.ts';
import { answerGitHub } from '../github/recorded-answers.ts';
import { createRenderRunner } from '../github/render.ts';
import { createLipsyncProvider } from '../lipsync/lipsync.ts';
import { answerLipsync } from '../lipsync/recorded-answers.ts';
import type { ProviderMode, Providers } from '../ports.ts';
import type { ProviderFetch, Wiring } from '../transport.ts';
import {
  createRecordedFetch,
  openRecorded,
  type RecordedOptions,
  type RecordedService,
} from './recorded-transport.ts';

type Service = RecordedService & {
  /** The cheapest read, which makes and pays nothing: a missing job or cost, the workflow, or the quota. */
  probe(providers: Providers): Promise<{ outcome: string; reason?: string }>;
  /** The probe requests something that does not exist: « not found » then proves that the key is accepted. */
  asksForNothing?: true;
};

/** The host of each outside service, its recorded answers while it is not live, and the probe of its key. */
export const SERVICES: Readonly<Record<ProviderName, Service>> = {
  gateway: {
    host: 'ai-gateway.vercel.sh',
    answer: answerGateway,
    probe: ({ cost }) => cost.cost('gen_00000000000000000000000000'),
    asksForNothing: true,
  },
  elevenlabs: {
    host: 'api.elevenlabs.io',
    answer: answerElevenLabs,
    probe: ({ voice }) => voice.quota(),
  },
  lipsync: {
    host: 'api.sync.so',
    answer: answerLipsync,
    probe: ({ lipsync }) => lipsync.status({ operation: { id: '00000000-0000-0000-0000-000000000000' } }),
    asksForNothing: true,
  },
  github: {
    host: 'api.github.com',
    answer: answerGitHub,
    probe: async ({ render }) =>
      (await render.workflow?.()) ?? { outcome: 'failed', reason: 'not-configured' },
  },
};

export type ProvidersOptions = {
  /** Services that are called for real; every other one answers from recorded answers. */
  live: ReadonlySet<ProviderName>;
  /** Services that nobody is served by: never called, live or recorded. */
  absent?: ReadonlySet<ProviderName>;
  clock: Clock;
  secrets: Partial<Record<ProviderName, string | undefined>>;
  /** What is asked of the gateway for every request. */
  gatewayRouting?: GatewayRouting;
  /** Any of them signs a callback of the lipsync service; none: no callback is registered. */
  lipsyncWebhookSecrets?: readonly string[];
  /** `owner/name` of the repository that renders. */
  renderRepository?: string | undefined;
  /** Workflow file and branch; `atelier-render.yml` on `main`. */
  renderWorkflow?: string | undefined;
  renderRef?: string | undefined;
  /** The network of live services. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** What recorded services do. */
  fixtures?: RecordedOptions;
  budgets?: Partial<Budgets>;
  /** The pause between two attempts; tests make it none. */
  sleep?: Wiring['sleep'];
  /** The transport of recorded services; tests put themselves in between here. */
  recordedFetch?: ProviderFetch;
};

/**
 * The outside services, each live or recorded. A recorded service runs the very same adapter: only its transport differs,
 * and it needs no key. Building them opens no connection; they hold no state, so one set per request is fine.
 */
export function createProviders(options: ProvidersOptions): Providers {
  const { live, clock, secrets } = options;
  const budgets = { ...DEFAULT_BUDGETS, ...options.budgets };
  const liveFetch = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const recordedFetch = options.recordedFetch ?? recordedServices(() => clock.now(), options.fixtures ?? {});
  const values = Object.values(secrets).filter((value) => value !== undefined);
  const modeOf = (service: ProviderName): ProviderMode => {
    if (options.absent?.has(service)) return 'absent';
    return live.has(service) ? 'live' : 'fixtures';
  };
  const wiringOf = (service: ProviderName): Wiring => ({
    fetch: modeOf(service) === 'fixtures' ? recordedFetch : (url, init) => liveFetch(url, init),
    secrets: values,
    ...(options.sleep ? { sleep: options.sleep } : {}),
  });
  const keyOf = (service: ProviderName): string | undefined => {
    const mode = modeOf(service);
    return mode === 'absent' ? undefined : (secrets[service] ?? (mode === 'live' ? undefined : 'recorded'));
  };
  const gateway = {
    ...wiringOf('gateway'),
    apiKey: keyOf('gateway'),
    ...(options.gatewayRouting ? { routing: options.gatewayRouting } : {}),
  };
  const elevenlabs = { ...wiringOf('elevenlabs'), apiKey: keyOf('elevenlabs') };
  const lipsync = {
    ...wiringOf('lipsync'),
    apiKey: keyOf('lipsync'),
    webhookSecrets: options.lipsyncWebhookSecrets ?? [],
  };
  const github = {
    ...wiringOf('github'),
    token: keyOf('github'),
    repository:
      options.renderRepository ?? (modeOf('github') === 'fixtures' ? 'atelier/recorded' : undefined),
    workflow: options.renderWorkflow ?? 'atelier-render.yml',
    ref: options.renderRef ?? 'main',
  };
  return {
    image: createImageProvider(gateway, budgets, modeOf('gateway')),
    vector: createVectorProvider(gateway, budgets, modeOf('gateway')),
    video: createVideoProvider(gateway, budgets, modeOf('gateway'), clock),
    cost: createCostProvider(gateway, budgets, modeOf('gateway')),
    voice: createVoiceProvider(elevenlabs, budgets, modeOf('elevenlabs')),
    lipsync: createLipsyncProvider(lipsync, budgets, modeOf('lipsync'), clock),
    render: createRenderRunner(github, budgets, modeOf('github')),
    modes: Object.fromEntries(PROVIDER_NAMES.map((name) => [name, modeOf(name)])) as Providers['modes'],
    openRecorded: (url) =>
      [modeOf('gateway'), modeOf('lipsync')].includes('fixtures')
        ? openRecorded(url)
        : Promise.resolve(undefined),
  };
}

/** The transport of every service that is not live: recorded answers, without a network. */
export function recordedServices(now: () => Date, options: RecordedOptions = {}): ProviderFetch {
  return createRecordedFetch(Object.values(SERVICES), now, options);
}
