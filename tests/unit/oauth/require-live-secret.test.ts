import { expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { isRevocableToken, requireLiveSecret } from '#lib/oauth/require-live-secret.ts';

/** A database that answers of every secret that it ends something, and records the statements. */
function asking() {
  const texts: string[] = [];
  const kysely = {
    executeQuery: async ({ sql }: { sql: string }) => {
      texts.push(sql);
      return { rows: [{ knowsClient: true, state: 'ends', requests: 0 }] };
    },
  };
  return { texts, ctx: { kysely, clock: manualClock('2026-11-26T10:00:00Z') } as unknown as Context };
}

it('what strangers show is counted without a wait for the disk: the others that it keeps waiting hold connections that people need', async () => {
  const { ctx, texts } = asking();
  const caller = { clientId: `cli_${'0'.repeat(26)}`, network: 'net' };
  await requireLiveSecret(ctx, caller, { kind: 'code', secret: 'code', verifier: 'verifier' });
  await requireLiveSecret(ctx, caller, { kind: 'refresh', secret: 'token' });
  expect(await isRevocableToken(ctx, caller, 'token')).toBe(true);
  expect(texts).toHaveLength(3);
  for (const text of texts) expect(text).toContain(`set_config('synchronous_commit', 'off', true)`);
});
