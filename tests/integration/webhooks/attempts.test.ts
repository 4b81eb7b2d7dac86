import { expect, it } from 'vitest';
import { saveMemory } from '#lib/brain/memories/save-memory.ts';
import { claimDeliveries } from '#lib/webhooks/delivery/claim.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { recordAttempt } from '#lib/webhooks/delivery/record.ts';
import { runWebhooks } from '#lib/webhooks/delivery/run-webhooks.ts';
import { FAILURES_TO_REST, LEASE_MS } from '#lib/webhooks/limits.ts';
import { type LogLine, testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const A = 'https://a.boutique.fr/evenements';
const HOUR_MS = 3_600_000;

/** An endpoint with so many events on their way to it, claimed and not yet recorded. */
async function onTheirWay(events: number) {
  const scene = await webhookScene(service);
  const { id } = await scene.subscribe(A, ['memory.added']);
  for (let n = 0; n < events; n += 1) await scene.add(`Idée ${n}`);
  const claim = () =>
    claimDeliveries(scene.pass, { accountId: scene.account.id, busy: [], endpoints: 5, each: 4 });
  const endpoint = () => service.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  const set = (data: { failures?: number; restsUntil?: Date }) =>
    service.db.webhookEndpoint.update({ where: { id }, data });
  const claimed = await claim();
  if (claimed.length !== events) throw new Error('they were not all claimed');
  const [first, second] = claimed as [(typeof claimed)[number], (typeof claimed)[number]];
  return { ...scene, id, claim, endpoint, set, first, second };
}

it('an attempt that ends after another pass took its event writes nothing, of the event or of its endpoint', async () => {
  const { pass, clock, claim, endpoint, rows, first } = await onTheirWay(1);
  clock.advance(LEASE_MS);
  const [again] = await claim();
  expect(again).toMatchObject({ id: first.id, attempts: 2 });
  const refused = { result: 'refused', status: 500, ms: 1 } as const;
  const taken = { result: 'accepted', status: 200, ms: 1 } as const;
  expect(await recordAttempt(pass, first, refused)).toBe('lost');
  expect(await recordAttempt(pass, first, taken)).toBe('lost');
  expect(await rows()).toMatchObject([{ state: 'PENDING', attempts: 2, lastStatus: null }]);
  expect(await endpoint()).toMatchObject({ failures: 0, failingSince: null, lastDeliveredAt: null });
});

it('the rest that a subscriber asked for is not shortened by an attempt that fails beside', async () => {
  const { pass, clock, endpoint, set, first, second } = await onTheirWay(2);
  await set({ failures: FAILURES_TO_REST - 1 });
  const notBefore = new Date(clock.now().getTime() + HOUR_MS);
  await recordAttempt(pass, first, { result: 'refused', status: 429, ms: 1, notBefore });
  await recordAttempt(pass, second, { result: 'refused', status: 500, ms: 1 });
  expect(await endpoint()).toMatchObject({ failures: FAILURES_TO_REST + 1, restsUntil: notBefore });
});

it('an endpoint that takes an event rests no more, whatever failed before', async () => {
  const { pass, clock, endpoint, set, add, account, postings, first } = await onTheirWay(1);
  await set({ failures: 5, restsUntil: new Date(clock.now().getTime() + HOUR_MS) });
  expect(await recordAttempt(pass, first, { result: 'accepted', status: 200, ms: 1 })).toBe('delivered');
  expect(await endpoint()).toMatchObject({ failures: 0, restsUntil: null, lastDeliveredAt: clock.now() });
  await add('La suivante');
  await deliverDue(pass, { accountId: account.id });
  expect(postings).toHaveLength(1);
});

it('an event that was given up holds back none that follows it about the same Memory', async () => {
  const scene = await webhookScene(service);
  await scene.subscribe(A, ['memory.added', 'memory.changed']);
  const { memory } = await scene.add();
  await service.db.webhookDelivery.updateMany({
    where: { accountId: scene.account.id },
    data: { state: 'FAILED', closedAt: scene.clock.now() },
  });
  const change = { memoryId: memory.id, title: 'Autre titre', body: 'Corps', openedVersion: 1 };
  await saveMemory(scene.ctx, change);
  expect(await deliverDue(scene.pass, { accountId: scene.account.id })).toMatchObject({ delivered: 1 });
  expect(scene.postings.map(({ type }) => type)).toEqual(['memory.changed']);
});

it('a pass whose thresholds cannot be looked at delivers all the same, and says what failed', async () => {
  const scene = await webhookScene(service);
  await scene.subscribe(A, ['memory.added']);
  await scene.add();
  const kysely = interceptedQueries(service.connection.pool, {
    before({ text }) {
      if (text.includes('"WebhookThreshold"')) throw new Error('no threshold today');
    },
  });
  const lines: LogLine[] = [];
  const { log } = testContext(service, scene.actor, { lines });
  const report = await runWebhooks({ ...scene.pass, kysely, log }, { accountId: scene.account.id });
  expect(report).toMatchObject({ delivered: 1, thresholds: 0 });
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'cron.task_failed', task: 'webhook-thresholds' }),
  );
});

it('a pass begins nothing on an instance that is being stopped: another one delivers', async () => {
  const scene = await webhookScene(service);
  const accountId = scene.account.id;
  await scene.subscribe(A, ['memory.added']);
  await scene.add();
  const stopping = AbortSignal.abort();
  expect(await deliverDue({ ...scene.pass, stopping }, { accountId })).toMatchObject({ delivered: 0 });
  expect(await scene.rows()).toMatchObject([{ state: 'PENDING', attempts: 0 }]);
  expect(await deliverDue(scene.pass, { accountId })).toMatchObject({ delivered: 1 });
});
