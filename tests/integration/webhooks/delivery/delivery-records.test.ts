import { describe, expect, it } from 'vitest';
import { listDeliveries } from '#lib/webhooks/deliveries/list-deliveries.ts';
import { listEndpoints } from '#lib/webhooks/endpoints/list-endpoints.ts';
import { explainedQueries } from '#tests/factories/statements/explained-queries.ts';
import { webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';
import { A, happen } from './passes.ts';

const service = useTestService({ poolMax: 20 });

describe('deliveries', () => {
  it('are shown fifty at a time, the latest first, each once', async () => {
    const scene = await webhookScene(service);
    const { id: endpointId } = await scene.subscribe(A, ['memory.added']);
    await happen(service, scene, endpointId, { DELIVERED: 101 });
    const pages: string[][] = [];
    for (let before: bigint | null | undefined; before !== null; ) {
      const page = await listDeliveries(scene.ctx, { endpointId, ...(before ? { before } : {}) });
      pages.push(page.deliveries.map(({ id }) => id));
      before = page.next;
    }
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 1]);
    expect(pages.flat()).toEqual((await scene.rows()).map(({ id }) => id).reverse());
  });

  it('what was given up is counted without reading what was delivered', async () => {
    const scene = await webhookScene(service);
    const { id } = await scene.subscribe(A, ['memory.added']);
    await happen(service, scene, id, { DELIVERED: 2_000, FAILED: 3 });
    const of = ({ text }: { text: string }) => text.includes('from "WebhookEndpoint"');
    const { kysely, plans } = explainedQueries(service, { of, off: ['enable_seqscan', 'enable_bitmapscan'] });
    expect(await listEndpoints({ ...scene.ctx, kysely })).toMatchObject([{ id, waiting: 0, failed: 3 }]);
    const read = /"WebhookDelivery_failed_idx" on "WebhookDelivery" d\w* \(actual rows=3(\.00)? /;
    expect(plans[0]).toMatch(read);
  });

  it('an event of more than 4 KB is written by nobody', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(A, ['memory.added']);
    await scene.add();
    const larger = `UPDATE "WebhookDelivery" SET "data" = jsonb_build_object('text', repeat('x', 5000)) WHERE "accountId" = $1`;
    await expect(service.pool.query(larger, [scene.account.id])).rejects.toThrow(/WebhookDelivery_data_size/);
  });
});
