import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { previewContext } from '#lib/brain/queries/preview-context.ts';
import {
  cutTextNote,
  ignoredWordsNote,
  searchWithReasons,
  unmatchedWordsNote,
} from '#lib/brain/queries/search-with-reasons.ts';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { findMemories, searchMemories } from '#lib/brain/search/search-memories.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { CORPUS } from '#tests/bench/search-fr/corpus.ts';
import {
  evaluate,
  formatMetrics,
  ourEngine,
  peerEngines,
  updatedAtOf,
} from '#tests/bench/search-fr/evaluate.ts';
import { rankDocuments } from '#tests/eval/exhaustive.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
let sequence = 0;

type Draft = { id?: string; title: string; body: string; role?: PillarRole; updatedAt?: Date };

async function addAll(accountId: string, spaceId: string, drafts: readonly Draft[]): Promise<string[]> {
  const at = new Date('2026-01-01T00:00:00Z');
  const data = drafts.map((draft) => ({
    id: draft.id ?? `mem_${String(sequence++).padStart(6, '0')}`,
    accountId,
    spaceId,
    role: draft.role ?? ('KNOWLEDGE' as const),
    kind: 'NOTE' as const,
    title: draft.title,
    body: draft.body,
    source: 'MANUAL' as const,
    cu: 1,
    createdAt: at,
    updatedAt: draft.updatedAt ?? at,
  }));
  await service.db.memory.createMany({ data });
  return data.map(({ id }) => id);
}

async function newAccount(): Promise<{ ctx: Context<MemberActor>; accountId: string; spaceId: string }> {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  return { ctx: testContext(service, actor), accountId: account.id, spaceId: space.id };
}

const found = async (
  ctx: Context<MemberActor>,
  q: string,
  more: { spaceId?: string; pillar?: PillarRole; limit?: number } = {},
) => (await searchMemories(ctx, { q, ...more })).data.map(({ memoryId }) => memoryId);

describe('the index follows every change of a Memory', () => {
  test('added, edited, moved, deleted, restored, erased: search answers with the present state, whoever wrote it', async () => {
    const { ctx, accountId, spaceId } = await newAccount();
    const other = await makeSpace(service, accountId);
    const [id] = await addAll(accountId, spaceId, [{ title: 'Palette', body: 'Vert sauge' }]);
    const where = { id: id as string };
    expect(await found(ctx, 'sauge')).toEqual([id]);
    await service.db.memory.update({ where, data: { body: 'Terre cuite' } });
    expect(await found(ctx, 'sauge')).toEqual([]);
    expect(await found(ctx, 'cuite')).toEqual([id]);
    await service.db.memory.update({ where, data: { role: 'ITEMS', spaceId: other.id } });
    expect(await found(ctx, 'cuite', { spaceId })).toEqual([]);
    expect(await found(ctx, 'cuite', { spaceId: other.id, pillar: 'ITEMS' })).toEqual([id]);
    expect(await found(ctx, 'cuite', { pillar: 'KNOWLEDGE' })).toEqual([]);
    await service.db.memory.update({ where, data: { deletedAt: new Date() } });
    expect(await found(ctx, 'cuite')).toEqual([]);
    await service.db.memory.update({ where, data: { deletedAt: null, title: 'Nuancier' } });
    expect(await found(ctx, 'nuanc')).toEqual([id]);
    await service.db.space.update({ where: { id: other.id }, data: { archivedAt: new Date() } });
    expect(await found(ctx, 'cuite')).toEqual([]);
    await service.db.space.update({ where: { id: other.id }, data: { archivedAt: null } });
    await service.db.memory.delete({ where });
    expect(await found(ctx, 'cuite')).toEqual([]);
    expect(await service.db.searchDocument.count({ where: { memoryId: id as string } })).toBe(0);
  });

  test('a later change date alone moves a Memory before its equals', async () => {
    const { ctx, accountId, spaceId } = await newAccount();
    const [a, b] = await addAll(accountId, spaceId, [
      { title: 'Logo', body: 'x' },
      { title: 'Logo', body: 'x' },
    ]);
    expect(await found(ctx, 'logo')).toEqual([a, b]);
    await service.db.memory.update({
      where: { id: b as string },
      data: { updatedAt: new Date('2026-02-01') },
    });
    expect(await found(ctx, 'logo')).toEqual([b, a]);
  });
});

