import { beforeAll } from 'vitest';
import { systemClock } from '#lib/core/clock.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import type { StudioPorts } from '#lib/studio/context.ts';
import { type AccountOptions, makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { type MemoryStore, memoryStore } from '#tests/factories/memory-store.ts';
import { recordedProviders, TEST_CONFIG } from '#tests/factories/studio.ts';
import { type CallOptions, call, useApi } from './api.ts';
import type { TestService } from './service.ts';

type Handler = Parameters<typeof call>[0];

/** The studio's routes in this process, with recorded services, a store in memory and signed-in members. */
export function useStudioApi(): TestService & {
  store: MemoryStore;
  ports(change: Partial<StudioPorts>): void;
} {
  const service = useApi({ poolMax: 20 });
  const store = memoryStore();
  const shared = globalThis as { atelierStudio?: StudioPorts };
  const fresh = (scenario: Scenario = 'success'): StudioPorts => ({
    providers: recordedProviders(systemClock, scenario),
    store,
    fetch: () => Promise.reject(new FetchRefusal('host-not-allowed')),
    config: TEST_CONFIG,
    mailSpendAlert: async () => {},
  });
  beforeAll(() => {
    shared.atelierStudio = fresh();
  });
  return Object.assign(Object.create(service) as TestService, {
    store,
    ports(change: Partial<StudioPorts>) {
      shared.atelierStudio = { ...fresh(), ...change };
    },
  });
}

/** A signed-in member with credit; `call` sends the cookie of the session. */
export async function signedIn(
  service: TestService,
  options: AccountOptions & { creditMicros?: bigint } = {},
) {
  const { account, member, actor } = await makeAccount(service, options);
  const ctx = testContext(service, actor);
  const creditMicros = options.creditMicros ?? 100_000_000n;
  if (creditMicros > 0n) await giveCredit(ctx, member.id, creditMicros);
  const { sessionId } = await openSession(ctx, { accountId: account.id, memberId: member.id });
  const secret = process.env.SERVICE_SESSION_SECRET ?? '';
  const cookie = `${sessionCookieName(false)}=${await signSessionCookie(sessionId, secret)}`;
  return {
    account,
    member,
    ctx,
    cookie,
    call: (handler: Handler, options: CallOptions) =>
      call(handler, { ...options, headers: { cookie, ...options.headers } }),
  };
}
