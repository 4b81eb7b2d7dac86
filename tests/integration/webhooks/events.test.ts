import { describe, expect, it } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { GRANTABLE_PERMISSIONS, type Permission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { transaction } from '#lib/db/transaction.ts';
import { updateMember } from '#lib/identity/members/update-member.ts';
import { DELIVERIES_KEPT_DAYS, purgeExpired } from '#lib/identity/purge-expired.ts';
import { listDeliveries } from '#lib/webhooks/deliveries/list-deliveries.ts';
import { replayDeliveries } from '#lib/webhooks/deliveries/replay.ts';
import { sendTest } from '#lib/webhooks/deliveries/send-test.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { notifyThresholds } from '#lib/webhooks/delivery/thresholds.ts';
import {
  changeEndpointEvents,
  deleteEndpoint,
  setEndpointEnabled,
} from '#lib/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { listEndpoints } from '#lib/webhooks/endpoints/list-endpoints.ts';
import { rotateSecret } from '#lib/webhooks/endpoints/rotate-secret.ts';
import { SUBSCRIBABLE, subscribableBy, WEBHOOK_EVENTS, type WebhookEventType } from '#lib/webhooks/events.ts';
import { MAX_ENDPOINTS } from '#lib/webhooks/limits.ts';
import { makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const URL_A = 'https://a.boutique.fr/evenements';

/** The events that were sent, each payload as the catalogue says and with nothing more. */
async function deliveredEvents(scene: Awaited<ReturnType<typeof webhookScene>>) {
  return (await scene.rows()).map(({ type, data, subjectId }) => {
    const { data: schema } = WEBHOOK_EVENTS[type as WebhookEventType];
    expect(schema.parse(data)).toEqual(data);
    return { type, subjectId, data: data as Record<string, unknown> };
  });
}

describe('events', () => {
  it('of a Space that its creator was not given are not told, and what was told of one that is taken back is forgotten', async () => {
    const scene = await webhookScene(service);
    const other = await makeSpace(service, scene.account.id, { name: 'Autre' });
    const member = await makeMember(service, scene.account.id, { role: 'MEMBER' });
    const give = (spaces: Record<string, 'read'> | null) =>
      updateMember(scene.ctx, {
        accountId: scene.account.id,
        memberId: member.id,
        name: member.name,
        role: 'MEMBER',
        spaces,
        permissions: [],
      });
    await createEndpoint(scene.context(memberActor(member)), { url: URL_A, events: ['memory.added'] });
    const add = (spaceId: string) =>
      addMemory(scene.ctx, {
        spaceId,
        pillar: 'KNOWLEDGE',
        title: 'T',
        body: 'B',
        parentId: null,
        source: 'MANUAL',
        idempotencyKey: null,
      });
    const spaces = async () => (await deliveredEvents(scene)).map(({ data }) => data.spaceId);
    await add(scene.space.id);
    await add(other.id);
    expect(await spaces()).toEqual([scene.space.id, other.id]);
    await give({ [other.id]: 'read' });
    expect(await spaces()).toEqual([other.id]);
    await add(scene.space.id);
    expect(await spaces()).toEqual([other.id]);
    await service.db.member.update({ where: { id: member.id }, data: { role: 'FOUNDER' } });
    await add(scene.space.id);
    expect(await spaces()).toEqual([other.id, scene.space.id]);
    // A member again, with the Spaces that were given before.
    await give({ [other.id]: 'read' });
    expect(await spaces()).toEqual([other.id]);
  });

  it('tell every change of a Memory in the transaction that makes it, nested ones each, and nothing that was rolled back', async () => {
    const scene = await webhookScene(service);
    const { ctx } = scene;
    await scene.add('Avant');
    expect(await scene.rows()).toEqual([]);
    await scene.subscribe(URL_A);
    const { memory } = await scene.add('Racine secrète');
    await updateMemory(ctx, { memoryId: memory.id, title: 'Autre', body: 'Texte', expectedVersion: 1 });
    await moveMemory(ctx, { memoryId: memory.id, pillar: 'IDENTITY', parentId: null });
    const { deletionId } = await deleteMemory(ctx, { memoryId: memory.id });
    await undoDelete(ctx, { deletionId });
    const changes = await deliveredEvents(scene);
    expect(changes.map(({ type, data }) => `${type} ${data.change} ${data.version}`)).toEqual([
      'memory.added created 1',
      'memory.changed edited 2',
      'memory.changed moved 3',
      'memory.deleted deleted 4',
      'memory.changed restored 5',
    ]);
    expect(JSON.stringify(changes)).not.toMatch(/secrète|Autre|Texte/);
    await expect(
      updateMemory(ctx, { memoryId: memory.id, title: 'X', body: 'X', expectedVersion: 1 }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await scene.rows()).toHaveLength(5);
  });

  it('tell a closed generation once, and a proposal from its audit entry', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(URL_A);
    const { accountId } = scene.actor;
    const now = scene.clock.now();
    const id = scene.newId().replace('evt_', 'gen_');
    await service.db.generation.create({
      data: {
        id,
        accountId,
        memberId: scene.member.id,
        productId: 'libre',
        kind: 'IMAGE',
        assetType: 'IMAGE',
        state: 'STARTING',
        params: {},
        references: {},
        artifacts: [],
        createdAt: now,
        updatedAt: now,
        searchText: '',
        deadlineAt: now,
        dueAt: now,
        requestId: 'req_x',
      },
    });
    const set = (state: 'SUBMITTED' | 'FAILED', code: string | null) =>
      service.db.generation.update({
        where: { id },
        data: { state, code, closedAt: state === 'FAILED' ? now : null },
      });
    await set('SUBMITTED', null);
    await set('FAILED', 'orphaned');
    await set('FAILED', 'orphaned');
    await transaction(scene.ctx, (tx) =>
      recordAudits(tx, scene.ctx, [
        {
          action: 'memory.proposed',
          accountId,
          subject: { type: 'proposal', id: 'prp_1' },
          data: { spaceId: 'spc_1' },
        },
      ] as never),
    );
    expect(await deliveredEvents(scene)).toEqual([
      {
        type: 'generation.closed',
        subjectId: id,
        data: { generationId: id, kind: 'image', status: 'failed', code: 'orphaned' },
      },
      { type: 'memory.proposed', subjectId: 'prp_1', data: { proposalId: 'prp_1', spaceId: 'spc_1' } },
    ]);
  });

  it('written at the very moment when their Space is taken back leave for nobody who lost it, and keep no other event waiting', async () => {
    const scene = await webhookScene(service);
    const { accountId } = scene.actor;
    const other = await makeSpace(service, accountId, { name: 'Autre' });
    const member = await makeMember(service, accountId, { role: 'MEMBER' });
    const URL_B = 'https://b.boutique.fr/evenements';
    const events = ['memory.added', 'memory.changed'];
    await createEndpoint(scene.context(memberActor(member)), { url: URL_A, events });
    await scene.subscribe(URL_B, events);
    const { memory } = await scene.add();
    await deliverDue(scene.pass, { accountId });
    expect([scene.to(URL_A).length, scene.to(URL_B).length]).toEqual([1, 1]);
    // The move has told its event, and is not committed yet.
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ label }) {
        if (label !== 'commit') return;
        await updateMember(scene.ctx, {
          accountId,
          memberId: member.id,
          name: member.name,
          role: 'MEMBER',
          permissions: [],
          spaces: { [other.id]: 'read' },
        });
      },
    });
    await moveMemory({ ...scene.ctx, kysely }, { memoryId: memory.id, pillar: 'IDENTITY', parentId: null });
    await addMemory(scene.ctx, {
      spaceId: other.id,
      pillar: 'KNOWLEDGE',
      title: 'T',
      body: 'B',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    await deliverDue(scene.pass, { accountId, endpoints: 1, each: 1 });
    const told = (url: string) => scene.to(url).map(({ type, data }) => [type, data.spaceId]);
    const first = ['memory.added', scene.space.id];
    expect(told(URL_A)).toEqual([first, ['memory.added', other.id]]);
    expect(told(URL_B)).toEqual([first, ['memory.changed', scene.space.id], ['memory.added', other.id]]);
    const kept = (await scene.rows()).map(({ type, state, data }) => [
      type,
      state,
      (data as { spaceId: string }).spaceId,
    ]);
    // Of what was sent before, the endpoint of the member keeps nothing either.
    expect(kept).toEqual([
      ['memory.added', 'DELIVERED', scene.space.id],
      ['memory.changed', 'DELIVERED', scene.space.id],
      ['memory.added', 'DELIVERED', other.id],
      ['memory.added', 'DELIVERED', other.id],
    ]);
  });

  it('of the Studio are told to who may generate alone: asked at each event, forgotten with the right, and no threshold is used up by who may not hear it', async () => {
    const scene = await webhookScene(service);
    const { accountId } = scene.actor;
    const member = await makeMember(service, accountId, { role: 'MEMBER', permissions: ['generate'] });
    const as = (permissions: Permission[]) => scene.context({ ...memberActor(member), permissions });
    const give = (permissions: Permission[]) =>
      updateMember(scene.ctx, {
        accountId,
        memberId: member.id,
        name: member.name,
        role: 'MEMBER',
        permissions,
      });
    const events = ['memory.added', 'generation.closed', 'credit.reached'];
    for (const type of ['generation.closed', 'credit.reached'])
      await expect(createEndpoint(as([]), { url: URL_A, events: [type] })).rejects.toMatchObject({
        code: 'invalid_request',
        options: { problems: [{ field: 'events', message: expect.stringContaining('générations') }] },
      });
    const { id: endpointId } = await createEndpoint(as(['generate']), { url: URL_A, events });
    await expect(
      changeEndpointEvents(as([]), { endpointId, events: ['generation.closed'] }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    const close = async () => {
      const id = scene.newId().replace('evt_', 'gen_');
      const now = scene.clock.now();
      await service.db.generation.create({
        data: {
          id,
          accountId,
          memberId: scene.member.id,
          productId: 'libre',
          kind: 'IMAGE',
          assetType: 'IMAGE',
          state: 'STARTING',
          params: {},
          references: {},
          artifacts: [],
          createdAt: now,
          updatedAt: now,
          searchText: '',
          deadlineAt: now,
          dueAt: now,
          requestId: 'req_x',
        },
      });
      await service.db.generation.update({
        where: { id },
        data: { state: 'FAILED', code: 'orphaned', closedAt: now },
      });
    };
    const told = async () => (await deliveredEvents(scene)).map(({ type }) => type);
    await close();
    await scene.add();
    expect(await told()).toEqual(['generation.closed', 'memory.added']);
    await give([]);
    expect(await told()).toEqual(['memory.added']);
    await close();
    await service.db.spendAlert.create({
      data: {
        accountId,
        month: '2026-11',
        multiple: 1,
        thresholdMicros: 45n,
        spentMicros: 90n,
        createdAt: scene.clock.now(),
      },
    });
    await notifyThresholds(scene.pass);
    expect(await told()).toEqual(['memory.added']);
    const [endpoint] = await listEndpoints(scene.ctx);
    expect(endpoint?.subscribable).toContain('memory.added');
    expect(endpoint?.subscribable).not.toContain('generation.closed');
    await give(['generate']);
    await notifyThresholds(scene.pass);
    expect(await told()).toEqual(['memory.added', 'credit.reached']);
  });

  it('tell what the catalogue says to whom it says, in the database as in the list', async () => {
    for (const role of ['FOUNDER', 'MEMBER'] as const)
      for (const permissions of [[], ['brain.write'], ['generate'], [...GRANTABLE_PERMISSIONS]]) {
        const { rows } = await service.pool.query<{ type: string }>(
          `SELECT type FROM unnest($1::text[]) WITH ORDINALITY AS one(type, place) WHERE may_be_told(type, $2, $3) ORDER BY place`,
          [SUBSCRIBABLE, role, permissions],
        );
        expect(rows.map(({ type }) => type)).toEqual(subscribableBy({ role, permissions }));
      }
  });

  it('tell each threshold once a month, however many passes look at once', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(URL_A);
    const { accountId } = scene.actor;
    const month = '2026-11';
    await service.db.account.update({ where: { id: accountId }, data: { capacityCu: 100, usedCu: 80 } });
    await service.db.readMonth.create({ data: { accountId, month, used: 799 } });
    await service.db.budget.upsert({
      where: { accountId },
      create: { accountId, month, monthSpentMicros: 90n, heldMicros: 10n, monthlyCeilingMicros: 100n },
      update: { month, monthSpentMicros: 90n, heldMicros: 10n, monthlyCeilingMicros: 100n },
    });
    await Promise.all(Array.from({ length: 6 }, () => notifyThresholds(scene.pass)));
    await service.db.readMonth.updateMany({ where: { accountId }, data: { used: 1_000 } });
    await service.db.account.update({ where: { id: accountId }, data: { usedCu: 100 } });
    for (const multiple of [1, 2])
      await service.db.spendAlert.create({
        data: {
          accountId,
          month,
          multiple,
          thresholdMicros: 45n,
          spentMicros: 90n,
          createdAt: scene.clock.now(),
        },
      });
    await Promise.all(Array.from({ length: 6 }, () => notifyThresholds(scene.pass)));
    const levels = (await deliveredEvents(scene)).map(
      ({ type, data }) => `${type} ${data.level} ${data.percent ?? `× ${data.multiple}`}`,
    );
    expect(levels.sort()).toEqual([
      'credit.reached ceiling 100',
      'credit.reached ceiling 80',
      'credit.reached spend × 1',
      'credit.reached spend × 2',
      'quota.reached capacity 100',
      'quota.reached capacity 80',
      'quota.reached reads 100',
      'quota.reached reads 80',
    ]);
  });

  it('count against what is agreed by contract, and against what this month spent, not the one before it', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(URL_A);
    const { accountId } = scene.actor;
    const at = (contractualReads: number, month: string) =>
      Promise.all([
        service.db.account.update({ where: { id: accountId }, data: { capacityCu: 100, contractualReads } }),
        service.db.budget.upsert({
          where: { accountId },
          create: { accountId, month, monthSpentMicros: 90n, heldMicros: 0n, monthlyCeilingMicros: 100n },
          update: { month },
        }),
      ]);
    await service.db.readMonth.create({ data: { accountId, month: '2026-11', used: 1_000 } });
    await at(5_000, '2026-10');
    await notifyThresholds(scene.pass);
    expect(await scene.rows()).toEqual([]);
    await at(1_250, '2026-11');
    await notifyThresholds(scene.pass);
    const told = (await deliveredEvents(scene)).map(({ data }) => `${data.level} ${data.percent}`);
    expect(told.sort()).toEqual(['ceiling 80', 'reads 80']);
  });

  it('leave a threshold untold while no address takes it, and tell it once one does again', async () => {
    const scene = await webhookScene(service);
    const { id: endpointId } = await scene.subscribe(URL_A);
    const { accountId } = scene.actor;
    await service.db.account.update({ where: { id: accountId }, data: { capacityCu: 100, usedCu: 80 } });
    await setEndpointEnabled(scene.ctx, { endpointId, enabled: false });
    await notifyThresholds(scene.pass);
    expect(await scene.rows()).toEqual([]);
    await setEndpointEnabled(scene.ctx, { endpointId, enabled: true });
    await notifyThresholds(scene.pass);
    expect((await deliveredEvents(scene)).map(({ type }) => type)).toEqual(['quota.reached']);
  });

  it('leave a threshold untold while who subscribed is suspended, and tell it once they are back', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(URL_A);
    const { accountId } = scene.actor;
    await service.db.account.update({ where: { id: accountId }, data: { capacityCu: 100, usedCu: 80 } });
    const set = (status: 'ACTIVE' | 'SUSPENDED') =>
      service.db.member.update({ where: { id: scene.member.id }, data: { status } });
    await set('SUSPENDED');
    await notifyThresholds(scene.pass);
    await set('ACTIVE');
    await notifyThresholds(scene.pass);
    expect((await deliveredEvents(scene)).map(({ type }) => type)).toEqual(['quota.reached']);
  });

  it('are kept fourteen days', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(URL_A);
    await scene.add();
    scene.clock.advance(DELIVERIES_KEPT_DAYS * 86_400_000 - 1_000);
    await scene.add();
    scene.clock.advance(2_000);
    expect((await purgeExpired(scene.pass)).deliveries).toBeGreaterThanOrEqual(1);
    expect(await scene.rows()).toHaveLength(1);
  });
});

