import type { MemberActor } from '#lib/core/actor.ts';
import { type Clock, manualClock } from '#lib/core/clock.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { Budgets } from '#lib/providers/budgets.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import type { Providers } from '#lib/providers/ports.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';
import type { StudioConfig, StudioContext, StudioPorts } from '#lib/studio/context.ts';
import { type GenerationRequest, generationRequest } from '#lib/studio/request.ts';
import type { TestService } from '#tests/setup/service.ts';
import { type AccountOptions, makeAccount } from './account.ts';
import { type LogLine, testContext } from './context.ts';
import { giveCredit } from './ledger.ts';
import { type MemoryStore, memoryStore } from './memory-store.ts';

export const START = '2026-11-10T08:00:00Z';

export const TEST_CONFIG: StudioConfig = {
  publicUrl: 'https://atelier.exemple.test',
  spendAlertMicros: 0n,
  rendersConfigured: true,
  storeToken: 'vercel_blob_rw_local_secret',
  storeApiUrl: null,
  defaultVoiceId: null,
};

/** Recorded services behind the real adapters; nothing leaves the process. */
export function recordedProviders(
  clock: Clock,
  scenario: Scenario = 'success',
  options: { budgets?: Partial<Budgets>; readyAfterMs?: number } = {},
): Providers {
  return createProviders({
    live: new Set(),
    clock,
    secrets: {},
    fixtures: {
      scenario,
      ...(options.readyAfterMs === undefined ? {} : { readyAfterMs: options.readyAfterMs }),
    },
    sleep: async () => {},
    ...(options.budgets ? { budgets: options.budgets } : {}),
  });
}

export type StudioScene = {
  ctx: StudioContext<MemberActor>;
  clock: ReturnType<typeof manualClock>;
  store: MemoryStore;
  lines: LogLine[];
  owner: { accountId: string; memberId: string };
  /** The same scene with other ports. */
  with(ports: Partial<StudioPorts>): StudioContext<MemberActor>;
};

/** A member with credit, recorded providers and a store in memory. */
export async function studioScene(
  service: TestService,
  options: AccountOptions & {
    creditMicros?: bigint;
    scenario?: Scenario;
    config?: Partial<StudioConfig>;
    budgets?: Partial<Budgets>;
  } = {},
): Promise<StudioScene> {
  const clock = manualClock(START);
  const { account, member, actor } = await makeAccount(service, { ...options, now: clock.now() });
  const lines: LogLine[] = [];
  const base = testContext(service, actor, { clock, lines });
  await giveCredit(base, member.id, options.creditMicros ?? 100_000_000n);
  const store = memoryStore(() => clock.now());
  const studio: StudioPorts = {
    providers: recordedProviders(
      clock,
      options.scenario,
      options.budgets ? { budgets: options.budgets } : {},
    ),
    store,
    fetch: () => Promise.reject(new FetchRefusal('host-not-allowed')),
    config: { ...TEST_CONFIG, ...options.config },
    mailSpendAlert: async () => {},
  };
  const ctx = { ...base, studio };
  return {
    ctx,
    clock,
    store,
    lines,
    owner: { accountId: account.id, memberId: member.id },
    with: (ports) => ({ ...ctx, studio: { ...studio, ...ports } }),
  };
}

/** The scene's ports, whose voices nobody is told of until `many` have asked: as many requests are then at the same point. */
export function withVoicesTogether(scene: StudioScene, many: number): StudioContext<MemberActor> {
  const { providers } = scene.ctx.studio;
  const all = Promise.withResolvers<void>();
  let asked = 0;
  const describeVoice: Providers['voice']['describeVoice'] = async (...given) => {
    asked += 1;
    if (asked === many) all.resolve();
    await all.promise;
    return providers.voice.describeVoice(...given);
  };
  return scene.with({ providers: { ...providers, voice: { ...providers.voice, describeVoice } } });
}

/** A request as the route would give it. */
export function request(input: Record<string, unknown>): GenerationRequest {
  return generationRequest.parse(input);
}

export const IMAGE = { kind: 'image', brief: 'Une bougie sur une table en bois clair' };
