import { describe, expect, it } from 'vitest';
import { saveMemory } from '#lib/brain/memories/save-memory.ts';
import { replayDeliveries } from '#lib/webhooks/deliveries/replay.ts';
import { claimDeliveries } from '#lib/webhooks/delivery/claim.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { setEndpointEnabled } from '#lib/webhooks/endpoints/change-endpoint.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { explainedQueries, NO_SHORT_CUTS } from '#tests/factories/statements/explained-queries.ts';
import { isVerified, type Reaction, webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';
import { A, B, HOUR_MS, happen, untilQuiet } from './passes.ts';

const service = useTestService({ poolMax: 20 });

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
      await happen(service, scene, id, { PENDING: 2 });
      const refused = { dueAt: new Date(scene.clock.now().getTime() + 4 * HOUR_MS), attempts: 8 };
      await service.db.webhookDelivery.update({ where: { id: `${id}PENDING1` }, data: refused });
      await service.db.webhookDelivery.update({
        where: { id: `${id}PENDING2` },
        data: { subjectId: 'mem_1' },
      });
    }
    const { id } = await scene.subscribe(A, ['memory.added']);
    await happen(service, scene, id, { PENDING: 1 });
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

  it('of thousands, a claim reads the few that it takes, in the order in which they happened, of the endpoints of its account', async () => {
    const scene = await webhookScene(service);
    const accountId = scene.account.id;
    const { id } = await scene.subscribe(A, ['memory.added']);
    // Of few delivered ones the order of all is as cheap to follow as that of those that wait.
    await happen(service, scene, id, { DELIVERED: 10_000, PENDING: 100 });
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
});
