import { describe, expect, test } from 'vitest';
import { contextSchema } from '#lib/brain/schemas/contexts.ts';
import { useApi } from '#tests/setup/api.ts';
import { read, setting } from './reads.ts';

const service = useApi({ poolMax: 30 });

describe('GET /spaces/{id}/context', () => {
  test('assembles the asked pillars within maxChars; the same content gives the same bytes, whatever the order of the question', async () => {
    const place = await setting(service);
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
      id: place.space.id,
      name: 'Maison Lumen',
      template: 'brand',
      templateLabel: 'Marque',
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
    const place = await setting(service);
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
    const place = await setting(service);
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
    const place = await setting(service);
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
    const place = await setting(service);
    const { status, json } = await read.context(place, query);
    expect([status, json.error.code, json.error.problems[0].field]).toEqual([400, code, field]);
    expect((await read.quota(place)).json.used).toBe(0);
  });

  test('an unknown role is told the five, by a context as by a search', async () => {
    const place = await setting(service);
    for (const { status, json } of [
      await read.context(place, '?pillars=AUTRE'),
      await read.search(place, '?q=a&pillar=AUTRE'),
    ]) {
      expect([status, json.error.code]).toEqual([400, 'pillar_invalid']);
      expect(json.error.message).toContain('IDENTITY, GUIDELINES, KNOWLEDGE, ITEMS et PEOPLE');
    }
  });

  test('404: a stranger’s Space answers like a missing one', async () => {
    const [place, stranger] = [await setting(service), await setting(service)];
    const foreign = await read.context(place, '', {}, stranger.space.id);
    expect([foreign.status, foreign.json]).toEqual([404, (await read.context(place, '', {}, 'spc_x')).json]);
  });
});
