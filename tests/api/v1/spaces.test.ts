import { describe, expect, test } from 'vitest';
import { GET as listSpaces } from '#app/api/v1/spaces/route.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { spaceListSchema, spaceSchema } from '#lib/brain/schemas/spaces.ts';
import { changeSpace } from '#lib/brain/spaces/change-space.ts';
import { createId } from '#lib/core/ids.ts';
import { makeKey, makeMember, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { call, useApi } from '#tests/setup/api.ts';
import { read, setting } from './reads.ts';

const service = useApi({ poolMax: 30 });

describe('GET /spaces', () => {
  test('lists the account’s Spaces, oldest first, with counters and capacity; strangers’ and archived ones are absent', async () => {
    const place = await setting(service, { capacityCu: 50 });
    await setting(service);
    const second = await makeSpace(service, place.account.id, {
      name: 'Registre',
      template: 'personal',
      // Written after, and older: neither the order of writing nor that of names is the order of the answer.
      now: new Date(Date.now() - 86_400_000),
    });
    const archived = await makeSpace(service, place.account.id, { name: 'Ancien' });
    await service.db.space.update({ where: { id: archived.id }, data: { archivedAt: new Date() } });
    await place.write('IDENTITY', 'Promesse', 'x'.repeat(1500));
    const { status, json } = await read.spaces(place);
    expect(status).toBe(200);
    expect(spaceListSchema.parse(json)).toEqual(json);
    expect(json).toEqual({
      object: 'list',
      data: [
        {
          object: 'space',
          id: second.id,
          name: 'Registre',
          template: 'personal',
          templateLabel: 'Personnel',
          memories: 0,
          cu: 0,
        },
        {
          object: 'space',
          id: place.space.id,
          name: 'Maison Lumen',
          template: 'brand',
          templateLabel: 'Marque',
          memories: 1,
          cu: 2,
        },
      ],
      capacity: { usedCu: 2, capacityCu: 50 },
    });
    const asked = await call(listSpaces, { path: '/api/v1/spaces?limit=1', token: place.token });
    expect([asked.status, asked.json.error.code, asked.json.error.problems[0].field]).toEqual([
      400,
      'invalid_request',
      'limit',
    ]);
    // However many there are, no page of them: all.
    await service.db.space.createMany({
      data: Array.from({ length: 120 }, (_, n) => ({
        id: createId('space'),
        accountId: place.account.id,
        name: `Espace ${n}`,
        template: 'blank' as const,
        createdAt: second.createdAt,
        updatedAt: second.updatedAt,
      })),
    });
    expect((await read.spaces(place)).json.data).toHaveLength(122);
  });
});

describe('GET /spaces/{id}', () => {
  test('gives the five pillars in role order with nested Memories, and contributions that sum to the quality', async () => {
    const place = await setting(service);
    const { memory: root } = await place.write('KNOWLEDGE', 'Marché', 'x'.repeat(500));
    const { memory: later } = await place.write('KNOWLEDGE', 'Plus tard', 'y'.repeat(900));
    const { memory: nested } = await place.write('KNOWLEDGE', 'Chiffre', 'z'.repeat(300), root.id);
    const file = { name: 'plan.pdf', contentType: 'application/pdf', bytes: 4_096 };
    const origin = { sourceRef: 'plan.pdf', file };
    await service.db.memory.update({ where: { id: later.id }, data: origin });
    const { status, json } = await read.space(place);
    expect(status).toBe(200);
    expect(spaceSchema.parse(json)).toEqual(json);
    expect(json.pillars.map((pillar: { role: string }) => pillar.role)).toEqual([
      'IDENTITY',
      'GUIDELINES',
      'KNOWLEDGE',
      'ITEMS',
      'PEOPLE',
    ]);
    const { memories, ...knowledge } = json.pillars[2];
    expect(memories.map((memory: { title: string }) => memory.title)).toEqual([
      'Marché',
      'Chiffre',
      'Plus tard',
    ]);
    expect(knowledge).toEqual({
      role: 'KNOWLEDGE',
      label: 'Connaissances',
      icon: 'library',
      note: expect.stringMatching(/^Ce qu’il faut savoir/),
      cu: 3,
      quality: 40,
    });
    expect(memories[1]).toEqual({
      id: nested.id,
      pillar: 'KNOWLEDGE',
      parentId: root.id,
      kind: 'NOTE',
      title: 'Chiffre',
      body: 'z'.repeat(300),
      source: 'MANUAL',
      sourceRef: null,
      file: null,
      cu: 1,
      contribution: 7,
      updatedAt: nested.updatedAt.toISOString(),
    });
    expect(memories[2]).toMatchObject({ id: later.id, parentId: null, ...origin });
    expect(
      memories.reduce((sum: number, memory: { contribution: number }) => sum + memory.contribution, 0),
    ).toBe(40);
    expect(json).toMatchObject({
      object: 'space',
      id: place.space.id,
      name: 'Maison Lumen',
      template: 'brand',
      templateLabel: 'Marque',
      quality: 8,
      cu: 3,
      canEdit: true,
      websiteUrl: null,
      capacity: { usedCu: 3, capacityCu: 10_000 },
    });
    // The right is the member’s, whatever the scopes of the credential.
    const narrow = await makeKey(service, place.member, { scopes: ['brain:read'] });
    expect((await read.space({ ...place, token: narrow.secret })).json.canEdit).toBe(true);
    // Another template shows the same roles by other words; the capacity is still the whole account’s.
    const personal = await makeSpace(service, place.account.id, { template: 'personal' });
    const websiteUrl = 'https://exemple.fr';
    await service.db.space.update({ where: { id: personal.id }, data: { websiteUrl } });
    const { json: other } = await read.space(place, {}, personal.id);
    expect(other).toMatchObject({ websiteUrl, cu: 0, capacity: { usedCu: 3, capacityCu: 10_000 } });
    expect(other.pillars.map(({ role, label }: { role: string; label: string }) => [role, label])).toEqual([
      ['IDENTITY', 'Moi'],
      ['GUIDELINES', 'Préférences'],
      ['KNOWLEDGE', 'Notes'],
      ['ITEMS', 'Projets'],
      ['PEOPLE', 'Proches'],
    ]);
  });

  test('304 for a current ETag, at no cost; a change of the Space or of the account’s use gives 200 again', async () => {
    const place = await setting(service);
    const other = await makeSpace(service, place.account.id);
    const first = await read.space(place);
    const etag = first.headers.get('etag') ?? '';
    expect([etag.startsWith('"'), first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      true,
      'private, no-cache',
      'Authorization',
    ]);
    const again = await read.space(place, { 'if-none-match': `"autre", ${etag}` });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect([again.headers.get('cache-control'), again.headers.get('vary')]).toEqual([
      'private, no-cache',
      'Authorization',
    ]);
    expect([first, again].map(({ headers }) => headers.get('content-language'))).toEqual(['fr', null]);
    expect(again.headers.get('request-id')).toMatch(/^req_/);
    expect((await read.quota(place)).json.used).toBe(1);
    await addMemory(
      testContext(service, {
        type: 'member',
        sessionId: 's',
        accountId: place.account.id,
        memberId: place.member.id,
        role: 'FOUNDER',
        permissions: [],
        operator: false,
      }),
      {
        spaceId: other.id,
        pillar: 'ITEMS',
        title: 'Lampe',
        body: 'x',
        parentId: null,
        source: 'MANUAL',
        idempotencyKey: null,
      },
    );
    const changed = await read.space(place, { 'if-none-match': etag });
    expect([changed.status, changed.json.capacity.usedCu]).toEqual([200, 1]);
    const held = { 'if-none-match': changed.headers.get('etag') ?? '' };
    expect(held['if-none-match']).not.toBe(etag);
    expect((await read.space(place, held)).status).toBe(304);
    await changeSpace(testContext(service, place.actor), { spaceId: place.space.id, name: 'Autre nom' });
    const renamed = await read.space(place, held);
    expect([renamed.status, renamed.json?.name]).toEqual([200, 'Autre nom']);
  });

  test('304 for a current ETag anywhere in the list, among old ones and strangers’, and for *; never for a list of old ones', async () => {
    const place = await setting(service);
    const old: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      old.push((await read.space(place)).headers.get('etag') ?? '');
      await place.write('ITEMS', `Lampe ${n}`, 'x');
    }
    const contextOld = (await read.context(place)).headers.get('etag') ?? '';
    await place.write('ITEMS', 'Dernière', 'x');
    const current = (await read.space(place)).headers.get('etag') ?? '';
    const contextCurrent = (await read.context(place)).headers.get('etag') ?? '';
    const { used } = (await read.quota(place)).json;
    const status = async (kind: 'space' | 'context', list: string) => {
      const before = service.connection.roundTrips();
      const headers = { 'if-none-match': list };
      const answer =
        kind === 'space' ? await read.space(place, headers) : await read.context(place, '', headers);
      return [answer.status, service.connection.roundTrips() - before, answer.headers.get('etag')];
    };
    const foreign = Array.from({ length: 10 }, (_, n) => `"autre, ${n}"`);
    for (const list of [
      `${old.join(', ')}, ${current}`,
      `${current}, ${old.join(', ')}`,
      [...foreign, `W/${current}`, ...old].join(','),
      ' * ',
    ])
      expect(await status('space', list), list).toEqual([304, 1, current]);
    for (const list of [`${contextOld}, ${current}, ${contextCurrent}`, '*'])
      expect(await status('context', list), list).toEqual([304, 1, contextCurrent]);
    expect((await read.quota(place)).json.used).toBe(used);
    for (const list of [old.join(', '), contextCurrent, foreign.join(), '"*"', '', ','])
      expect((await status('space', list))[0], list).toBe(200);
    expect((await read.space(place, { 'if-none-match': '*' }, 'spc_inconnu')).status).toBe(404);
  });

  test('an ETag says the caller’s right: after it changed, the Space is sent anew, for one read', async () => {
    const place = await setting(service);
    const reader = await makeMember(service, place.account.id, {
      role: 'MEMBER',
      permissions: ['brain.write'],
    });
    const { secret } = await makeKey(service, reader);
    const theirs = { ...place, token: secret };
    const first = await read.space(theirs);
    const etag = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect([first.json.canEdit, (await read.space(theirs, etag)).status]).toEqual([true, 304]);
    await service.db.member.update({ where: { id: reader.id }, data: { permissions: [] } });
    const used = (await read.quota(place)).json.used;
    const after = await read.space(theirs, etag);
    expect([after.status, after.json.canEdit]).toEqual([200, false]);
    expect(after.json.pillars).toEqual(first.json.pillars);
    expect((await read.quota(place)).json.used).toBe(used + 1);
    const both = `${etag['if-none-match']}, ${after.headers.get('etag')}`;
    for (const list of [after.headers.get('etag') ?? '', both, '*'])
      expect((await read.space(theirs, { 'if-none-match': list })).status).toBe(304);
  });

  test('in a closed account nobody may write, and a copy that says otherwise is not current until it is open again', async () => {
    const place = await setting(service);
    const where = { id: place.account.id };
    const first = await read.space(place);
    const etag = { 'if-none-match': first.headers.get('etag') ?? '' };
    await service.db.account.update({ where, data: { closedAt: new Date() } });
    const closed = await read.space(place, etag);
    expect([first.json.canEdit, closed.status, closed.json.canEdit]).toEqual([true, 200, false]);
    expect(closed.json).toEqual({ ...first.json, canEdit: false });
    await service.db.account.update({ where, data: { closedAt: null } });
    expect((await read.space(place, etag)).status).toBe(304);
  });

  test('what is kept of an answer is given to nobody else, nor after a change elsewhere in the account', async () => {
    const place = await setting(service);
    await place.write('KNOWLEDGE', 'Été', 'é'.repeat(300));
    const reader = await makeMember(service, place.account.id, { role: 'MEMBER', permissions: [] });
    const theirs = { ...place, token: (await makeKey(service, reader)).secret };
    const other = await makeSpace(service, place.account.id);
    const [{ json: own }] = [await read.space(place)];
    for (const uses of [1, 1, 2, 3]) {
      if (uses > 1)
        await service.db.account.update({ where: { id: place.account.id }, data: { usedCu: uses } });
      const capacity = { ...own.capacity, usedCu: uses };
      expect((await read.space(place)).json).toEqual({ ...own, capacity });
      expect((await read.space(theirs)).json).toEqual({ ...own, canEdit: false, capacity });
      expect((await read.space(place, {}, other.id)).json.capacity).toEqual(capacity);
    }
  });

  test('404: a stranger’s, archived, unknown or malformed identifier all answer the same, at no cost', async () => {
    const place = await setting(service);
    const stranger = await setting(service);
    const archived = await makeSpace(service, place.account.id);
    await service.db.space.update({ where: { id: archived.id }, data: { archivedAt: new Date() } });
    const answers = [];
    for (const id of [stranger.space.id, archived.id, createId('space'), '..%2f', 'é'])
      answers.push(await read.space(place, {}, id));
    expect(answers[0]?.json.error.code).toBe('not_found');
    for (const answer of answers) expect([answer.status, answer.json]).toEqual([404, answers[0]?.json]);
    expect((await read.quota(place)).json.used).toBe(0);
  });
});
