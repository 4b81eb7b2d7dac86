import { describe, expect, it } from 'vitest';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { replayDeliveries } from '#lib/webhooks/deliveries/replay.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { mailDisabled } from '#lib/webhooks/delivery/notices.ts';
import { runWebhooks } from '#lib/webhooks/delivery/run-webhooks.ts';
import { setEndpointEnabled } from '#lib/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';
import { A, B, HOUR_MS, type Scene, untilQuiet } from './passes.ts';

const service = useTestService({ poolMax: 20 });

describe('deliveries', () => {
  it('four events refused for good at the same moment disable their endpoint once, and none waits for another', async () => {
    const scene = await webhookScene(service);
    const all = Promise.withResolvers<number>();
    let sent = 0;
    await scene.subscribe(A, ['memory.added'], () => {
      sent += 1;
      if (sent === 4) all.resolve(410);
      return all.promise;
    });
    await Promise.all(Array.from({ length: 4 }, (_, n) => scene.add(`Idée ${n}`)));
    const report = await deliverDue(scene.pass, { each: 4, accountId: scene.account.id });
    expect(report.errors).toBe(0);
    expect(scene.to(A)).toHaveLength(4);
    expect((await scene.rows()).map(({ state }) => state)).toEqual(Array(4).fill('FAILED'));
    const disabled = await service.db.auditEntry.count({
      where: { accountId: scene.account.id, action: 'webhook.disabled' },
    });
    expect(disabled).toBe(1);
    await runWebhooks(scene.pass, { accountId: scene.account.id });
    expect(scene.notices.map(({ host, reason }) => [host, reason])).toEqual([['a.boutique.fr', 'gone']]);
  });

  it('a mail server that never answers holds up no pass: the notice is sent by a later one', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    await scene.subscribe(A, ['memory.added'], () => 410);
    await scene.add();
    let asked = 0;
    const mail = () => {
      asked += 1;
      return new Promise<void>(() => {});
    };
    const slow = { ...scene.pass, webhooks: { ...scene.webhooks, mail } };
    expect(await runWebhooks(slow, { accountId, noticesMs: 3_000 })).toMatchObject({ notices: 0 });
    // A machine that was held for all that time has come so far by now, or soon.
    await expect.poll(() => asked).toBe(1);
    scene.clock.advance(11 * 60_000);
    await runWebhooks(scene.pass, { accountId });
    expect(scene.notices.filter((notice) => notice.accountId === accountId)).toHaveLength(1);
  });

  it('an endpoint that is stopped anew while the mail of the first time is on its way has its people told anew', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const { id } = await scene.subscribe(A, ['memory.added'], () => 410);
    await scene.add();
    const told = () => scene.notices.filter((notice) => notice.accountId === accountId);
    const mail: Scene['webhooks']['mail'] = async (notice) => {
      await scene.webhooks.mail(notice);
      if (notice.accountId !== accountId || told().length > 1) return;
      await setEndpointEnabled(scene.ctx, { endpointId: id, enabled: true });
      await scene.add('Encore une');
      await deliverDue(scene.pass, { accountId });
    };
    const pass = { ...scene.pass, webhooks: { ...scene.webhooks, mail } };
    await runWebhooks(pass, { accountId, noticesMs: 60_000 });
    expect(told()).toHaveLength(1);
    await runWebhooks(scene.pass, { accountId });
    expect(told().map(({ reason }) => reason)).toEqual(['gone', 'gone']);
  });

  it('an endpoint that refused an event from a minute after it happened until its end is disabled with it, and its people told', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const { id } = await scene.subscribe(A, ['memory.added'], () => 500);
    await scene.add();
    const endsAtMs = scene.clock.now().getTime() + 24 * HOUR_MS;
    scene.clock.advance(60_000);
    for (;;) {
      await runWebhooks(scene.pass, { accountId });
      const leftMs = endsAtMs - scene.clock.now().getTime();
      if (leftMs <= 0) break;
      scene.clock.advance(Math.min(HOUR_MS, leftMs));
    }
    expect((await scene.rows()).map(({ state }) => state)).toEqual(['FAILED']);
    expect(await service.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
      disabledReason: 'failing',
    });
    const told = scene.notices.filter((notice) => notice.accountId === accountId);
    expect(told.map(({ reason }) => reason)).toEqual(['failing']);
  });

  it('an event that was given up while others were taken does not disable its endpoint at the next refusal, days later', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const refused = new Set<string>();
    const { id } = await scene.subscribe(A, ['memory.added'], ({ data }) =>
      refused.has(String(data.memoryId)) ? 500 : 200,
    );
    const deliver = () => runWebhooks(scene.pass, { accountId });
    refused.add((await scene.add('Jamais prise')).memory.id);
    await deliver();
    scene.clock.advance(23 * HOUR_MS);
    await deliver();
    await scene.add('Prise');
    scene.clock.advance(HOUR_MS / 2);
    expect(await deliver()).toMatchObject({ delivered: 1, again: 1 });
    scene.clock.advance(HOUR_MS);
    expect(await deliver()).toMatchObject({ givenUp: 1 });
    scene.clock.advance(72 * HOUR_MS);
    refused.add((await scene.add('Prise la seconde fois')).memory.id);
    expect(await deliver()).toMatchObject({ again: 1, givenUp: 0 });
    refused.clear();
    scene.clock.advance(60_000);
    expect(await deliver()).toMatchObject({ delivered: 1 });
    expect(await service.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
      disabledAt: null,
      failures: 0,
    });
  });

  it('410 disables at once; an endpoint that failed for a day is disabled, its events given up, and its people told once', async () => {
    const scene = await webhookScene(service);
    const gone = await scene.subscribe(A, undefined, () => 410);
    const failing = await scene.subscribe(B, undefined, () => 500);
    const { id: awayId } = await makeMember(service, scene.account.id, { role: 'FOUNDER' });
    await service.db.member.update({ where: { id: awayId }, data: { status: 'SUSPENDED' } });
    const { memory } = await scene.add();
    for (let hour = 0; hour < 26; hour += 1) {
      await runWebhooks(scene.pass, { accountId: scene.account.id });
      scene.clock.advance(HOUR_MS);
      if (hour === 20) await deleteMemory(scene.ctx, { memoryId: memory.id });
    }
    const endpoints = await service.db.webhookEndpoint.findMany({ where: { accountId: scene.account.id } });
    const reasonOf = (id: string) => endpoints.find((one) => one.id === id)?.disabledReason;
    expect([reasonOf(gone.id), reasonOf(failing.id)]).toEqual(['gone', 'failing']);
    expect(scene.to(A)).toHaveLength(1);
    expect(new Set((await scene.rows()).map(({ state }) => state))).toEqual(new Set(['FAILED']));
    expect(scene.notices.map(({ host, reason, emails }) => [host, reason, emails])).toEqual([
      ['a.boutique.fr', 'gone', [scene.member.email]],
      ['b.boutique.fr', 'failing', [scene.member.email]],
    ]);
    // Nothing more is written for either; taken up again, what failed goes under its identifiers.
    const before = (await scene.rows()).length;
    await scene.add('Après');
    expect(await scene.rows()).toHaveLength(before);
    scene.reactions.set(B, () => 200);
    await expect(
      replayDeliveries(scene.ctx, { endpointId: failing.id, failedSince: new Date(0) }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await setEndpointEnabled(scene.ctx, { endpointId: failing.id, enabled: true });
    const known = new Set(scene.to(B).map(({ id }) => id));
    const again = await replayDeliveries(scene.ctx, { endpointId: failing.id, failedSince: new Date(0) });
    const posted = scene.to(B).length;
    await untilQuiet(scene);
    const replayed = scene.to(B).slice(posted);
    expect(replayed).toHaveLength(again);
    expect(known.has(replayed[0]?.id ?? '')).toBe(true);
  });

  it('an endpoint of a member that is gone is told to that member and the founders; one that somebody stops, to nobody', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const author = await makeMember(service, accountId, { role: 'MEMBER' });
    await makeMember(service, accountId, { role: 'MEMBER' });
    const own = scene.context(memberActor(author));
    const [gone, stopped] = [
      await createEndpoint(own, { url: A, events: ['memory.added'] }),
      await createEndpoint(own, { url: B, events: ['memory.added'] }),
    ];
    scene.reactions.set(A, () => 410);
    await setEndpointEnabled(own, { endpointId: stopped.id, enabled: false });
    await scene.add();
    await runWebhooks(scene.pass, { accountId });
    const told = scene.notices.filter((notice) => notice.accountId === accountId);
    expect(told.map(({ endpointId, emails }) => [endpointId, [...emails].sort()])).toEqual([
      [gone.id, [author.email, scene.member.email].sort()],
    ]);
  });

  it('a disabling is mailed by the pass that claims it: another passes over it, and waits for nobody', async () => {
    const scene = await webhookScene(service);
    const { id } = await scene.subscribe(A);
    const now = scene.clock.now();
    await service.db.webhookEndpoint.updateMany({ data: { noticeDueAt: null } });
    await service.db.webhookEndpoint.update({
      where: { id },
      data: { disabledAt: now, disabledReason: 'failing', noticeDueAt: now },
    });
    const claim = {
      text: 'UPDATE "WebhookEndpoint" SET "noticeDueAt" = $2 WHERE "id" = $1',
      values: [id, new Date(now.getTime() + HOUR_MS)],
    };
    const pass = () => mailDisabled(scene.pass);
    expect(await claimedMeanwhile(service, claim, pass)).toEqual({ came: 0, waited: false });
    expect(scene.notices).toEqual([]);
  });

  it('an endpoint that is taken up again before the mail about it has left is told to nobody', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const { id: endpointId } = await scene.subscribe(A, ['memory.added'], () => 410);
    await scene.add();
    await deliverDue(scene.pass, { accountId });
    await setEndpointEnabled(scene.ctx, { endpointId, enabled: true });
    await mailDisabled(scene.pass);
    expect(scene.notices.filter((notice) => notice.accountId === accountId)).toEqual([]);
  });

  it('an endpoint that refused three times and for which more than 50,000 events wait is disabled, they are given up, and its people told', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const { id } = await scene.subscribe(A, ['memory.added'], () => 500);
    const at = scene.clock.now();
    const later = (hours: number) => new Date(at.getTime() + hours * HOUR_MS);
    const wait = (from: number, to: number) =>
      service.pool.query(
        `INSERT INTO "WebhookDelivery" ("id", "accountId", "endpointId", "type", "subjectId", "data", "at", "dueAt", "endsAt")
         SELECT $1::text || n, $2, $1::text, 'memory.added', 'mem_x', '{}', $3, $4, $5 FROM generate_series($6::int, $7::int) n`,
        [id, accountId, at, later(12), later(24), from, to],
      );
    const reasonAfter = async (failures: number) => {
      await service.db.webhookEndpoint.update({ where: { id }, data: { failures } });
      await runWebhooks(scene.pass, { accountId });
      return (await service.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).disabledReason;
    };
    await wait(1, 50_000);
    expect(await reasonAfter(3)).toBeNull();
    await wait(50_001, 50_001);
    expect(await reasonAfter(2)).toBeNull();
    expect(await reasonAfter(3)).toBe('backlog');
    expect(await service.db.webhookDelivery.count({ where: { accountId, state: 'PENDING' } })).toBe(0);
    const told = scene.notices.filter((notice) => notice.accountId === accountId);
    expect(told.map(({ reason }) => reason)).toEqual(['backlog']);
    const disabled = { accountId, action: 'webhook.disabled' };
    expect(await service.db.auditEntry.count({ where: disabled })).toBe(1);
  });
});
