import { describe, expect, test, vi } from 'vitest';
import { GET as memoryRoute } from '#app/api/v1/memories/[id]/route.ts';
import { GET as quotaRoute } from '#app/api/v1/quota/route.ts';
import { GET as searchRoute } from '#app/api/v1/search/route.ts';
import { GET as contextRoute } from '#app/api/v1/spaces/[id]/context/route.ts';
import { GET as spacesRoute } from '#app/api/v1/spaces/route.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { call, ORIGIN, stopClock, useApi } from '#tests/setup/api.ts';
import { callTool } from '#tests/setup/mcp.ts';
import { type Setting, setting, used } from './setting.ts';

process.env.SERVICE_PUBLIC_URL = ORIGIN;
const service = useApi();

const NOTES = [
  ['IDENTITY', 'Promesse « Éclairer »', 'Éclairer sans éblouir.\r\nToujours. 🌿\u2028Fin'],
  ['ITEMS', 'Lampe Aube', 'Laiton brossé, 42 cm.'],
  ['PEOPLE', 'Camille', 'Dirige l’atelier <depuis> 2019 & "signe" tout.'],
] as const;

async function fill(place: Setting) {
  for (const [pillar, title, body] of NOTES) {
    const { result } = await callTool(
      'brain_add_memory',
      { spaceId: place.space.id, pillar, title, body },
      { token: place.token },
    );
    expect(result.isError).toBeFalsy();
  }
}