describe('searchMemories', () => {
  test('one read, three round trips the first time that a Memory is met, one for whatever is asked of it again, and the payload of the specification', async () => {
    const { ctx, accountId, spaceId } = await newAccount();
    const [id] = await addAll(accountId, spaceId, [
      { title: 'Charte éditoriale', body: 'Phrases courtes.', role: 'GUIDELINES' },
    ]);
    const before = service.connection.roundTrips();
    const answer = await searchMemories(ctx, { q: '  charte \n editorial ' });
    expect(service.connection.roundTrips() - before).toBe(3);
    await searchMemories(ctx, { q: 'charte' });
    expect(service.connection.roundTrips() - before).toBe(4);
    expect((await searchMemories(ctx, { q: 'charte' })).data).toEqual(
      answer.data.map((one) => ({ ...one, score: expect.any(Number) })),
    );
    expect(service.connection.roundTrips() - before).toBe(5);
    expect(answer).toEqual({
      object: 'list',
      query: 'charte editorial',
      data: [
        {
          object: 'search_result',
          spaceId,
          spaceName: 'Maison Lumen',
          memoryId: id,
          pillar: 'GUIDELINES',
          pillarLabel: 'Charte',
          title: 'Charte éditoriale',
          snippet: 'Phrases courtes.',
          source: 'MANUAL',
          score: expect.any(Number),
          updatedAt: '2026-01-01T00:00:00.000Z',
          parent: null,
          children: [],
        },
      ],
    });
    expect(await service.db.readMonth.findMany({ where: { accountId } })).toMatchObject([{ used: 3 }]);
    await findMemories(ctx, { q: 'charte' });
    expect(await service.db.readMonth.findMany({ where: { accountId } })).toMatchObject([{ used: 3 }]);
  });

  test('the same words again, and others, are answered from what there is now: texts, neighbours, names and Spaces', async () => {
    const { ctx, accountId, spaceId } = await newAccount();
    const [id] = await addAll(accountId, spaceId, [{ title: 'Lampe', body: 'Une lampe.', role: 'ITEMS' }]);
    const search = async () => (await searchMemories(ctx, { q: 'lampe' })).data;
    const first = await search();
    expect(first.map(({ memoryId }) => memoryId)).toEqual([id]);
    const place = { spaceId, pillar: 'ITEMS' as const, source: 'MANUAL' as const, idempotencyKey: null };
    const { memory } = await addMemory(ctx, {
      ...place,
      title: 'Ampoule',
      body: 'Claire.',
      parentId: id as string,
    });
    expect((await search())[0]?.children).toEqual([{ id: memory.id, title: 'Ampoule' }]);
    for (const q of ['une lampe', 'lampes']) {
      const [hit] = (await searchMemories(ctx, { q })).data;
      expect(hit?.children).toEqual([{ id: memory.id, title: 'Ampoule' }]);
    }
    await deleteMemory(ctx, { memoryId: memory.id });
    expect((await searchMemories(ctx, { q: 'la lampe' })).data[0]?.children).toEqual([]);
    await service.db.memory.update({
      where: { id: id as string },
      data: { body: 'Une lampe de chevet.', updatedAt: new Date() },
    });
    expect((await search())[0]?.snippet).toBe('Une lampe de chevet.');
    await service.db.space.update({
      where: { id: spaceId },
      data: { name: 'Autre nom', version: { increment: 1 } },
    });
    expect((await search())[0]?.spaceName).toBe('Autre nom');
    await service.db.space.update({ where: { id: spaceId }, data: { archivedAt: new Date() } });
    expect(await search()).toEqual([]);
  });

  test('another account finds nothing of it, and its Space does not exist there; a refused search costs nothing', async () => {
    const mine = await newAccount();
    const theirs = await newAccount();
    await addAll(mine.accountId, mine.spaceId, [{ title: 'Secret', body: 'Rien que pour nous' }]);
    expect(await found(theirs.ctx, 'secret')).toEqual([]);
    await expect(searchMemories(theirs.ctx, { q: 'secret', spaceId: mine.spaceId })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await service.db.readMonth.findMany({ where: { accountId: theirs.accountId } })).toMatchObject([
      { used: 1 },
    ]);
  });

  test('at the end of the quota the search is refused', async () => {
    const { ctx, accountId } = await newAccount();
    await service.db.account.update({ where: { id: accountId }, data: { contractualReads: 1 } });
    await searchMemories(ctx, { q: 'logo' });
    await expect(searchMemories(ctx, { q: 'logo' })).rejects.toMatchObject({ code: 'quota_exceeded' });
  });

  test('a word held by hundreds of Memories: the title first, then the latest, and a shorter limit is the same beginning', async () => {
    const { ctx, accountId, spaceId } = await newAccount();
    const day = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n));
    await addAll(
      accountId,
      spaceId,
      Array.from({ length: 700 }, (_, n) => ({
        title: `Note ${n}`,
        body: 'Un client écrit.',
        updatedAt: day(n),
      })),
    );
    const [best] = await addAll(accountId, spaceId, [
      { title: 'Le client', body: 'Portrait.', updatedAt: day(-9) },
    ]);
    const all = await found(ctx, 'client', { limit: 50 });
    expect(all[0]).toBe(best);
    expect(all).toHaveLength(50);
    expect(await found(ctx, 'client', { limit: 7 })).toEqual(all.slice(0, 7));
    expect(await found(ctx, 'client')).toEqual(all.slice(0, 20));
    const scores = async (limit: number) =>
      (await searchMemories(ctx, { q: 'client', limit })).data.map(({ score }) => score);
    expect(await scores(5)).toEqual((await scores(50)).slice(0, 5));
  });

  test('a word of any length, a NUL-free oddity or a query without words never fails', async () => {
    const { ctx, accountId, spaceId } = await newAccount();
    await addAll(accountId, spaceId, [
      { title: 'x'.repeat(200), body: `${'y'.repeat(5_000)} 日本語のテキスト` },
      { title: '…', body: '!!!' },
    ]);
    for (const q of [
      '!!!',
      '%_\\',
      '日本語',
      'テキスト',
      'x'.repeat(200),
      'y'.repeat(199),
      'a b c d e f g h i j k l m n o p q r s t u v w x y z',
    ])
      await searchMemories(ctx, { q });
    expect(await found(ctx, 'テキスト')).toHaveLength(1);
  });
});

