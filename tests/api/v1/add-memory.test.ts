import { describe, expect, test } from 'vitest';
import { POST } from '#app/api/v1/spaces/[id]/memories/route.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { makeAccount, makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { call, freshIdempotencyKey, stopClock, useApi } from '#tests/setup/api.ts';

const service = useApi({ poolMax: 30 });

async function setting(options: { capacityCu?: number; scopes?: Parameters<typeof makeKey>[2] } = {}) {
  const { account, member } = await makeAccount(service, { capacityCu: options.capacityCu });
  const space = await makeSpace(service, account.id);
  const { secret } = await makeKey(service, member, options.scopes);
  return { account, member, space, token: secret };
}

type Place = { space: { id: string }; token: string };

function add(place: Place, body: unknown, headers: Record<string, string> = {}) {
  return call(POST, {
    path: `/api/v1/spaces/${place.space.id}/memories`,
    params: { id: place.space.id },
    token: place.token,
    headers: { 'idempotency-key': freshIdempotencyKey(), ...headers },
    body,
  });
}

const NOTE = { pillar: 'IDENTITY', title: 'Promesse', body: 'Éclairer sans éblouir.' };

async function expectNothingWritten(accountId: string) {
  expect(await service.db.memory.count({ where: { accountId } })).toBe(0);
  expect(await service.db.memoryRevision.count({ where: { accountId } })).toBe(0);
  expect(await service.db.auditEntry.count({ where: { accountId } })).toBe(0);
  expect((await service.db.account.findUniqueOrThrow({ where: { id: accountId } })).usedCu).toBe(0);
}