describe.each(['modern', 'legacy'] as const)('the tools, %s era', (era) => {
  test('answer the very bytes of the REST twins, as text and as structure', async () => {
    const place = await setting(service);
    await fill(place);
    const id = place.space.id;
    const { id: memoryId } = await service.db.memory.findFirstOrThrow({ where: { spaceId: id } });
    const rest = async (handler: Parameters<typeof call>[0], path: string) =>
      (await call(handler, { path, params: { id }, token: place.key })).text;
    for (const [name, args, expected] of [
      ['brain_list_spaces', {}, () => rest(spacesRoute, '/api/v1/spaces')],
      [
        'brain_get_memory',
        { memoryId },
        async () =>
          (
            await call(memoryRoute, {
              path: `/api/v1/memories/${memoryId}`,
              params: { id: memoryId },
              token: place.key,
            })
          ).text,
      ],
      ['brain_get_context', { spaceId: id }, () => rest(contextRoute, `/api/v1/spaces/${id}/context`)],
      [
        'brain_get_context',
        { spaceId: id, pillars: ['PEOPLE', 'IDENTITY'], maxChars: 300 },
        () => rest(contextRoute, `/api/v1/spaces/${id}/context?pillars=PEOPLE,IDENTITY&maxChars=300`),
      ],
      [
        'brain_get_context',
        { spaceId: id, q: 'lampe', maxChars: 400 },
        () => rest(contextRoute, `/api/v1/spaces/${id}/context?q=lampe&maxChars=400`),
      ],
      [
        'brain_search',
        { q: 'eclairer', limit: 5 },
        () => rest(searchRoute, '/api/v1/search?q=eclairer&limit=5'),
      ],
      [
        'brain_search',
        { q: 'lampe', spaceId: id, pillar: 'ITEMS' },
        () => rest(searchRoute, `/api/v1/search?q=lampe&spaceId=${id}&pillar=ITEMS`),
      ],
    ] as const) {
      const before = await used(service, place);
      const answer = await callTool(name, args, { token: place.token, era });
      expect(answer.status).toBe(200);
      expect(await used(service, place)).toBe(before + 1);
      const text = await expected();
      expect(answer.result.content).toEqual([{ type: 'text', text }]);
      expect(JSON.stringify(answer.result.structuredContent)).toBe(text);
      // In the answer's own bytes, not only once parsed.
      expect(answer.text).toContain(`"structuredContent":${text}`);
      expect(await used(service, place)).toBe(before + 2);
    }
    const quota = await callTool('brain_quota', {}, { token: place.token, era });
    expect(quota.result.content[0].text).toBe(await rest(quotaRoute, '/api/v1/quota'));
    expect(quota.result.structuredContent.used).toBe(await used(service, place));
  });

  test('adding is idempotent, by key or by content; the Memory says it came by MCP', async () => {
    const place = await setting(service);
    const args = {
      spaceId: place.space.id,
      pillar: 'KNOWLEDGE',
      title: '  Marché ',
      body: 'Trois salons par an.',
    };
    const first = await callTool('brain_add_memory', args, { token: place.token, era });
    expect(first.result.structuredContent).toMatchObject({
      object: 'memory',
      source: 'MCP',
      title: 'Marché',
      kind: 'NOTE',
    });
    const again = await callTool('brain_add_memory', args, { token: place.token, era });
    expect(again.result.structuredContent).toEqual(first.result.structuredContent);
    const keyed = { ...args, title: 'Autre', idempotencyKey: 'ma-cle' };
    const one = await callTool('brain_add_memory', keyed, { token: place.token, era });
    const two = await callTool('brain_add_memory', keyed, { token: place.key, era });
    expect(two.result.structuredContent).toEqual(one.result.structuredContent);
    const clash = await callTool(
      'brain_add_memory',
      { ...keyed, body: 'Autre chose.' },
      { token: place.token, era },
    );
    expect(clash.result).toMatchObject({
      isError: true,
      _meta: { 'atelier/error': { code: 'idempotency_conflict', retryable: false } },
    });
    expect(await service.db.memory.count({ where: { spaceId: place.space.id } })).toBe(2);
    const repeated = { ...args, idempotencyKey: 'autre-cle' };
    const double = await callTool('brain_add_memory', repeated, { token: place.token, era });
    const { id } = first.result.structuredContent;
    const same = { id, spaceId: place.space.id, title: 'Marché', similarity: 1 };
    expect(double.result.structuredContent.similar[0]).toEqual(same);
    expect(await used(service, place)).toBe(0);
    expect(
      await service.db.auditEntry.findFirst({
        where: { accountId: place.account.id, action: 'memory.added' },
      }),
    ).toMatchObject({ actor: expect.stringMatching(/^oauth:grt_/) });
  });

  test('a text whose Memory was deleted is written again; undoing that deletion then brings the first one back beside it', async () => {
    const place = await setting(service);
    const ctx = testContext(service, memberActor(place.member));
    const args = { spaceId: place.space.id, pillar: 'KNOWLEDGE', title: 'Salon', body: 'Trois par an.' };
    const write = async (over: Record<string, unknown> = {}) =>
      (await callTool('brain_add_memory', { ...args, ...over }, { token: place.token, era })).result
        .structuredContent.id as string;
    const first = await write();
    const { deletionId } = await deleteMemory(ctx, { memoryId: first });
    const second = await write();
    expect(second).not.toBe(first);
    expect(await write()).toBe(second);
    expect(await undoDelete(ctx, { deletionId })).toMatchObject({ memoryId: first, restored: 1 });
    expect(await write()).toBe(second);
    const live = await service.db.memory.findMany({ where: { spaceId: place.space.id, deletedAt: null } });
    expect(live.map(({ id }) => id).sort()).toEqual([first, second].sort());

    // A key that the caller chose is a promise about that one request: it never writes twice.
    const keyed = await write({ title: 'Avec clé', idempotencyKey: 'choisie' });
    await deleteMemory(ctx, { memoryId: keyed });
    expect(await write({ title: 'Avec clé', idempotencyKey: 'choisie' })).toBe(keyed);
  });

  test('a refusal is a French sentence that says whether to retry, and costs nothing', async () => {
    const place = await setting(service, { capacityCu: 1 });
    const good = { spaceId: place.space.id, pillar: 'IDENTITY', title: 'T', body: 'x' };
    const failing = async (name: string, args: Record<string, unknown>) => {
      const answer = await callTool(name, args, { token: place.token, era });
      expect(answer.status).toBe(200);
      expect(answer.result.isError).toBe(true);
      expect(answer.result.structuredContent).toBeUndefined();
      const said = answer.result._meta['atelier/error'];
      expect(answer.result.content[0].text).toMatch(new RegExp(`\\. \\(${said.code}\\)$`));
      return { ...said, text: answer.result.content[0].text };
    };
    expect(await failing('brain_get_context', { spaceId: 'spc_inconnu' })).toMatchObject({
      code: 'not_found',
      retryable: false,
    });
    expect(await failing('brain_get_context', {})).toMatchObject({
      code: 'invalid_request',
      problems: [{ field: 'spaceId', message: 'Ce champ est obligatoire.' }],
    });
    expect(await failing('brain_get_context', { spaceId: place.space.id, pillars: ['AUTRE'] })).toMatchObject(
      { code: 'pillar_invalid' },
    );
    expect(await failing('brain_get_context', { spaceId: place.space.id, maxChars: 1.5 })).toMatchObject({
      code: 'invalid_request',
    });
    expect(await failing('brain_search', { q: '   ' })).toMatchObject({ code: 'invalid_request' });
    expect(await failing('brain_search', { q: 'a', limit: 51 })).toMatchObject({ code: 'invalid_request' });
    expect(await failing('brain_quota', { inconnu: 1 })).toMatchObject({
      code: 'invalid_request',
      problems: [{ field: 'inconnu' }],
    });
    expect(await failing('brain_add_memory', { ...good, body: `a${'\u0000'}` })).toMatchObject({
      code: 'invalid_request',
    });
    expect(await failing('brain_add_memory', { ...good, body: 'x'.repeat(131_072) })).toMatchObject({
      code: 'payload_too_large',
    });
    expect(await failing('brain_add_memory', { ...good, body: 'x'.repeat(5000) })).toMatchObject({
      code: 'capacity_full',
      text: expect.stringContaining('Ne réessayez pas'),
    });
    expect(await used(service, place)).toBe(0);
    for (let read = 0; read < 10; read += 1)
      await callTool('brain_list_spaces', {}, { token: place.token, era });
    expect(await failing('brain_list_spaces', {})).toMatchObject({
      code: 'quota_exceeded',
      retryable: false,
      retryAfterSeconds: expect.any(Number),
    });
  });
});