describe('endpoints', () => {
  it('an account never has more than ten, however many are made at once', async () => {
    const scene = await webhookScene(service);
    const made = await Promise.allSettled(
      Array.from({ length: 14 }, (_, n) => scene.subscribe(`https://n${n}.boutique.fr/`)),
    );
    expect(MAX_ENDPOINTS).toBe(10);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it('of two that are made in one moment, the tenth of an account is one alone', async () => {
    const scene = await webhookScene(service);
    for (let n = 1; n < MAX_ENDPOINTS; n += 1) await scene.subscribe(`https://n${n}.boutique.fr/`);
    // Two members: what one of them makes waits for that member's own row too.
    const one = await makeMember(service, scene.account.id);
    const other = await makeMember(service, scene.account.id);
    const make = (member: typeof one) => () =>
      createEndpoint(scene.context(memberActor(member)), { url: URL_A, events: ['memory.added'] });
    expect(await oneBeforeAnother(service, make(one), make(other))).toEqual(['done', 'conflict']);
  });

  it('another account, and another member who is no founder, meet an endpoint as if it did not exist; a founder never has its secret', async () => {
    const scene = await webhookScene(service);
    const author = await makeMember(service, scene.account.id, { role: 'MEMBER' });
    const other = await makeMember(service, scene.account.id, { role: 'MEMBER' });
    const stranger = await webhookScene(service);
    const own = scene.context(memberActor(author));
    const { id: endpointId } = await createEndpoint(own, { url: URL_A, events: ['memory.added'] });
    await scene.add();
    const [row] = await scene.rows();
    for (const ctx of [scene.context(memberActor(other)), stranger.ctx]) {
      const refused = { code: 'not_found' };
      await expect(rotateSecret(ctx, { endpointId, overlapHours: 0 })).rejects.toMatchObject(refused);
      await expect(changeEndpointEvents(ctx, { endpointId, events: ['memory.added'] })).rejects.toMatchObject(
        refused,
      );
      await expect(setEndpointEnabled(ctx, { endpointId, enabled: false })).rejects.toMatchObject(refused);
      await expect(deleteEndpoint(ctx, { endpointId })).rejects.toMatchObject(refused);
      await expect(sendTest(ctx, { endpointId })).rejects.toMatchObject(refused);
      await expect(replayDeliveries(ctx, { endpointId, deliveryId: row?.id ?? '' })).rejects.toMatchObject(
        refused,
      );
      expect(await listEndpoints(ctx)).toEqual([]);
    }
    expect((await listDeliveries(stranger.ctx, { endpointId })).deliveries).toEqual([]);
    // The founder sees it and stops it, and receives no secret.
    const seen = await listEndpoints(scene.ctx);
    expect(seen.map(({ id }) => id)).toEqual([endpointId]);
    expect(JSON.stringify(seen)).not.toMatch(/secret/i);
    await expect(rotateSecret(scene.ctx, { endpointId, overlapHours: 0 })).rejects.toMatchObject({
      code: 'conflict',
    });
    await setEndpointEnabled(scene.ctx, { endpointId, enabled: false });
    expect((await scene.rows()).map(({ state }) => state)).toEqual(['FAILED']);
  });

  it('are called without the fragment of the address that was given, and show it so', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(`${URL_A}?a=1#partie`, ['memory.added']);
    expect(await listEndpoints(scene.ctx)).toMatchObject([{ url: `${URL_A}?a=1`, host: 'a.boutique.fr' }]);
    await scene.add();
    await deliverDue(scene.pass, { accountId: scene.account.id });
    expect(scene.postings.map(({ url }) => url)).toEqual([`${URL_A}?a=1`]);
  });

  it('are told by mail to the member in whose name they are made, and never their secret', async () => {
    const scene = await webhookScene(service);
    const box: Mail[] = [];
    const input = { url: URL_A, events: ['memory.added'] };
    const { secret } = await createEndpoint(scene.ctx, input, (mail) => void box.push(mail));
    expect(box.map(({ to, subject }) => [to, subject])).toEqual([
      [scene.member.email, 'Nouvelle adresse abonnée à Atelier en votre nom'],
    ]);
    expect(box[0]?.text).toContain('L’adresse «\u00a0a.boutique.fr\u00a0» vient d’être abonnée');
    expect(box[0]?.text).toContain('supprimez-la dans «\u00a0Développeurs\u00a0»');
    expect(box[0]?.text).not.toContain(secret);
  });

  it('of which the secret is replaced are told by mail too, and never the secret', async () => {
    const scene = await webhookScene(service);
    const { id: endpointId } = await scene.subscribe(URL_A);
    const box: Mail[] = [];
    const post = (mail: Mail) => void box.push(mail);
    const { secret } = await rotateSecret(scene.ctx, { endpointId, overlapHours: 0 }, post);
    expect(box.map(({ to, subject }) => [to, subject])).toEqual([
      [scene.member.email, 'Nouveau secret d’une adresse abonnée à Atelier'],
    ]);
    expect(box[0]?.text).toContain('Le secret de l’adresse «\u00a0a.boutique.fr\u00a0»');
    expect(box[0]?.text).toContain('remplacez-le de nouveau dans «\u00a0Développeurs\u00a0»');
    expect(box[0]?.text).not.toContain(secret);
  });

  it('tell nothing more once who created them is no active member', async () => {
    const scene = await webhookScene(service);
    await scene.subscribe(URL_A);
    await scene.add();
    expect(await listEndpoints(scene.ctx)).toMatchObject([{ isOrphan: false }]);
    await service.db.member.update({ where: { id: scene.member.id }, data: { status: 'SUSPENDED' } });
    expect(await listEndpoints(scene.ctx)).toMatchObject([{ isOrphan: true }]);
    await scene.add();
    expect(await scene.rows()).toHaveLength(1);
    expect(await deliverDue(scene.pass, { accountId: scene.account.id })).toMatchObject({ delivered: 0 });
    expect(scene.postings).toEqual([]);
  });

  it('a test answers what the address said, and keeps nothing', async () => {
    const scene = await webhookScene(service);
    const { id: endpointId } = await scene.subscribe(URL_A, undefined, () => 418);
    expect(await sendTest(scene.ctx, { endpointId })).toMatchObject({ result: 'refused', status: 418 });
    scene.reactions.set(URL_A, () => 'timeout');
    expect(await sendTest(scene.ctx, { endpointId })).toMatchObject({
      result: 'unanswered',
      error: 'timeout',
    });
    expect(await scene.rows()).toEqual([]);
  });
});
