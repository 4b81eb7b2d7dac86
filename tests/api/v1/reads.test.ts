import { describe, expect, test } from 'vitest';
import { GET as getMemory } from '#app/api/v1/memories/[id]/route.ts';
import { GET as getProjects } from '#app/api/v1/projects/route.ts';
import { GET as getQuota } from '#app/api/v1/quota/route.ts';
import { GET as search } from '#app/api/v1/search/route.ts';
import { GET as getContext } from '#app/api/v1/spaces/[id]/context/route.ts';
import { GET as getSpace } from '#app/api/v1/spaces/[id]/route.ts';
import { GET as listSpaces } from '#app/api/v1/spaces/route.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { projectListSchema, quotaSchema } from '#lib/brain/schemas/account.ts';
import { contextSchema } from '#lib/brain/schemas/contexts.ts';
import { memoryWithNeighboursSchema } from '#lib/brain/schemas/memories.ts';
import { searchSchema } from '#lib/brain/schemas/search.ts';
import { spaceListSchema, spaceSchema } from '#lib/brain/schemas/spaces.ts';
import { changeSpace } from '#lib/brain/spaces/change-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { createId } from '#lib/core/ids.ts';
import { makeAccount, makeKey, makeMember, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { call, stopClock, useApi } from '#tests/setup/api.ts';

const service = useApi({ poolMax: 30 });

async function setting(options: { capacityCu?: number; contractualReads?: number } = {}) {
  const { account, member, actor } = await makeAccount(service, options);
  const space = await makeSpace(service, account.id, { name: 'Maison Lumen' });
  const { secret } = await makeKey(service, member);
  const write = (pillar: PillarRole, title: string, body: string, parentId: string | null = null) =>
    addMemory(testContext(service, actor), {
      spaceId: space.id,
      pillar,
      title,
      body,
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
  return { account, member, actor, space, token: secret, write };
}

type Place = Awaited<ReturnType<typeof setting>>;
const read = {
  spaces: (place: Place, headers?: Record<string, string>) =>
    call(listSpaces, { path: '/api/v1/spaces', token: place.token, headers }),
  space: (place: Place, headers?: Record<string, string>, id = place.space.id) =>
    call(getSpace, { path: `/api/v1/spaces/${id}`, params: { id }, token: place.token, headers }),
  context: (place: Place, query = '', headers?: Record<string, string>, id = place.space.id) =>
    call(getContext, {
      path: `/api/v1/spaces/${id}/context${query}`,
      params: { id },
      token: place.token,
      headers,
    }),
  memory: (place: Place, id: string) =>
    call(getMemory, { path: `/api/v1/memories/${id}`, params: { id }, token: place.token }),
  search: (place: Place, query: string) =>
    call(search, { path: `/api/v1/search${query}`, token: place.token }),
  quota: (place: Place) => call(getQuota, { path: '/api/v1/quota', token: place.token }),
  projects: (place: Place) => call(getProjects, { path: '/api/v1/projects', token: place.token }),
};

describe('GET /spaces', () => {
  test('lists the account’s Spaces, oldest first, with counters and capacity; strangers’ and archived ones are absent', async () => {
    const place = await setting({ capacityCu: 50 });
    await setting();
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
    const place = await setting();
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
    const place = await setting();
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
    const place = await setting();
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
    const place = await setting();
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
    const place = await setting();
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
    const place = await setting();
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
    const place = await setting();
    const stranger = await setting();
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

describe('GET /spaces/{id}/context', () => {
  test('assembles the asked pillars within maxChars; the same content gives the same bytes, whatever the order of the question', async () => {
    const place = await setting();
    for (let i = 0; i < 20; i += 1) await place.write('GUIDELINES', `Règle ${i}`, 'mot '.repeat(200));
    const { memory: lamp } = await place.write('ITEMS', 'Lampe', 'Une lampe.');
    const { memory: bulb } = await place.write('ITEMS', 'Ampoule', 'E27.', lamp.id);
    const first = await read.context(place, '?pillars=ITEMS,GUIDELINES&maxChars=2000');
    const second = await read.context(place, '?maxChars=2000&pillars=GUIDELINES,ITEMS');
    expect(first.status).toBe(200);
    expect(contextSchema.parse(first.json)).toEqual(first.json);
    expect(second.text).toBe(first.text);
    expect(first.json.context.length).toBeLessThanOrEqual(2000);
    expect(first.json).toMatchObject({
      object: 'context',
      maxChars: 2000,
      truncated: true,
      omittedMemories: 0,
    });
    expect(first.json.space).toEqual({
      ...{ id: place.space.id, name: 'Maison Lumen', template: 'brand', templateLabel: 'Marque' },
    });
    expect(first.json.context).toMatch(/^# Maison Lumen\n/);
    expect(first.json.context).toContain('> ### Lampe\n');
    // Every title has its line; it is the bodies that are cut.
    const titles = Array.from({ length: 20 }, (_, i) => `> ### Règle ${i}`);
    expect(first.json.context.split('\n')).toEqual(expect.arrayContaining(titles));
    const roles = ({ pillars }: { pillars: { role: string }[] }) => pillars.map(({ role }) => role);
    expect(roles(first.json)).toEqual(['GUIDELINES', 'ITEMS']);
    const [guidelines, items] = first.json.pillars;
    expect(new Set(guidelines.memories.map((one: { truncated: boolean }) => one.truncated))).toEqual(
      new Set([true]),
    );
    const shown = { kind: 'ITEM', truncated: false, source: 'MANUAL' };
    expect(items).toEqual({
      role: 'ITEMS',
      label: 'Offre',
      note: expect.stringMatching(/^Ce que la marque vend/),
      memories: [
        { id: lamp.id, parentId: null, depth: 0, title: 'Lampe', body: 'Une lampe.', ...shown },
        { id: bulb.id, parentId: lamp.id, depth: 1, title: 'Ampoule', body: 'E27.', ...shown },
      ],
    });
    expect(roles((await read.context(place)).json)).toEqual([
      'IDENTITY',
      'GUIDELINES',
      'KNOWLEDGE',
      'ITEMS',
      'PEOPLE',
    ]);
    await place.write('ITEMS', 'Nouvelle lampe', 'Une autre.');
    expect((await read.context(place, '?pillars=ITEMS,GUIDELINES&maxChars=2000')).text).not.toBe(first.text);
  });

  test('304 for a current ETag at no cost; other parameters are another answer', async () => {
    const place = await setting();
    await place.write('ITEMS', 'Lampe', 'Une lampe.');
    const first = await read.context(place);
    const etag = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect(etag['if-none-match']).toMatch(/^"[^"]+"$/);
    expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      'private, no-cache',
      'Authorization',
    ]);
    expect((await read.context(place, '', etag)).status).toBe(304);
    expect((await read.context(place, '?maxChars=500', etag)).status).toBe(200);
    await place.write('ITEMS', 'Lampadaire', 'Haut.');
    expect((await read.context(place, '', etag)).status).toBe(200);
    expect((await read.quota(place)).json.used).toBe(3);
  });

  test('with q, the room goes to what answers, whole and in its place, for one read; without, not one byte changes', async () => {
    const place = await setting();
    for (let i = 0; i < 40; i += 1)
      await place.write('GUIDELINES', `Règle ${i}`, `Une consigne ${i}. `.repeat(20));
    const plain = await read.context(place, '?maxChars=1200');
    await place.write('ITEMS', 'Lampe Aube', 'La lampe est garantie cinq ans, pièces et main-d’œuvre.');
    const question = encodeURIComponent('Combien de temps la lampe est-elle garantie\u00a0?');
    const used = (await read.quota(place)).json.used;
    const { status, json, text, headers } = await read.context(place, `?maxChars=1200&q=${question}`);
    expect(status).toBe(200);
    expect((await read.quota(place)).json.used).toBe(used + 1);
    expect(contextSchema.parse(json)).toEqual(json);
    expect(json.context.length).toBeLessThanOrEqual(1200);
    expect(json.context).toContain('> La lampe est garantie cinq ans, pièces et main-d’œuvre.');
    expect(json.pillars.map(({ role }: { role: string }) => role)).toEqual(
      plain.json.pillars.map(({ role }: { role: string }) => role),
    );
    expect(json.omittedMemories).toBeGreaterThan(0);
    expect(json.context).toMatch(/\n\n\*\d+ Mémoires omises, faute de place\.\*$/);
    // The same question is the same bytes; nothing answers: the plain context, and the words that are nowhere.
    expect((await read.context(place, `?q=${question}&maxChars=1200`)).text).toBe(text);
    const now = await read.context(place, '?maxChars=1200');
    const unanswered = await read.context(place, '?maxChars=1200&q=zythum');
    expect(unanswered.json).toEqual({ ...now.json, unmatchedWords: ['zythum'] });
    expect(now.text).not.toBe(text);
    // An ETag is of one question.
    const etag = { 'if-none-match': headers.get('etag') ?? '' };
    const before = (await read.quota(place)).json.used;
    expect((await read.context(place, `?maxChars=1200&q=${question}`, etag)).status).toBe(304);
    expect((await read.context(place, '?maxChars=1200&q=lampe', etag)).status).toBe(200);
    expect((await read.quota(place)).json.used).toBe(before + 1);
  });

  test.each([
    ['?maxChars=1', 200],
    ['?maxChars=-5', 200],
    ['?maxChars=999999', 200_000],
    [`?maxChars=${'9'.repeat(16)}`, 200_000],
    [`?maxChars=-${'9'.repeat(400)}`, 200],
    ['', 16_000],
  ])('%s applies maxChars %i and says so', async (query, applied) => {
    const place = await setting();
    expect((await read.context(place, query)).json.maxChars).toBe(applied);
  });

  test.each([
    ['?maxChars=abc', 'invalid_request', 'maxChars'],
    ['?maxChars=1.5', 'invalid_request', 'maxChars'],
    ['?maxChars=', 'invalid_request', 'maxChars'],
    ['?maxChars=500&maxChars=600', 'invalid_request', 'maxChars'],
    ['?maxchars=500', 'invalid_request', 'maxchars'],
    ['?pillars=ITEMS,AUTRE', 'pillar_invalid', 'pillars'],
    ['?pillars=', 'pillar_invalid', 'pillars'],
    ['?q=', 'invalid_request', 'q'],
    ['?q=%20%20', 'invalid_request', 'q'],
    ['?q=...%E2%80%8B', 'invalid_request', 'q'],
    [`?q=${'a'.repeat(201)}`, 'invalid_request', 'q'],
    ['?q=%00', 'invalid_request', 'q'],
  ])('%s is refused as %s, naming %s, at no cost', async (query, code, field) => {
    const place = await setting();
    const { status, json } = await read.context(place, query);
    expect([status, json.error.code, json.error.problems[0].field]).toEqual([400, code, field]);
    expect((await read.quota(place)).json.used).toBe(0);
  });

  test('an unknown role is told the five, by a context as by a search', async () => {
    const place = await setting();
    for (const { status, json } of [
      await read.context(place, '?pillars=AUTRE'),
      await read.search(place, '?q=a&pillar=AUTRE'),
    ]) {
      expect([status, json.error.code]).toEqual([400, 'pillar_invalid']);
      expect(json.error.message).toContain('IDENTITY, GUIDELINES, KNOWLEDGE, ITEMS et PEOPLE');
    }
  });

  test('404: a stranger’s Space answers like a missing one', async () => {
    const [place, stranger] = [await setting(), await setting()];
    const foreign = await read.context(place, '', {}, stranger.space.id);
    expect([foreign.status, foreign.json]).toEqual([404, (await read.context(place, '', {}, 'spc_x')).json]);
  });
});

describe('GET /memories/{id}', () => {
  test('one Memory whole, with what stands beside it, for one read; what is not the account’s, deleted or archived is not there and costs nothing', async () => {
    const [place, stranger] = [await setting(), await setting()];
    const body = 'Une ligne.\r\n\u202eUne autre. '.repeat(3_000);
    const { memory: parent } = await place.write('ITEMS', 'Lampes', 'Toutes les lampes.');
    const { memory } = await place.write('ITEMS', 'Lampe Aube', body, parent.id);
    const { memory: first } = await place.write('ITEMS', 'Ampoule', 'E27.', memory.id);
    const { memory: gone } = await place.write('ITEMS', 'Abat-jour', 'Lin.', memory.id);
    await deleteMemory(testContext(service, place.actor), { memoryId: gone.id });
    const { status, json } = await read.memory(place, memory.id);
    expect(status).toBe(200);
    expect(memoryWithNeighboursSchema.parse(json)).toEqual(json);
    expect(json).toMatchObject({
      object: 'memory',
      id: memory.id,
      spaceId: place.space.id,
      pillar: 'ITEMS',
      parentId: parent.id,
      body,
      sourceRef: null,
      file: null,
      cu: 77,
      parent: { id: parent.id, title: 'Lampes' },
      children: [{ id: first.id, title: 'Ampoule' }],
    });
    const origin = {
      sourceRef: 'notice.pdf',
      file: { name: 'notice.pdf', contentType: 'application/pdf', bytes: 12 },
    };
    await service.db.memory.update({ where: { id: first.id }, data: origin });
    expect((await read.memory(place, first.id)).json).toMatchObject(origin);
    expect((await read.memory(place, parent.id)).json).toMatchObject({
      parent: null,
      children: [{ id: memory.id, title: 'Lampe Aube' }],
    });
    const { used } = (await read.quota(place)).json;
    expect(used).toBe(3);
    const missing = await read.memory(place, 'mem_x');
    const { memory: theirs } = await stranger.write('ITEMS', 'Secret', 'Rien.');
    for (const id of [theirs.id, gone.id, 'a'.repeat(300)]) {
      const answer = await read.memory(place, id);
      expect([answer.status, answer.json]).toEqual([404, missing.json]);
    }
    await service.db.space.update({ where: { id: place.space.id }, data: { archivedAt: new Date() } });
    expect((await read.memory(place, memory.id)).status).toBe(404);
    expect((await read.quota(place)).json.used).toBe(used);
  });
});

describe('GET /search', () => {
  test('a search or a context asked about in more than thirty words names those that were not looked for', async () => {
    const place = await setting();
    await place.write('ITEMS', 'Lampe Aube', 'za zb');
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const thirty = letters.map((letter) => `z${letter}`).concat('xa', 'xb', 'xc', 'xd');
    const all = `?q=${encodeURIComponent(thirty.join(' '))}`;
    const more = `?q=${encodeURIComponent([...thirty, 'Forêt', 'de', 'lampe'].join(' '))}`;
    const { json: found } = await read.search(place, more);
    expect(searchSchema.parse(found)).toEqual(found);
    expect([found.data.length, found.ignoredWords]).toEqual([1, ['Forêt', 'lampe']]);
    const { json: context } = await read.context(place, more);
    expect(contextSchema.parse(context)).toEqual(context);
    expect(context.ignoredWords).toEqual(['Forêt', 'lampe']);
    expect((await read.search(place, all)).json).not.toHaveProperty('ignoredWords');
    expect((await read.context(place, all)).json).not.toHaveProperty('ignoredWords');
  });

  test('a search or a context names the words that no Memory of what is searched holds: nothing says that its answer is one', async () => {
    const place = await setting();
    await place.write('ITEMS', 'Lampe Rive', 'La lampe est garantie dix ans.');
    await place.write('PEOPLE', 'Salomé', 'Elle tient un café.');
    const told = async (query: string) => {
      const [found, context] = [await read.search(place, query), await read.context(place, query)];
      expect(searchSchema.parse(found.json)).toEqual(found.json);
      expect(contextSchema.parse(context.json)).toEqual(context.json);
      expect(context.json.unmatchedWords).toEqual(found.json.unmatchedWords);
      return [found.json.data.length, found.json.unmatchedWords];
    };
    expect(await told('?q=Quelles+lampes+pour+le+Caf%C3%A9')).toEqual([2, undefined]);
    expect(await told('?q=Notre+newsletter+sur+la+Rive')).toEqual([1, ['newsletter']]);
    // What is written almost so answers in its place.
    expect(await told('?q=garentie')).toEqual([1, ['garentie']]);
    // Nothing answers: a context is that of the whole Space.
    expect(await told('?q=R.G.P.D.')).toEqual([0, ['R.G.P.D']]);
    const { json: plain } = await read.context(place);
    const { json: unanswered } = await read.context(place, '?q=R.G.P.D.');
    expect(unanswered).toEqual({ ...plain, unmatchedWords: ['R.G.P.D'] });
    const { json: elsewhere } = await read.search(place, '?q=lampe&pillar=PEOPLE');
    expect([elsewhere.data, elsewhere.unmatchedWords]).toEqual([[], ['lampe']]);
  });

  test('a result says which Memories stand beside it', async () => {
    const place = await setting();
    const { memory: parent } = await place.write('ITEMS', 'Catalogue', 'Tout ce que nous vendons.');
    const { memory } = await place.write('ITEMS', 'Lampe Aube', 'Une lampe.', parent.id);
    const { memory: child } = await place.write('ITEMS', 'Douille', 'En laiton.', memory.id);
    const { json } = await read.search(place, '?q=lampe');
    expect(searchSchema.parse(json)).toEqual(json);
    expect(json.data).toHaveLength(1);
    expect(json.data[0]).toMatchObject({
      memoryId: memory.id,
      parent: { id: parent.id, title: 'Catalogue' },
      children: [{ id: child.id, title: 'Douille' }],
    });
    const [root] = (await read.search(place, '?q=catalogue')).json.data;
    expect(root).toMatchObject({ parent: null, children: [{ id: memory.id, title: 'Lampe Aube' }] });
  });

  test('a result names fifty at most of what is nested in it, oldest first, says when there are others, and names nothing that is in the bin', async () => {
    const place = await setting();
    const { memory: parent } = await place.write('ITEMS', 'Catalogue', 'Tout.');
    const { memory } = await place.write('ITEMS', 'Lampe Aube', 'Une lampe.', parent.id);
    const written: string[] = [];
    for (let n = 0; n < 52; n += 1)
      written.push((await place.write('ITEMS', `Pièce ${n}`, 'x', memory.id)).memory.id);
    // The last that was written is the oldest; the one after it is in the bin, and so is what all are nested in.
    for (const [n, id] of written.entries())
      await service.db.memory.update({
        where: { id },
        data: { createdAt: new Date(Date.UTC(2026, 0, 1) - n * 1_000) },
      });
    await service.db.memory.updateMany({
      where: { id: { in: [written[50] ?? '', parent.id] } },
      data: { deletedAt: new Date() },
    });
    const [found] = (await read.search(place, '?q=lampe')).json.data;
    const expected = [...written].reverse().filter((id) => id !== written[50]);
    expect(found.children.map(({ id }: { id: string }) => id)).toEqual(expected.slice(0, 50));
    expect(found.parent).toBeNull();
    const told = async () => {
      const [{ childrenTruncated }] = (await read.search(place, '?q=lampe')).json.data;
      const { json } = await read.memory(place, memory.id);
      expect(json.children.map(({ id }: { id: string }) => id)).toEqual(expected.slice(0, 50));
      return [childrenTruncated, json.childrenTruncated];
    };
    expect(await told()).toEqual([true, true]);
    await deleteMemory(testContext(service, place.actor), { memoryId: expected.at(-1) ?? '' });
    expect(await told()).toEqual([undefined, undefined]);
  });

  test('finds Memories of the account only, whatever the case and accents, in the spec’s shape', async () => {
    const [place, stranger] = [await setting(), await setting()];
    await place.write('GUIDELINES', 'Ton éditorial', 'Nous vouvoyons.');
    await stranger.write('GUIDELINES', 'Ton éditorial', 'Ils tutoient.');
    const { status, json } = await read.search(place, `?q=${encodeURIComponent('  EDITORIAL   ton ')}`);
    expect(status).toBe(200);
    expect(searchSchema.parse(json)).toEqual(json);
    expect(json.query).toBe('EDITORIAL ton');
    expect(json.data).toEqual([
      expect.objectContaining({
        spaceId: place.space.id,
        spaceName: 'Maison Lumen',
        pillar: 'GUIDELINES',
        pillarLabel: 'Charte',
        title: 'Ton éditorial',
      }),
    ]);
  });

  test('looks in one Space, in one role and for as many as it is told to; else in all of them, for twenty', async () => {
    const place = await setting({ capacityCu: 100 });
    const other = { ...place, space: await makeSpace(service, place.account.id, { name: 'Carnet' }) };
    const write = (to: Place, pillar: PillarRole, title: string) =>
      addMemory(testContext(service, place.actor), {
        ...{ spaceId: to.space.id, pillar, title, body: 'Ton clair.' },
        ...{ parentId: null, source: 'MANUAL', idempotencyKey: null },
      });
    await write(place, 'IDENTITY', 'Ici, identité');
    await write(place, 'GUIDELINES', 'Ici, charte');
    await write(other, 'GUIDELINES', 'Là, charte');
    for (let n = 0; n < 18; n += 1) await write(other, 'KNOWLEDGE', `Là, savoir ${n}`);
    const titles = async (query: string) => {
      const { status, json } = await read.search(place, `?q=ton${query}`);
      expect(status).toBe(200);
      return json.data.map(({ title }: { title: string }) => title);
    };
    expect(await titles('')).toHaveLength(20);
    expect(await titles('&limit=50')).toHaveLength(21);
    expect(await titles('&limit=1')).toHaveLength(1);
    expect((await titles(`&spaceId=${place.space.id}`)).sort()).toEqual(['Ici, charte', 'Ici, identité']);
    expect((await titles('&pillar=GUIDELINES')).sort()).toEqual(['Ici, charte', 'Là, charte']);
    expect(await titles(`&spaceId=${other.space.id}&pillar=GUIDELINES`)).toEqual(['Là, charte']);
    expect(await titles(`&spaceId=${place.space.id}&pillar=KNOWLEDGE`)).toEqual([]);
    for (const q of ['a', 'a'.repeat(200)]) expect((await read.search(place, `?q=${q}`)).status).toBe(200);
  });

  test.each([
    ['', 400, 'invalid_request', 'q'],
    ['?q=', 400, 'invalid_request', 'q'],
    ['?q=%20%20', 400, 'invalid_request', 'q'],
    ['?q=%3F%21%20%F0%9F%9A%80', 400, 'invalid_request', 'q'],
    ['?q=%E2%80%8B', 400, 'invalid_request', 'q'],
    ['?q=%00', 400, 'invalid_request', 'q'],
    // « café » as Latin-1 writes it.
    ['?q=caf%E9', 400, 'invalid_request', 'q'],
    ['?q=%EF%BF%BD', 400, 'invalid_request', 'q'],
    [`?q=${'a'.repeat(201)}`, 400, 'invalid_request', 'q'],
    ['?q=a&limit=0', 400, 'invalid_request', 'limit'],
    ['?q=a&limit=51', 400, 'invalid_request', 'limit'],
    ['?q=a&limit=x', 400, 'invalid_request', 'limit'],
    ['?q=a&pillar=items', 400, 'pillar_invalid', 'pillar'],
    ['?q=a&spaceId=spc_x', 404, 'not_found', undefined],
  ])('%s is refused, at no cost', async (query, status, code, field) => {
    const place = await setting();
    const answer = await read.search(place, query);
    expect([answer.status, answer.json.error.code, answer.json.error.problems?.[0].field]).toEqual([
      status,
      code,
      field,
    ]);
    expect((await read.quota(place)).json.used).toBe(0);
  });
});

describe('GET /quota and GET /projects', () => {
  test('the quota counts successful reads, costs nothing itself, and turns with the UTC month', async () => {
    const place = await setting({ capacityCu: 10 });
    await read.spaces(place);
    await read.quota(place);
    await read.projects(place);
    const { status, json } = await read.quota(place);
    expect(status).toBe(200);
    expect(quotaSchema.parse(json)).toEqual(json);
    const now = new Date();
    expect(json).toEqual({
      object: 'quota',
      limit: 100,
      used: 1,
      remaining: 99,
      resetsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
      activated: true,
    });
    // What was read in another month is none of this one's.
    const { id: accountId } = place.account;
    await service.db.readMonth.updateMany({ where: { accountId }, data: { month: '2020-01' } });
    expect((await read.quota(place)).json).toMatchObject({ used: 0, remaining: 100 });
  });

  test('without capacity nothing is included, unless a contract says so', async () => {
    expect((await read.quota(await setting({ capacityCu: 0 }))).json).toMatchObject({
      limit: 0,
      remaining: 0,
      activated: false,
    });
    expect((await read.quota(await setting({ capacityCu: 0, contractualReads: 7 }))).json).toMatchObject({
      limit: 7,
      activated: false,
    });
    // The contract’s number is the number, even where the capacity would give more.
    expect((await read.quota(await setting({ capacityCu: 10, contractualReads: 7 }))).json).toMatchObject({
      limit: 7,
      remaining: 7,
      activated: true,
    });
  });

  test('each read of an account that includes none says so, not that they were used, and names no month that would bring any', async () => {
    const place = await setting({ capacityCu: 10, contractualReads: 0 });
    const {
      memory: { id },
    } = await place.write('IDENTITY', 'Promesse', 'La lampe dure.');
    const answers = [
      await read.spaces(place),
      await read.space(place),
      await read.context(place),
      await read.memory(place, id),
      await read.search(place, '?q=lampe'),
    ];
    for (const { status, json, headers } of answers) {
      expect([status, json.error.code, json.error.detail]).toEqual([429, 'quota_exceeded', 'none-included']);
      expect(json.error.message).toBe(
        'Aucune lecture n’est comprise dans ce compte\u00a0: demandez-en à l’exploitant du service.',
      );
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await read.quota(place)).json).toMatchObject({ limit: 0, used: 0, remaining: 0 });
  });

  test('50 reads at once on a quota of 9: exactly 9 succeed, 41 answer quota_exceeded with the wait until the month turns', async () => {
    const place = await setting({ capacityCu: 0, contractualReads: 9 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? read.spaces(place) : read.context(place))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    for (const { status, json, headers } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, json.error.code]).toEqual([429, 'quota_exceeded']);
      expect(json.error.message).toMatch(/Il se renouvelle le 1er \p{L}+ \d{4} à 0\u00a0h UTC\.$/u);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await read.quota(place)).json).toMatchObject({ used: 9, remaining: 0 });
  });

  test('projects are listed oldest first, to a developer key that holds the scope, and to no application', async () => {
    const [place, stranger] = [await setting(), await setting()];
    const at = new Date('2026-01-01T00:00:00Z');
    for (const [i, name] of ['Blog', 'Boutique'].entries())
      await service.db.project.create({
        data: {
          id: createId('project'),
          accountId: place.account.id,
          name,
          websiteUrl: 'https://exemple.fr',
          // Written after, and older.
          createdAt: new Date(at.getTime() - i),
          updatedAt: at,
        },
      });
    const project = (accountId: string) => ({
      ...{ id: createId('project'), accountId, name: 'Autre', websiteUrl: 'https://exemple.fr' },
      ...{ createdAt: at, updatedAt: at },
    });
    await service.db.project.create({ data: project(stranger.account.id) });
    const { status, json } = await read.projects(place);
    expect(status).toBe(200);
    expect(projectListSchema.parse(json)).toEqual(json);
    expect(json.object).toBe('list');
    expect(json.data).toEqual(
      ['Boutique', 'Blog'].map((name, i) => ({
        ...{ id: expect.stringMatching(/^prj_/), object: 'project', name, websiteUrl: 'https://exemple.fr' },
        ...{ createdAt: new Date(at.getTime() - 1 + i).toISOString(), updatedAt: at.toISOString() },
      })),
    );
    const narrow = await makeKey(service, place.member, { scopes: ['brain:read'] });
    expect(
      (await call(getProjects, { path: '/api/v1/projects', token: narrow.secret })).json.error.code,
    ).toBe('insufficient_scope');
    const { tokens } = await makeTokens(service, place.member, { resource: '/api/v1' });
    const application = await call(getProjects, { path: '/api/v1/projects', token: tokens.access_token });
    expect([application.status, application.json.error.code]).toEqual([403, 'insufficient_scope']);
    expect(application.text).not.toContain('Boutique');
    const asked = await call(getProjects, { path: '/api/v1/projects?limit=1', token: place.token });
    expect([asked.status, asked.json.error.code, asked.json.error.problems[0].field]).toEqual([
      400,
      'invalid_request',
      'limit',
    ]);
    // However many there are, no page of them: all.
    await service.db.project.createMany({
      data: Array.from({ length: 120 }, () => project(place.account.id)),
    });
    expect((await read.projects(place)).json.data).toHaveLength(122);
  });
});

test('who asks is judged before what is asked: without a credential or its scope, a faulty address is not told of', async () => {
  const { member, token } = await setting();
  const { secret: poor } = await makeKey(service, member, { scopes: ['projects:read'] });
  const ask = async (by?: string) => {
    const { status, json } = await call(search, {
      path: '/api/v1/search?q=&limit=0',
      ...(by ? { token: by } : {}),
    });
    return [status, json.error.code, (json.error.problems ?? []).length > 0];
  };
  expect(await ask()).toEqual([401, 'invalid_api_key', false]);
  expect(await ask(`atl_${'0'.repeat(64)}`)).toEqual([401, 'invalid_api_key', false]);
  expect(await ask(poor)).toEqual([403, 'insufficient_scope', false]);
  expect(await ask(token)).toEqual([400, 'invalid_request', true]);
});

test('the reads and the quota ask for brain:read: a key without it is refused each of them, at no cost', async () => {
  const place = await setting();
  const { memory } = await place.write('ITEMS', 'Lampe', 'Une lampe.');
  const { secret } = await makeKey(service, place.member, { scopes: ['brain:write', 'projects:read'] });
  const narrow = { ...place, token: secret };
  for (const answer of [
    await read.spaces(narrow),
    await read.space(narrow),
    await read.context(narrow),
    await read.memory(narrow, memory.id),
    await read.search(narrow, '?q=lampe'),
    await read.quota(narrow),
    // Told before the Space or the Memory is looked up: a key that may not read learns of neither.
    await read.space(narrow, {}, 'spc_inconnu'),
    await read.context(narrow, '', {}, 'spc_inconnu'),
    await read.memory(narrow, 'mem_inconnue'),
    await read.search(narrow, '?q=lampe&spaceId=spc_inconnu'),
  ])
    expect([answer.status, answer.json.error.code]).toEqual([403, 'insufficient_scope']);
  expect((await read.projects(narrow)).status).toBe(200);
  expect((await read.quota(place)).json.used).toBe(0);
});

test('every read makes a single round trip to the database, a search two more for its results and what stands beside them', async () => {
  const place = await setting();
  const { memory } = await place.write('ITEMS', 'Lampe', 'Une lampe.');
  const trips: Record<string, number> = {};
  for (const [name, go] of Object.entries({
    spaces: () => read.spaces(place),
    space: () => read.space(place),
    context: () => read.context(place),
    search: () => read.search(place, '?q=lampe'),
    memory: () => read.memory(place, memory.id),
    quota: () => read.quota(place),
    projects: () => read.projects(place),
  })) {
    const before = service.connection.roundTrips();
    expect((await go()).status).toBe(200);
    trips[name] = service.connection.roundTrips() - before;
  }
  expect(trips).toEqual({ spaces: 1, space: 1, context: 1, search: 3, memory: 1, quota: 1, projects: 1 });
});

test('429: 120 requests of a minute are answered, the 121st is refused with Retry-After, the next minute answers again', async () => {
  const place = await setting();
  const advance = stopClock();
  const answers = await Promise.all(Array.from({ length: 121 }, () => read.quota(place)));
  const limited = answers.filter(({ status }) => status !== 200);
  expect(limited).toHaveLength(1);
  expect([limited[0]?.status, limited[0]?.json.error.code]).toEqual([429, 'rate_limited']);
  expect(limited[0]?.headers.get('retry-after')).toBe('60');
  advance(59);
  expect((await read.quota(place)).headers.get('retry-after')).toBe('1');
  advance(1);
  expect((await read.quota(place)).status).toBe(200);
});
