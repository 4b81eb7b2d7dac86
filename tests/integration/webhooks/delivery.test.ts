import { describe, expect, it } from 'vitest';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { saveMemory } from '#lib/brain/memories/save-memory.ts';
import { listDeliveries } from '#lib/webhooks/deliveries/list-deliveries.ts';
import { replayDeliveries } from '#lib/webhooks/deliveries/replay.ts';
import { claimDeliveries } from '#lib/webhooks/delivery/claim.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { mailDisabled } from '#lib/webhooks/delivery/notices.ts';
import { runWebhooks } from '#lib/webhooks/delivery/run-webhooks.ts';
import { setEndpointEnabled } from '#lib/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { listEndpoints } from '#lib/webhooks/endpoints/list-endpoints.ts';
import { rotateSecret } from '#lib/webhooks/endpoints/rotate-secret.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { explainedQueries, NO_SHORT_CUTS } from '#tests/factories/statements/explained-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { isVerified, type Reaction, webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const HOUR_MS = 3_600_000;
const A = 'https://a.boutique.fr/evenements';
const B = 'https://b.boutique.fr/evenements';

type Scene = Awaited<ReturnType<typeof webhookScene>>;

/** So many events of an endpoint in each of these states, one after the other. */
async function happen(scene: Scene, endpointId: string, counts: Record<string, number>): Promise<void> {
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
async function untilQuiet(scene: Scene, options: { instances?: number; stepMs?: number } = {}) {
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

describe('deliveries', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'seed %i: whatever subscribers and two instances do, every event arrives, in order for each object, under one identifier, signed',
    async (seed) => {
      const scene = await webhookScene(service, { seed });
      const { random, clock, ctx, postings } = scene;
      let ills: readonly Reaction[] = [200, 200, 204, 500, 429, 'timeout', 'crash'];
      const chaos = () => random.pick(ills);
      const secrets = new Map<string, string>();
      for (const url of [A, B]) secrets.set(url, (await scene.subscribe(url, undefined, chaos)).secret);
      const made = await Promise.all(Array.from({ length: 4 }, (_, n) => scene.add(`Idée ${n}`)));
      let version = 1;
      for (let turn = 0; turn < 3; turn += 1) {
        version += 1;
        for (const { memory } of made)
          await saveMemory(ctx, {
            memoryId: memory.id,
            title: `Tour ${turn}`,
            body: 'Corps',
            openedVersion: version - 1,
          });
        await Promise.all([
          deliverDue(scene.pass, { each: 2, accountId: scene.account.id }),
          deliverDue(scene.pass, { each: 2, accountId: scene.account.id }),
        ]);
        clock.advance(random.below(90_000));
      }
      ills = [200, 200, 200, 200, 200, 500, 'crash'];
      await untilQuiet(scene, { instances: 2 });
      const rows = await scene.rows();
      expect(rows).toHaveLength(2 * 4 * 4);
      expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['DELIVERED']));
      expect(scene.doubles).toEqual([]);
      for (const url of [A, B]) {
        const own = postings.filter((posting) => posting.url === url);
        const taken = own.filter(({ accepted }) => accepted);
        const firsts = taken.filter(({ id }, at) => taken.findIndex((one) => one.id === id) === at);
        for (const { memory } of made)
          expect(
            firsts.filter(({ data }) => data.memoryId === memory.id).map(({ data }) => data.version),
          ).toEqual([1, 2, 3, 4]);
        // The same identifier always says the same thing.
        expect(new Set(own.map(({ id, body }) => id + body)).size).toBe(firsts.length);
        for (const posting of own) {
          const at = new Date(Number(posting.headers['webhook-timestamp']) * 1_000);
          expect(isVerified(secrets.get(url) ?? '', posting, at)).toBe(true);
          expect(isVerified(secrets.get(url === A ? B : A) ?? '', posting, at)).toBe(false);
        }
      }
    },
  );

  it('a subscriber that hangs costs the healthy one nothing: it has everything before the other’s time is over', async () => {
    const scene = await webhookScene(service);
    let release: (answer: 'timeout') => void = () => undefined;
    const hanging = new Promise<'timeout'>((resolve) => {
      release = resolve;
    });
    await scene.subscribe(A, undefined, () => hanging);
    await scene.subscribe(B);
    for (let n = 0; n < 12; n += 1) await scene.add(`Idée ${n}`);
    const pass = deliverDue(scene.pass, { accountId: scene.account.id });
    await expect.poll(() => scene.to(B).length).toBe(12);
    // All its places, and no more, are taken by the one that hangs.
    expect(scene.to(A)).toHaveLength(4);
    release('timeout');
    expect(await pass).toEqual({ delivered: 12, again: 4, givenUp: 0, errors: 0 });
    // It rests, and is tried with one event when it has rested; the healthy one goes on meanwhile.
    await scene.add('Encore une');
    await deliverDue(scene.pass, { accountId: scene.account.id });
    expect(scene.to(A)).toHaveLength(4);
    expect(scene.to(B)).toHaveLength(13);
    scene.clock.advance(30_000);
    scene.reactions.set(A, () => 'timeout');
    await deliverDue(scene.pass, { accountId: scene.account.id });
    expect(scene.to(A)).toHaveLength(5);
  });

  it('an endpoint whose events wait for one that is tried again later takes no place from one that has something to be sent', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    for (let n = 0; n < 9; n += 1) {
      const { id } = await scene.subscribe(`https://${n}.boutique.fr/`, ['memory.added']);
      await happen(scene, id, { PENDING: 2 });
      const refused = { dueAt: new Date(scene.clock.now().getTime() + 4 * HOUR_MS), attempts: 8 };
      await service.db.webhookDelivery.update({ where: { id: `${id}PENDING1` }, data: refused });
      await service.db.webhookDelivery.update({
        where: { id: `${id}PENDING2` },
        data: { subjectId: 'mem_1' },
      });
    }
    const { id } = await scene.subscribe(A, ['memory.added']);
    await happen(scene, id, { PENDING: 1 });
    expect(await deliverDue(scene.pass, { accountId, endpoints: 1 })).toMatchObject({ delivered: 1 });
    expect(scene.to(A)).toHaveLength(1);
    expect(scene.postings).toHaveLength(1);
  });

  it('a sender that dies between sending and marking leaves the event to the next, under the same identifier', async () => {
    const scene = await webhookScene(service);
    let crashes = 0;
    await scene.subscribe(A, undefined, () => {
      crashes += 1;
      return crashes === 1 ? 'crash' : 200;
    });
    await scene.add();
    expect(await deliverDue(scene.pass, { accountId: scene.account.id })).toMatchObject({
      delivered: 0,
      errors: 1,
    });
    expect(await deliverDue(scene.pass, { accountId: scene.account.id })).toMatchObject({
      delivered: 0,
      errors: 0,
    });
    scene.clock.advance(61_000);
    expect(await deliverDue(scene.pass, { accountId: scene.account.id })).toMatchObject({ delivered: 1 });
    const [first, second] = scene.to(A);
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
  });

  it('a subscriber that has too much to do is left alone for as long as it asks, from its first refusal on', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(A);
    await scene.add();
    let answer: { status: number; retryAfter?: string } = { status: 429, retryAfter: '600' };
    let asked = 0;
    const post = async () => {
      asked += 1;
      return answer;
    };
    const pass = { ...scene.pass, webhooks: { ...scene.webhooks, post } };
    const deliver = () => deliverDue(pass, { accountId: scene.account.id });
    expect(await deliver()).toMatchObject({ again: 1 });
    scene.clock.advance(599_000);
    expect(await deliver()).toMatchObject({ delivered: 0, again: 0 });
    expect(asked).toBe(1);
    scene.clock.advance(2_000);
    answer = { status: 200 };
    expect(await deliver()).toMatchObject({ delivered: 1 });
    expect(asked).toBe(2);
  });

  it('ten passes at once post each event once', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(A);
    await scene.subscribe(B);
    for (let n = 0; n < 10; n += 1) await scene.add(`Idée ${n}`);
    await Promise.all(
      Array.from({ length: 10 }, () => deliverDue(scene.pass, { accountId: scene.account.id })),
    );
    expect(scene.postings).toHaveLength(20);
    expect(new Set(scene.postings.map(({ id }) => id)).size).toBe(20);
  });

  it('an event is posted by the pass that claims it: another passes over it, and waits for nobody', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(A);
    await scene.add();
    const claim = {
      text: 'UPDATE "WebhookDelivery" SET "dueAt" = $2, "attempts" = "attempts" + 1 WHERE "accountId" = $1',
      values: [scene.account.id, new Date(scene.clock.now().getTime() + HOUR_MS)],
    };
    const pass = () => deliverDue(scene.pass, { accountId: scene.account.id });
    const { came, waited } = await claimedMeanwhile(service, claim, pass);
    expect([came.delivered, waited, scene.postings]).toEqual([0, false, []]);
  });

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

  it('a redirect takes no event: it is sent again, to the address that was given', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(A, ['memory.added'], () => 302);
    await scene.add();
    const accountId = scene.account.id;
    expect(await deliverDue(scene.pass, { accountId })).toMatchObject({ delivered: 0, again: 1 });
    expect(await scene.rows()).toMatchObject([{ state: 'PENDING', lastStatus: 302 }]);
    // Each attempt is dated by itself: a subscriber refuses what is signed for long before.
    const first = scene.clock.now().getTime();
    scene.clock.advance(HOUR_MS);
    await deliverDue(scene.pass, { accountId });
    const dates = scene.to(A).map(({ headers }) => Number(headers['webhook-timestamp']) * 1_000);
    expect(dates).toEqual([first, first + HOUR_MS]);
  });

  it('from its third failure on, an endpoint is tried with one event at a time', async () => {
    const scene = await webhookScene(service);
    const { id } = await scene.subscribe(A, ['memory.added'], () => 500);
    for (const title of ['Une', 'Deux', 'Trois']) await scene.add(title);
    const accountId = scene.account.id;
    const claimedAt = async (failures: number) => {
      await service.db.webhookEndpoint.update({ where: { id }, data: { failures } });
      const claimed = await claimDeliveries(scene.pass, { accountId, busy: [], endpoints: 5, each: 2 });
      scene.clock.advance(HOUR_MS);
      return claimed.length;
    };
    expect([await claimedAt(2), await claimedAt(3)]).toEqual([2, 1]);
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

  it('an endpoint that is taken up again is sent to at once, whatever rest it had asked for, and what it is sent again has a day of its own', async () => {
    const scene = await webhookScene(service);
    const { id: endpointId } = await scene.subscribe(A);
    await scene.add();
    let answer: { status: number; retryAfter?: string } = { status: 429, retryAfter: '3600' };
    const pass = { ...scene.pass, webhooks: { ...scene.webhooks, post: async () => answer } };
    const deliver = () => deliverDue(pass, { accountId: scene.account.id });
    expect(await deliver()).toMatchObject({ again: 1 });
    for (const enabled of [false, true]) await setEndpointEnabled(scene.ctx, { endpointId, enabled });
    await scene.add('Encore une');
    answer = { status: 200 };
    expect(await deliver()).toMatchObject({ delivered: 1 });
    scene.clock.advance(25 * HOUR_MS);
    expect(await replayDeliveries(scene.ctx, { endpointId, failedSince: new Date(0) })).toBe(1);
    answer = { status: 500 };
    expect(await deliver()).toMatchObject({ again: 1, givenUp: 0 });
    const rows = await scene.rows();
    expect(rows.map(({ state, attempts, closedAt }) => [state, attempts, closedAt !== null])).toEqual([
      ['PENDING', 1, false],
      ['DELIVERED', 1, true],
    ]);
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

  it('events of a closed account wait, and go once it is open again', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    await scene.subscribe(A);
    await scene.add();
    const close = (closedAt: Date | null) =>
      service.db.account.update({ where: { id: accountId }, data: { closedAt } });
    await close(scene.clock.now());
    expect(await deliverDue(scene.pass, { accountId })).toMatchObject({ delivered: 0 });
    await close(null);
    expect(await deliverDue(scene.pass, { accountId })).toMatchObject({ delivered: 1 });
  });

  it('are shown fifty at a time, the latest first, each once', async () => {
    const scene = await webhookScene(service);
    const { id: endpointId } = await scene.subscribe(A, ['memory.added']);
    await happen(scene, endpointId, { DELIVERED: 101 });
    const pages: string[][] = [];
    for (let before: bigint | null | undefined; before !== null; ) {
      const page = await listDeliveries(scene.ctx, { endpointId, ...(before ? { before } : {}) });
      pages.push(page.deliveries.map(({ id }) => id));
      before = page.next;
    }
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 1]);
    expect(pages.flat()).toEqual((await scene.rows()).map(({ id }) => id).reverse());
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

  it('of thousands, a claim reads the few that it takes, in the order in which they happened, of the endpoints of its account', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const { id } = await scene.subscribe(A, ['memory.added']);
    await happen(scene, id, { DELIVERED: 2_000, PENDING: 500 });
    const statements: string[] = [];
    const { kysely, plans } = explainedQueries(service, {
      of: ({ label, text }) => label.startsWith('webhooks.claim') && statements.push(text) > 0,
      off: NO_SHORT_CUTS,
    });
    const asked = { accountId, busy: [], endpoints: 1, each: 4 };
    const taken = await claimDeliveries({ ...scene.pass, kysely }, asked);
    expect(taken.map((one) => one.id)).toEqual([1, 2, 3, 4].map((n) => `${id}PENDING${n}`));
    const read = /"WebhookDelivery_waiting_idx" on "WebhookDelivery" d\w* \(actual rows=4(\.00)? loops=1\)/;
    expect(plans[0]).toMatch(read);
    // Whether it is of one account is no question of the statement: its plan would read the endpoints of every account.
    expect(statements[0]).toMatch(/"e"\."accountId" = \$\d+/);
    expect(statements[0]).not.toMatch(/\$\d+::text is null/);
  });

  it('what was given up is counted without reading what was delivered', async () => {
    const scene = await webhookScene(service);
    const { id } = await scene.subscribe(A, ['memory.added']);
    await happen(scene, id, { DELIVERED: 2_000, FAILED: 3 });
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