test('an addition that is tried again after midnight is one Memory; once deleted, or an hour later, it is written again', async () => {
  const place = await setting(service);
  const write = async (title: string, over: Record<string, unknown> = {}) => {
    const args = { spaceId: place.space.id, pillar: 'ITEMS', title, body: 'Laiton.', ...over };
    const { result } = await callTool('brain_add_memory', args, { token: place.key });
    return result.structuredContent.id as string;
  };
  stopClock();
  const midnightMs = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
  vi.setSystemTime(midnightMs - 10_000);
  const [kept, gone] = [await write('Lampe Aube'), await write('Lampe Brume')];
  vi.setSystemTime(midnightMs + 10_000);
  expect(await write('Lampe Aube')).toBe(kept);
  // Other words are another Memory, and a key of one’s own says which is meant.
  expect(await write('Lampe Aube', { body: 'Verre.' })).not.toBe(kept);
  expect(await write('Lampe Aube', { idempotencyKey: 'une-autre' })).not.toBe(kept);
  // So is the same text elsewhere in the tree.
  expect(await write('Lampe Aube', { parentId: kept })).not.toBe(kept);
  await deleteMemory(testContext(service, memberActor(place.member)), { memoryId: gone });
  const again = await write('Lampe Brume');
  expect(again).not.toBe(gone);
  expect(await write('Lampe Brume')).toBe(again);
  vi.setSystemTime(midnightMs + 3_600_000);
  expect(await write('Lampe Aube')).not.toBe(kept);
  // Written again since midnight, it is of that day.
  expect(await write('Lampe Brume')).toBe(again);
});

test('what nobody sees in a text stays out of what tools answer, and in what programs read', async () => {
  const place = await setting(service);
  const body = 'Une lampe.\u{e0049}\u{e0047}\u202e\u0007 Fin.';
  const added = await callTool(
    'brain_add_memory',
    { spaceId: place.space.id, pillar: 'ITEMS', title: 'Lampe\u200b', body },
    { token: place.token },
  );
  const { id } = added.result.structuredContent;
  for (const [name, args] of [
    ['brain_get_memory', { memoryId: id }],
    ['brain_search', { q: 'lampe' }],
    ['brain_get_context', { spaceId: place.space.id }],
  ] as const) {
    const { result } = await callTool(name, args, { token: place.token });
    const text = result.content[0].text as string;
    expect(text).toContain('Une lampe. Fin.');
    expect(text).not.toMatch(/[\u{e0000}-\u{e007f}\u202e\u200b]|\\u0007/u);
  }
  const rest = await call(memoryRoute, { path: `/api/v1/memories/${id}`, params: { id }, token: place.key });
  expect(rest.json).toMatchObject({ title: 'Lampe\u200b', body });
});
