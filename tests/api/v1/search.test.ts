import { describe, expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { contextSchema } from '#lib/brain/schemas/contexts.ts';
import { searchSchema } from '#lib/brain/schemas/search.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useApi } from '#tests/setup/api.ts';
import { type Place, read, setting } from './reads.ts';

const service = useApi({ poolMax: 30 });

describe('GET /search', () => {
  test('a search or a context asked about in more than thirty words names those that were not looked for', async () => {
    const place = await setting(service);
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
    const place = await setting(service);
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
    const place = await setting(service);
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
    const place = await setting(service);
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
    const [place, stranger] = [await setting(service), await setting(service)];
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
    const place = await setting(service, { capacityCu: 100 });
    const other = { ...place, space: await makeSpace(service, place.account.id, { name: 'Carnet' }) };
    const write = (to: Place, pillar: PillarRole, title: string) =>
      addMemory(testContext(service, place.actor), {
        spaceId: to.space.id,
        pillar,
        title,
        body: 'Ton clair.',
        parentId: null,
        source: 'MANUAL',
        idempotencyKey: null,
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
    const place = await setting(service);
    const answer = await read.search(place, query);
    expect([answer.status, answer.json.error.code, answer.json.error.problems?.[0].field]).toEqual([
      status,
      code,
      field,
    ]);
    expect((await read.quota(place)).json.used).toBe(0);
  });
});
