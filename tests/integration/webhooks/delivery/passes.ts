import { runWebhooks } from '#lib/webhooks/delivery/run-webhooks.ts';
import type { webhookScene } from '#tests/factories/webhooks.ts';
import type { TestService } from '#tests/setup/service.ts';

export const HOUR_MS = 3_600_000;
/** Where two subscribers listen. */
export const A = 'https://a.boutique.fr/evenements';
export const B = 'https://b.boutique.fr/evenements';

export type Scene = Awaited<ReturnType<typeof webhookScene>>;

/** So many events of an endpoint in each of these states, one after the other. */
export async function happen(
  service: TestService,
  scene: Scene,
  endpointId: string,
  counts: Record<string, number>,
): Promise<void> {
  const at = scene.clock.now();
  for (const [state, count] of Object.entries(counts))
    await service.pool.query(
      `INSERT INTO "WebhookDelivery" ("id", "accountId", "endpointId", "type", "subjectId", "data", "at", "dueAt", "endsAt", "state")
       SELECT $1::text || $2::text || n, $3, $1::text, 'memory.added', 'mem_' || n, '{}', $4, $5, $6, $2::text::"WebhookState"
       FROM generate_series(1, $7::int) n`,
      [endpointId, state, scene.account.id, at, at, new Date(at.getTime() + 24 * HOUR_MS), count],
    );
  await service.pool.query('ANALYZE "WebhookDelivery"');
}

/** Passes with time between them until nothing waits. */
export async function untilQuiet(scene: Scene, options: { instances?: number; stepMs?: number } = {}) {
  for (let round = 0; round < 400; round += 1) {
    await Promise.all(
      Array.from({ length: options.instances ?? 1 }, () =>
        runWebhooks(scene.pass, { each: 2, accountId: scene.account.id }),
      ),
    );
    const waiting = (await scene.rows()).filter(({ state }) => state === 'PENDING');
    if (waiting.length === 0) return;
    scene.clock.advance(options.stepMs ?? 60_000);
  }
  throw new Error('something waits for ever');
}