const WORDS = [
  'logo',
  'logos',
  'Logotype',
  'cœur',
  'l’été',
  'Éditoriale',
  'éditorial',
  'visuelle',
  'de',
  'la',
  'identité',
  'identifier',
  'visuel',
  'ph',
  'phénoxyéthanol',
  'bouche-à-oreille',
  'communication',
  'communicant',
  '2024',
  'télécommunications',
];
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
  .map((words) => words.join(' '));
const query = fc
  .array(
    fc.constantFrom(
      ...WORDS,
      'log',
      'éd',
      'euro',
      'ogo',
      'absent',
      'commu',
      'communicante',
      'nicat',
      'x',
      'oxy',
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((words) => words.join(' '));

test('search gives exactly what scoring every Memory gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          title: text,
          body: text,
          day: fc.integer({ min: 0, max: 3 }),
          role: fc.constantFrom('ITEMS' as const, 'PEOPLE' as const),
        }),
        { minLength: 1, maxLength: 40 },
      ),
      fc.array(query, { minLength: 8, maxLength: 8 }),
      async (drafts, queries) => {
        const { ctx, accountId, spaceId } = await newAccount();
        const rows = drafts.map((draft) => ({
          ...draft,
          updatedAt: new Date(Date.UTC(2026, 0, 1 + draft.day)),
        }));
        const ids = await addAll(accountId, spaceId, rows);
        const documents = rows.map((row, index) => ({ ...row, id: ids[index] as string }));
        for (const q of queries)
          for (const pillar of [undefined, 'ITEMS'] as const) {
            const scope = documents.filter(({ role }) => !pillar || role === pillar);
            const expected = rankDocuments(parseQuery(q), scope).map(({ document, score }) => [
              document.id,
              score,
            ]);
            const { data } = await searchMemories(ctx, { q, pillar, limit: 50 });
            expect(data.map(({ memoryId, score }) => [memoryId, score])).toEqual(expected);
          }
      },
    ),
    { numRuns: 25 },
  );
});

describe('the French set, through PostgreSQL', () => {
  let ctx: Context<MemberActor>;
  beforeAll(async () => {
    const account = await newAccount();
    ctx = account.ctx;
    await addAll(
      account.accountId,
      account.spaceId,
      CORPUS.map(({ key, role, title, body }, index) => ({
        id: key,
        role: role as PillarRole,
        title,
        body,
        updatedAt: updatedAtOf(index),
      })),
    );
  });

  test('is answered as well as by a scan of everything, and ahead of MiniSearch and Orama', async () => {
    const ours = await evaluate((q) => found(ctx, q, { limit: 10 }));
    const scan = await evaluate(ourEngine());
    const results: Record<string, typeof ours> = { 'Atelier (PostgreSQL)': ours, 'Atelier (scan)': scan };
    for (const [name, engine] of Object.entries(await peerEngines())) {
      const peer = await evaluate(engine);
      results[name] = peer;
      expect(ours.success1, name).toBeGreaterThan(peer.success1);
      expect(ours.mrr10, name).toBeGreaterThan(peer.mrr10);
    }
    console.log(formatMetrics(results));
    expect(ours.success1).toBeGreaterThanOrEqual(0.96);
    expect(ours.mrr10).toBeGreaterThanOrEqual(0.97);
    expect(ours.silence).toBe(1);
  });
});

