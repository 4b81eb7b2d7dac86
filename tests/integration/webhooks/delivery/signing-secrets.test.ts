import { describe, expect, it } from 'vitest';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { runWebhooks } from '#lib/webhooks/delivery/run-webhooks.ts';
import { rotateSecret } from '#lib/webhooks/endpoints/rotate-secret.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { isVerified, webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';
import { A, HOUR_MS } from './passes.ts';

const service = useTestService({ poolMax: 20 });

describe('deliveries', () => {
  it('while one secret replaces the other both sign, then the new one alone', async () => {
    const scene = await webhookScene(service);
    const { id: endpointId, secret: former } = await scene.subscribe(A);
    const { secret } = await rotateSecret(scene.ctx, { endpointId, overlapHours: 24 });
    const sign = async () => {
      await scene.add();
      await deliverDue(scene.pass, { accountId: scene.account.id });
      const posting = scene.to(A).at(-1);
      if (!posting) throw new Error('nothing was posted');
      return [former, secret].map((one) => isVerified(one, posting, scene.clock.now()));
    };
    expect(await sign()).toEqual([true, true]);
    scene.clock.advance(24 * HOUR_MS + 1_000);
    expect(await sign()).toEqual([false, true]);
    const { secret: third } = await rotateSecret(scene.ctx, { endpointId, overlapHours: 0 });
    expect(await sign()).toEqual([false, false]);
    expect(isVerified(third, scene.to(A).at(-1) as never, scene.clock.now())).toBe(true);
    const stored = JSON.stringify(
      await service.db.webhookEndpoint.findMany({ where: { id: endpointId } }),
      (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
    );
    for (const one of [former, secret, third]) expect(stored).not.toContain(one.slice(6));
  });

  it('a secret that is replaced again, or twice at once, takes nothing from those that were promised to sign until later', async () => {
    const scene = await webhookScene(service);
    const { id: endpointId, secret: first } = await scene.subscribe(A);
    const rotate = async (overlapHours: number) =>
      (await rotateSecret(scene.ctx, { endpointId, overlapHours })).secret;
    // The answer of the first was lost, say: whoever verifies by the former secret is told what it was promised.
    const atOnce: string[] = [];
    const inOneMoment = async () => atOnce.push(await rotate(24));
    expect(await oneBeforeAnother(service, inOneMoment, inOneMoment)).toEqual(['done', 'done']);
    const last = await rotate(72);
    const sign = async () => {
      await scene.add();
      await deliverDue(scene.pass, { accountId: scene.account.id });
      const posting = scene.to(A).at(-1);
      if (!posting) throw new Error('nothing was posted');
      return [first, ...atOnce, last].map((one) => isVerified(one, posting, scene.clock.now()));
    };
    expect(await sign()).toEqual([true, true, true, true]);
    // Each until its own end: the secret that the last one replaced signs for three days.
    scene.clock.advance(24 * HOUR_MS + 1_000);
    expect((await sign()).filter(Boolean)).toHaveLength(2);
    expect((await sign())[0]).toBe(false);
    const leaked = await rotate(0);
    expect(await sign()).toEqual([false, false, false, false]);
    expect(isVerified(leaked, scene.to(A).at(-1) as never, scene.clock.now())).toBe(true);
  });

  it('an endpoint whose secret opens no more is sent nothing unsigned: it is disabled, and its people told', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const { id } = await scene.subscribe(A, ['memory.added']);
    await scene.add();
    const webhooks = { ...scene.webhooks, sealer: sealer(['another key of the test, long enough too']) };
    await runWebhooks({ ...scene.pass, webhooks }, { accountId });
    expect(scene.postings).toEqual([]);
    expect(await service.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
      disabledReason: 'secret',
    });
    expect((await scene.rows()).map(({ state }) => state)).toEqual(['FAILED']);
    const told = scene.notices.filter((notice) => notice.accountId === accountId);
    expect(told.map(({ reason }) => reason)).toEqual(['secret']);
  });
});
