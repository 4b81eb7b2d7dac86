import { manualClock, systemClock } from '#lib/core/clock.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import { closeGeneration } from '#lib/studio/closing/close-generation.ts';
import type { FailureCode } from '#lib/studio/generation/failure-codes.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { recordedProviders, request, TEST_CONFIG } from '#tests/factories/studio.ts';
import type { ServedApp } from '../serve.ts';
import type { Seat } from './brain.ts';

export const RENDER = {
  kind: 'render',
  template: 'quote-card',
  size: '1080x1080',
  fields: { quote: 'La lumière se fabrique lentement.', author: 'Agnès' },
};
export const IMAGE = { kind: 'image', brief: 'Bougie ambrée posée sur une table en chêne, lumière du matin' };

/** Gives credit to a member, in micro-dollars, and sets the caps. */
export function fund(
  seat: Seat,
  amountMicros: bigint,
  caps: Parameters<typeof giveCredit>[3] = {},
): Promise<void> {
  return giveCredit(seat.ctx, seat.ctx.actor.memberId, amountMicros, caps);
}

/** Requests a generation of the running app, on recorded answers. Returns its identifier, whether it succeeded or not. */
export async function generate(
  app: ServedApp,
  seat: Seat,
  body: Record<string, unknown>,
  scenario: Scenario | 'storage-failure' | 'settlement-failure' = 'success',
): Promise<string> {
  const answer = await fetch(`${app.baseUrl}/api/dev/generate`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // One that rests may be closed by the server just as a process that was held sends on it.
      connection: 'close',
      origin: app.baseUrl,
      cookie: `${seat.cookie.name}=${seat.cookie.value}`,
    },
    body: JSON.stringify({ ...body, scenario }),
  });
  const row = (await answer.json()) as { id?: string; error?: { subject?: string; message: string } };
  const id = row.id ?? row.error?.subject;
  if (!id) throw new Error(`no row: ${answer.status} ${row.error?.message}`);
  return id;
}

/** Starts a job with the app's verbs, as if `minutes` ago, and leaves it open. Returns its identifier. */
export async function startedAgo(
  seat: Seat,
  body: Record<string, unknown>,
  minutes: number,
  scenario: Scenario = 'video-never',
): Promise<string> {
  return (await start(seat, body, minutes, scenario)).row.id;
}

/** Starts a job as `startedAgo` does, and closes it with this failure, as the sweep does: its reserve is refunded. */
export async function failedAgo(
  seat: Seat,
  body: Record<string, unknown>,
  code: FailureCode,
  minutes: number,
): Promise<string> {
  const { row, ctx } = await start(seat, body, minutes, 'video-never');
  await closeGeneration(ctx, { row, ending: { result: 'failed', code }, closedBy: 'sweep' });
  return row.id;
}

async function start(seat: Seat, body: Record<string, unknown>, minutes: number, scenario: Scenario) {
  const clock = manualClock(new Date(systemClock.now().getTime() - minutes * 60_000).toISOString());
  const ctx = {
    ...seat.ctx,
    clock,
    studio: {
      providers: recordedProviders(clock, scenario),
      store: memoryStore(() => clock.now()),
      fetch: () => Promise.reject(new FetchRefusal('host-not-allowed')),
      config: { ...TEST_CONFIG, defaultVoiceId: null },
      mailSpendAlert: async () => {},
    },
  };
  const { row } = await submitGeneration(ctx, { request: request(body as Parameters<typeof request>[0]) });
  return { row, ctx };
}