test('the name of its Space in a question brings nothing before what answers, in segments and out of them, nor is it a word that nothing holds', async () => {
  const { ctx, accountId, spaceId } = await newAccount();
  const other = await makeSpace(service, accountId, { name: 'Le Carnet' });
  const [promise, calendar] = await addAll(accountId, spaceId, [
    { title: 'Notre promesse', body: 'Maison Lumen éclaire sans éblouir.' },
    { title: 'Calendrier', body: 'Les soldes n’existent pas chez nous.' },
    ...Array.from({ length: 9 }, (_, n) => ({ title: `Note ${n}`, body: 'Une lampe posée là.' })),
  ]);
  const [notes] = await addAll(accountId, other.id, [
    { title: 'Données', body: 'Un carnet dit le modèle, la date et les mesures, et ne dit rien des soldes.' },
  ]);
  const q = 'Maison Lumen fait-elle des soldes\u00a0?';
  for (const isIndexed of [false, true]) {
    if (isIndexed) await indexPending(ctx, { accountId });
    expect((await found(ctx, q))[0], String(isIndexed)).toBe(calendar);
    expect((await found(ctx, q, { spaceId }))[0], String(isIndexed)).toBe(calendar);
    expect((await found(ctx, 'Maison Lumen'))[0], String(isIndexed)).toBe(promise);
    expect((await found(ctx, 'soldes du carnet', { spaceId: other.id }))[0], String(isIndexed)).toBe(notes);
  }
  await service.db.space.update({
    where: { id: spaceId },
    data: { name: 'Verdoux', version: { increment: 1 } },
  });
  expect((await searchMemories(ctx, { q: 'soldes Verdoux' })).unmatchedWords).toBeUndefined();
  expect((await searchMemories(ctx, { q: 'soldes Verdier' })).unmatchedWords).toEqual(['Verdier']);
});

describe('a search made to be read by a member', () => {
  test('names each word as it was typed, dates included, and those that were not looked for', async () => {
    const { ctx, accountId, spaceId } = await newAccount();
    await addAll(accountId, spaceId, [{ title: 'Forêt', body: 'Plantée le 12 mai 2023.' }]);
    const { hits } = await searchWithReasons(ctx, { q: 'Forêt 12 mai 2023' });
    expect(hits[0]?.reasons).toEqual([
      '«\u00a0Forêt\u00a0»\u00a0: dans le titre (le mot même)',
      '«\u00a012 mai 2023\u00a0»\u00a0: dans le texte (le mot même)',
    ]);
    expect([cutTextNote(), cutTextNote('a'.repeat(200)), cutTextNote('a'.repeat(201))]).toEqual([
      null,
      null,
      'Seuls les 200 premiers caractères sont cherchés.',
    ]);
    const thirty = Array.from({ length: 30 }, (_, at) => `z${at + 10}`).join(' ');
    expect(ignoredWordsNote(thirty)).toBeNull();
    expect(ignoredWordsNote(`${thirty} Forêt lampe`)).toBe(
      'Seuls les 30 premiers mots différents ont été cherchés, sans «\u00a0Forêt, lampe\u00a0».',
    );
  });

  test('names the words that no Memory of what is searched holds, beside what was found; so does a context', async () => {
    const { ctx, accountId, spaceId } = await newAccount();
    await addAll(accountId, spaceId, [{ title: 'Forêt', body: 'Plantée au printemps.' }]);
    const { hits, unmatched, isNear } = await searchWithReasons(ctx, { q: 'forêts Verdier soldes' });
    expect(hits.map(({ title }) => title)).toEqual(['Forêt']);
    expect(isNear).toBe(false);
    expect(unmatchedWordsNote(unmatched)).toBe(
      'Aucune mémoire ne contient «\u00a0Verdier\u00a0» ni «\u00a0soldes\u00a0».',
    );
    expect((await searchWithReasons(ctx, { q: 'forêt' })).unmatched).toEqual([]);
    const near = await searchWithReasons(ctx, { q: 'printemsp' });
    expect({ found: near.hits.length, unmatched: near.unmatched, isNear: near.isNear }).toEqual({
      found: 1,
      unmatched: ['printemsp'],
      isNear: true,
    });
    expect(await searchWithReasons(ctx, { q: 'introuvable' })).toEqual({
      hits: [],
      unmatched: ['introuvable'],
      isNear: false,
    });
    const context = await previewContext(ctx, { spaceId, q: 'forêt Verdier' });
    expect(context.focused).toBe(true);
    expect(unmatchedWordsNote(context.unmatched, 'de cet espace')).toBe(
      'Aucune mémoire de cet espace ne contient «\u00a0Verdier\u00a0».',
    );
    expect((await previewContext(ctx, { spaceId })).unmatched).toEqual([]);
    expect(unmatchedWordsNote(['a', 'b', 'c'])).toBe(
      'Aucune mémoire ne contient «\u00a0a\u00a0», «\u00a0b\u00a0» ni «\u00a0c\u00a0».',
    );
    expect(unmatchedWordsNote([])).toBeNull();
  });
});