describe('POST /api/v1/spaces/{id}/memories', () => {
  test('201: writes the Memory, its revision, the counters and the audit entry together', async () => {
    const place = await setting();
    const answer = await add(place, { ...NOTE, title: '  Promesse ', body: ' ligne 1\r\nligne 2 \n' });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      object: 'memory',
      id: expect.stringMatching(/^mem_/),
      spaceId: place.space.id,
      pillar: 'IDENTITY',
      parentId: null,
      kind: 'NOTE',
      title: 'Promesse',
      body: ' ligne 1\r\nligne 2 \n',
      source: 'API',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updatedAt: expect.any(String),
      similar: [],
    });
    expect(answer.headers.get('location')).toBe(`/api/v1/memories/${answer.json.id}`);
    expect(answer.headers.get('request-id')).toMatch(/^req_/);
    expect(answer.headers.get('content-language')).toBe('fr');
    expect(answer.headers.get('ratelimit-policy')).toContain('q=120;w=60');
    const stored = await service.db.memory.findUniqueOrThrow({ where: { id: answer.json.id } });
    expect(stored).toMatchObject({ source: 'API', title: 'Promesse', body: ' ligne 1\r\nligne 2 \n' });
    const space = await service.db.space.findUniqueOrThrow({ where: { id: place.space.id } });
    expect(space).toMatchObject({ cu: 1, memories: 1, version: 2 });
    const { accountId } = space;
    expect((await service.db.readMonth.findFirst({ where: { accountId } }))?.used ?? 0).toBe(0);
    expect(await service.db.memoryRevision.count({ where: { memoryId: answer.json.id } })).toBe(1);
    expect(await service.db.auditEntry.findFirst({ where: { subjectId: answer.json.id } })).toMatchObject({
      action: 'memory.added',
      actor: expect.stringMatching(/^key:key_/),
    });
  });

  test('a Memory that repeats another is written, and its answer names the other; a replay says the same', async () => {
    const place = await setting();
    const body = 'Nos lampes éclairent sans éblouir, du matin au soir, dans toutes les pièces de la maison.';
    const first = await add(place, { ...NOTE, body });
    const key = { 'idempotency-key': 'double-1' };
    const again = { ...NOTE, body: body.toUpperCase().replaceAll(' ', '  ').replace('SOIR', 'NUIT') };
    const second = await add(place, again, key);
    expect(second.status).toBe(201);
    expect(second.json.similar).toEqual([
      { id: first.json.id, spaceId: place.space.id, title: 'Promesse', similarity: expect.any(Number) },
    ]);
    const replay = await add(place, again, key);
    expect([replay.status, replay.json]).toEqual([200, second.json]);
  });

  test('a key that only writes is named no other Memory, and is told of a replay what it sent; who may read, what it has become', async () => {
    const place = await setting({ scopes: { scopes: ['brain:write'] } });
    const reads = { ...place, token: (await makeKey(service, place.member)).secret };
    const body = 'Nos lampes éclairent sans éblouir, du matin au soir, dans toutes les pièces de la maison.';
    const secret = await add(reads, { ...NOTE, title: 'Secret', body });
    const key = { 'idempotency-key': 'en-aveugle' };
    const blind = await add(place, { ...NOTE, body }, key);
    expect([blind.status, blind.json.similar]).toEqual([201, []]);
    const named: { id: string }[] = (await add(reads, { ...NOTE, body })).json.similar;
    expect(named.map(({ id }) => id).sort()).toEqual([secret.json.id, blind.json.id].sort());
    const since = { title: 'Autre', body: 'Écrit depuis, par un autre.' };
    const memoryId: string = blind.json.id;
    const colleague = testContext(service, memberActor(place.member));
    await updateMemory(colleague, { memoryId, expectedVersion: null, ...since });
    const replay = await add(place, { ...NOTE, body }, key);
    expect([replay.status, replay.json]).toEqual([200, blind.json]);
    expect((await add(reads, { ...NOTE, body }, key)).json).toMatchObject({ id: memoryId, ...since });
  });

  test('the pillar gives the kind: ITEMS an ITEM, PEOPLE a PERSON, the others a NOTE', async () => {
    const place = await setting();
    const personal = await makeSpace(service, place.account.id, { template: 'personal' });
    for (const [pillar, kind] of [
      ['IDENTITY', 'NOTE'],
      ['GUIDELINES', 'NOTE'],
      ['KNOWLEDGE', 'NOTE'],
      ['ITEMS', 'ITEM'],
      ['PEOPLE', 'PERSON'],
    ])
      for (const space of [place.space, personal]) {
        const { status, json } = await add({ ...place, space }, { ...NOTE, pillar });
        expect([status, json.pillar, json.kind]).toEqual([201, pillar, kind]);
      }
  });

  test('200: the same key with the same content replays the same Memory, whatever the JSON formatting', async () => {
    const place = await setting();
    const key = { 'idempotency-key': 'commande-42' };
    const first = await add(place, NOTE, key);
    const again = await add(
      place,
      `{"body": ${JSON.stringify(NOTE.body)},\n "title":"Promesse","parentId":null,"pillar":"IDENTITY"}`,
      key,
    );
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.json).toEqual(first.json);
    expect(await service.db.memory.count({ where: { spaceId: place.space.id } })).toBe(1);
    // A key has no end: years later it is still the one that wrote this Memory.
    const where = { id: first.json.id };
    await service.db.memory.update({ where, data: { createdAt: new Date('2020-01-01T00:00:00Z') } });
    const late = await add(place, NOTE, key);
    expect([late.status, late.json.id]).toEqual([200, first.json.id]);
    // Another account's key of the same name is another key.
    expect((await add(await setting(), NOTE, key)).status).toBe(201);
  });

  test('200: a key replays what it wrote even once that Memory is deleted, and undoing the deletion brings back that one alone', async () => {
    const place = await setting();
    const ctx = testContext(service, memberActor(place.member));
    const key = { 'idempotency-key': freshIdempotencyKey() };
    const first = await add(place, NOTE, key);
    const { deletionId } = await deleteMemory(ctx, { memoryId: first.json.id });
    const again = await add(place, NOTE, key);
    expect([again.status, again.headers.get('idempotent-replayed'), again.json]).toEqual([
      200,
      'true',
      first.json,
    ]);
    expect((await add(place, { ...NOTE, body: 'Autre.' }, key)).status).toBe(409);
    const live = { where: { spaceId: place.space.id, deletedAt: null } };
    expect(await service.db.memory.count(live)).toBe(0);
    expect((await add(place, NOTE)).status).toBe(201);
    await undoDelete(ctx, { deletionId });
    expect(await service.db.memory.count(live)).toBe(2);
    expect((await add(place, NOTE, key)).json).toEqual(first.json);
  });

  test('409: the same key with other content, elsewhere in the tree, or on another Space, conflicts and writes nothing', async () => {
    const place = await setting();
    const other = await makeSpace(service, place.account.id);
    const key = { 'idempotency-key': 'commande-43' };
    const { json: first } = await add(place, NOTE, key);
    for (const answer of [
      await add(place, { ...NOTE, body: 'Autre' }, key),
      await add(place, { ...NOTE, parentId: first.id ?? first.memory?.id }, key),
      await add({ ...place, space: other }, NOTE, key),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.json.error.code).toBe('idempotency_conflict');
    }
    const where = { accountId: place.account.id };
    expect(await service.db.memory.count({ where })).toBe(1);
    expect(await service.db.memoryRevision.count({ where })).toBe(1);
    expect(await service.db.auditEntry.count({ where })).toBe(1);
    expect((await service.db.account.findUniqueOrThrow({ where: { id: place.account.id } })).usedCu).toBe(1);
  });

  test('50 requests in flight with one key: one writes, the others replay the same Memory', async () => {
    const place = await setting();
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey(service, place.member)));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        add({ ...place, token: keys[i % 5]?.secret ?? '' }, NOTE, { 'idempotency-key': 'course' }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(49).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.json.id)).size).toBe(1);
    const account = await service.db.account.findUniqueOrThrow({ where: { id: place.account.id } });
    expect(account.usedCu).toBe(1);
  });

  test('402: 50 writers on a capacity of 7 CU write exactly 7, and the counters equal the sums', async () => {
    const place = await setting({ capacityCu: 7 });
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey(service, place.member)));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => add({ ...place, token: keys[i % 5]?.secret ?? '' }, NOTE)),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(7);
    const refused = answers.filter((answer) => answer.status !== 201);
    expect(new Set(refused.map((answer) => `${answer.status} ${answer.json.error.code}`))).toEqual(
      new Set(['402 capacity_full']),
    );
    const sums = await service.db.memory.aggregate({
      where: { spaceId: place.space.id },
      _sum: { cu: true },
      _count: true,
    });
    const space = await service.db.space.findUniqueOrThrow({ where: { id: place.space.id } });
    const account = await service.db.account.findUniqueOrThrow({ where: { id: place.account.id } });
    expect([sums._count, sums._sum.cu, space.cu, space.memories, account.usedCu]).toEqual([7, 7, 7, 7, 7]);
  });

  test('a replay is answered even when the capacity is full', async () => {
    const place = await setting({ capacityCu: 1 });
    const key = { 'idempotency-key': 'pleine' };
    await add(place, NOTE, key);
    expect((await add(place, NOTE)).json.error.code).toBe('capacity_full');
    expect((await add(place, NOTE, key)).status).toBe(200);
  });

  test('an account to which no capacity was given is told so, and whom to ask, not that it is full', async () => {
    const none = await add(await setting({ capacityCu: 0 }), NOTE);
    expect(none).toMatchObject({ status: 402, json: { error: { code: 'capacity_full' } } });
    expect(none.json.error.message).toMatch(
      /^Aucune capacité de contexte n’est attribuée à ce compte.*exploitant/,
    );
    const place = await setting({ capacityCu: 1 });
    await add(place, NOTE);
    expect((await add(place, NOTE)).json.error.message).toMatch(
      /^La capacité de contexte du compte est pleine/,
    );
  });

  test('a refused request may be retried under the same key', async () => {
    const place = await setting({ capacityCu: 0 });
    const key = { 'idempotency-key': 'plus-tard' };
    expect((await add(place, NOTE, key)).status).toBe(402);
    const other = { 'idempotency-key': 'autrement' };
    expect((await add(place, NOTE, other)).status).toBe(402);
    await expectNothingWritten(place.account.id);
    await service.db.account.update({ where: { id: place.account.id }, data: { capacityCu: 5 } });
    expect((await add(place, NOTE, key)).status).toBe(201);
    // Nothing of a refused request is remembered: under its key other content is no conflict.
    expect((await add(place, { ...NOTE, body: 'Autre.' }, other)).status).toBe(201);
  });

  test('nests under a Memory of the same Space and pillar, at most 16 deep', async () => {
    const place = await setting();
    let parentId: string | null = null;
    const keys = [await makeKey(service, place.member), await makeKey(service, place.member)];
    for (let depth = 0; depth <= 16; depth += 1) {
      const token = keys[depth % 2]?.secret ?? '';
      const answer = await add({ ...place, token }, { ...NOTE, parentId });
      expect([answer.status, answer.json.parentId]).toEqual([201, parentId]);
      parentId = answer.json.id;
    }
    const tooDeep = await add(place, { ...NOTE, parentId });
    expect([tooDeep.status, tooDeep.json.error.code]).toEqual([400, 'invalid_request']);
    expect(tooDeep.json.error.problems).toEqual([
      { field: 'parentId', message: expect.stringContaining('16') },
    ]);
  });

  test('404 or 400: a parent that is unknown, a stranger’s, in another Space or pillar is refused', async () => {
    const place = await setting();
    const stranger = await setting();
    const foreign = await add(stranger, NOTE);
    const elsewhere = await add({ ...place, space: await makeSpace(service, place.account.id) }, NOTE);
    const otherPillar = await add(place, { ...NOTE, pillar: 'ITEMS' });
    const codes = [];
    for (const parentId of ['mem_inconnue', foreign.json.id, elsewhere.json.id, otherPillar.json.id]) {
      const { status, json } = await add(place, { ...NOTE, parentId });
      codes.push(`${status} ${json.error.code}`);
    }
    expect(codes).toEqual(['404 not_found', '404 not_found', '400 invalid_request', '400 invalid_request']);
  });

  test('404: a stranger’s Space answers exactly like one that does not exist', async () => {
    const place = await setting();
    const stranger = await setting();
    const foreign = await add({ ...place, space: stranger.space }, NOTE);
    const missing = await add({ ...place, space: { id: 'spc_inconnu' } }, NOTE);
    expect([foreign.status, foreign.json]).toEqual([404, missing.json]);
    expect(missing.json.error.code).toBe('not_found');
    await expectNothingWritten(stranger.account.id);
  });

  test('403: a missing scope is told before the Space is looked up, with the challenge; a member without the right, without it', async () => {
    const place = await setting({ scopes: { scopes: ['brain:read'] } });
    const answer = await add({ ...place, space: { id: 'spc_inconnu' } }, NOTE);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'insufficient_scope']);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    const reader = await makeMember(service, place.account.id, { role: 'MEMBER', permissions: [] });
    const { secret } = await makeKey(service, reader);
    const refused = await add({ ...place, token: secret }, NOTE);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('www-authenticate')).toBeNull();
    await expectNothingWritten(place.account.id);
  });

  test('401: absent, malformed, unknown, expired and revoked keys, and a suspended member, are refused with the challenge', async () => {
    const place = await setting();
    const expired = await makeKey(service, place.member, { expiresAt: new Date(Date.now() - 1000) });
    const revoked = await makeKey(service, place.member, { revokedAt: new Date() });
    const suspended = await makeMember(service, place.account.id);
    const sleeping = await makeKey(service, suspended);
    await service.db.member.update({ where: { id: suspended.id }, data: { status: 'SUSPENDED' } });
    for (const token of [
      '',
      'atl_court',
      `atl_${'0'.repeat(64)}`,
      expired.secret,
      revoked.secret,
      sleeping.secret,
    ]) {
      const answer = await add({ ...place, token }, NOTE);
      expect([answer.status, answer.json.error.code]).toEqual([401, 'invalid_api_key']);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      expect(challenge).toMatch(/^Bearer .*resource_metadata=/);
      expect(challenge.includes('error="invalid_token"')).toBe(token !== '');
    }
    await expectNothingWritten(place.account.id);
  });

  test.each([
    ['an unknown pillar', { ...NOTE, pillar: 'identity' }, 400, 'pillar_invalid', 'pillar'],
    ['no pillar', { title: 'a', body: 'b' }, 400, 'invalid_request', 'pillar'],
    ['no title', { pillar: 'ITEMS', body: 'b' }, 400, 'invalid_request', 'title'],
    ['a blank title', { ...NOTE, title: ' \t ' }, 400, 'invalid_request', 'title'],
    ['a title that nobody sees', { ...NOTE, title: '\u200b\u2060' }, 400, 'invalid_request', 'title'],
    ['a title of 201 characters', { ...NOTE, title: 'a'.repeat(201) }, 400, 'invalid_request', 'title'],
    ['an empty body', { ...NOTE, body: '' }, 400, 'invalid_request', 'body'],
    ['a NUL byte', { ...NOTE, body: 'a\u0000b' }, 400, 'invalid_request', 'body'],
    ['a lone surrogate', { ...NOTE, title: 'a\ud800' }, 400, 'invalid_request', 'title'],
    ['a body that is no text', { ...NOTE, body: { a: 1 } }, 400, 'invalid_request', 'body'],
    ['an unknown field', { ...NOTE, kind: 'FACT' }, 400, 'invalid_request', 'kind'],
    ['an array', [NOTE], 400, 'invalid_request', 'corps'],
    ['null', 'null', 400, 'invalid_request', 'corps'],
  ])(
    '%s is refused in French, naming the field, and nothing is written',
    async (_, body, status, code, field) => {
      const place = await setting();
      const answer = await add(place, body);
      expect([answer.status, answer.json.error.code]).toEqual([status, code]);
      expect(answer.json.error.problems[0].field).toBe(field);
      expect(Object.keys(answer.json)).toEqual(['error']);
      expect(answer.json.error.message).toMatch(
        /^(Pilier inconnu\.|\w+\u00a0: (Ce champ|Il faut|Le type|Le caractère|Ce texte)) /,
      );
      await expectNothingWritten(place.account.id);
    },
  );

  test('pillar_invalid lists the five roles', async () => {
    const answer = await add(await setting(), { ...NOTE, pillar: 'AUTRE' });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'pillar_invalid']);
    for (const role of ['IDENTITY', 'GUIDELINES', 'KNOWLEDGE', 'ITEMS', 'PEOPLE'])
      expect(answer.json.error.message).toContain(role);
  });

  test('malformed JSON, invalid UTF-8 and a wrong Content-Type are refused', async () => {
    const place = await setting();
    for (const [body, headers, expected] of [
      ['{"pillar":', {}, '400 invalid_request'],
      [new Uint8Array([0x7b, 0xff, 0x7d]), {}, '400 invalid_request'],
      [JSON.stringify(NOTE), { 'content-type': 'text/plain' }, '415 unsupported_media_type'],
      [JSON.stringify(NOTE), { 'content-type': '' }, '415 unsupported_media_type'],
      [JSON.stringify(NOTE), { 'content-encoding': 'gzip' }, '415 unsupported_media_type'],
    ] as const) {
      const answer = await add(place, body, headers);
      expect(`${answer.status} ${answer.json.error.code}`).toBe(expected);
      const isPacked = 'content-encoding' in headers;
      expect(answer.headers.get('accept-encoding')).toBe(isPacked ? 'identity' : null);
    }
    await expectNothingWritten(place.account.id);
  });

  test.each([
    [undefined, 400],
    ['', 400],
    ['!', 201],
    ['~', 201],
    ['a'.repeat(200), 201],
    ['a'.repeat(201), 400],
    ['a\u007f', 400],
    ['avec espace', 400],
    ['accentué', 400],
  ])('an Idempotency-Key of %j answers %i', async (key, status) => {
    const place = await setting();
    const answer = await call(POST, {
      path: `/api/v1/spaces/${place.space.id}/memories`,
      params: { id: place.space.id },
      token: place.token,
      headers: key === undefined ? {} : { 'idempotency-key': key },
      body: NOTE,
    });
    expect(answer.status).toBe(status);
    expect(answer.json.error?.problems[0].field).toBe(status === 400 ? 'idempotency-key' : undefined);
  });

  test('413: a body of 131,073 bytes in chunks is refused whatever Content-Length says; one of 131,072 is written', async () => {
    const place = await setting();
    const envelope = Buffer.byteLength(JSON.stringify({ ...NOTE, body: '' }));
    const sized = (bytes: number) => JSON.stringify({ ...NOTE, body: 'x'.repeat(bytes - envelope) });
    const chunked = (text: string) =>
      new ReadableStream({
        start(controller) {
          const bytes = new TextEncoder().encode(text);
          for (let at = 0; at < bytes.length; at += 10_000) controller.enqueue(bytes.slice(at, at + 10_000));
          controller.close();
        },
      });
    const tooLarge = await add(place, chunked(sized(131_073)), { 'content-length': '12' });
    expect([tooLarge.status, tooLarge.json.error.code]).toEqual([413, 'payload_too_large']);
    expect(tooLarge.json.error.message).toMatch(/^Le corps de la requête dépasse /);
    await expectNothingWritten(place.account.id);
    expect((await add(place, chunked(sized(131_072)))).status).toBe(201);
  });

  test('429: 20 writes of a minute pass, the 21st is refused with Retry-After and writes nothing; the next minute writes again', async () => {
    const place = await setting();
    const advance = stopClock();
    const answers = await Promise.all(Array.from({ length: 21 }, () => add(place, NOTE)));
    const limited = answers.filter((answer) => answer.status !== 201);
    expect(limited).toHaveLength(1);
    expect([limited[0]?.status, limited[0]?.json.error.code]).toEqual([429, 'rate_limited']);
    expect(limited[0]?.headers.get('retry-after')).toBe('60');
    expect(limited[0]?.headers.get('ratelimit')).toContain('"writes";r=0');
    expect(await service.db.memory.count({ where: { spaceId: place.space.id } })).toBe(20);
    advance(60);
    expect((await add(place, NOTE)).status).toBe(201);
  });

  test('405: other methods answer in the house shape and name what is allowed', async () => {
    const { GET, OPTIONS } = await import('#app/api/v1/spaces/[id]/memories/route.ts');
    const path = '/api/v1/spaces/x/memories';
    const answer = await call(GET, { path });
    expect([answer.status, answer.json.error.code, answer.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'POST, OPTIONS',
    ]);
    const options = await call(OPTIONS, { path, method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  });
});
