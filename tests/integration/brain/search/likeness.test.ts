import { describe, expect, test } from 'vitest';
import { importDrafts } from '#lib/brain/imports/import-drafts.ts';
import type { MemoryDraft } from '#lib/brain/imports/parse/types.ts';
import { sketchMissing } from '#lib/brain/likeness/sketch-missing.ts';
import { SKETCH_SLICE } from '#lib/brain/likeness/statements.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { archiveSpace } from '#lib/brain/spaces/change-space.ts';
import { seededRandom } from '#tests/bench/search-corpus.ts';
import { CORPUS } from '#tests/bench/search-fr/corpus.ts';
import { spoil } from '#tests/eval/likeness.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { type LogLine, testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });

async function setting() {
  const { account, actor } = await makeAccount(service, { capacityCu: 100_000 });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const add = (title: string, body: string, over: { spaceId?: string; key?: string } = {}) =>
    addMemory(ctx, {
      spaceId: over.spaceId ?? space.id,
      pillar: 'KNOWLEDGE',
      title,
      body,
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: over.key ?? null,
    });
  const bands = async (memoryId: string) =>
    (await service.db.memorySketch.findUnique({ where: { memoryId } }))?.bands ?? null;
  return { account, space, ctx, add, bands };
}

const TITLE = 'Garantie des lampes';
const BODY =
  'Chaque lampe est garantie dix ans, câble et interrupteur compris. Une pièce qui casse est changée sans frais, sur présentation de la facture, dans tous nos ateliers.';
const REPEATED = BODY.replace('dix', 'douze').replaceAll(' ', ' \n').toUpperCase();

describe('a Memory that repeats another', () => {
  test('is told, with the one that it repeats, and is written all the same; what it replays is not itself', async () => {
    const { space, add } = await setting();
    const first = await add(TITLE, BODY);
    expect(first.similar).toEqual([]);
    await add('Horaires', 'La boutique ouvre à dix heures, du mardi au samedi.');
    const second = await add('Garantie', REPEATED, { key: 'une-fois' });
    expect(second.similar).toEqual([
      { id: first.memory.id, spaceId: space.id, title: TITLE, similarity: expect.any(Number) },
    ]);
    expect(second.similar[0]?.similarity).toBeGreaterThan(0.7);
    const replay = await add('Garantie', REPEATED, { key: 'une-fois' });
    expect([replay.replayed, replay.memory.id]).toEqual([true, second.memory.id]);
    expect(replay.similar).toEqual(second.similar);
    const { similar } = await add(TITLE, `${BODY}  `);
    expect(similar.map(({ id, similarity }) => [id, similarity === 1])).toEqual([
      [first.memory.id, true],
      [second.memory.id, false],
    ]);
    expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(4);
  });

  test('a deleted one, one of an archived Space and one of another account are nobody’s double; a restored one is again', async () => {
    const { account, space, ctx, add } = await setting();
    const stranger = await setting();
    await stranger.add(TITLE, BODY);
    const elsewhere = await makeSpace(service, account.id, { name: 'Ailleurs' });
    const there = await add(TITLE, BODY, { spaceId: elsewhere.id });
    expect((await add(TITLE, BODY)).similar.map(({ spaceId }) => spaceId)).toEqual([elsewhere.id]);
    await archiveSpace(ctx, { spaceId: elsewhere.id, archived: true });
    const [own] = await service.db.memory.findMany({ where: { spaceId: space.id } });
    const { deletionId } = await deleteMemory(ctx, { memoryId: own?.id ?? '' });
    expect((await add(TITLE, BODY)).similar).toEqual([]);
    await undoDelete(ctx, { deletionId });
    await archiveSpace(ctx, { spaceId: elsewhere.id, archived: false });
    const again = (await add(TITLE, BODY)).similar.map(({ id }) => id);
    expect(again).toContain(own?.id);
    expect(again).toContain(there.memory.id);
  });

  test('an edit is told too, by its new text alone, and an import says it of each document, of the same import as well', async () => {
    const { space, ctx, add, bands } = await setting();
    const first = await add(TITLE, BODY);
    const other = await add('Note', 'Rien de commun avec le reste.');
    const before = await bands(other.memory.id);
    const edited = await updateMemory(ctx, {
      memoryId: other.memory.id,
      expectedVersion: null,
      title: TITLE,
      body: REPEATED,
    });
    expect(edited.similar.map(({ id }) => id)).toEqual([first.memory.id]);
    expect(await bands(other.memory.id)).not.toEqual(before);
    await updateMemory(ctx, {
      memoryId: other.memory.id,
      expectedVersion: null,
      title: 'Note',
      body: 'Autre.',
    });
    const draft = (key: string, title: string, body: string): MemoryDraft => ({
      key,
      id: null,
      parentKey: null,
      depth: 0,
      pillar: 'KNOWLEDGE',
      kind: 'DOCUMENT',
      title,
      body,
      source: null,
      sourceRef: key,
      file: null,
      createdAt: null,
      updatedAt: null,
    });
    const drafts = [
      draft('a.md', 'Garantie', BODY),
      draft('b.md', 'Horaires', 'Du mardi au samedi, de dix heures à dix-neuf heures trente.'),
      draft('c.md', 'Heures d’ouverture', 'Du mardi au samedi, de dix heures à dix-neuf heures trente'),
    ];
    const report = await importDrafts(ctx, { spaceId: space.id, source: 'UPLOAD', drafts });
    expect(report).toMatchObject({ created: 3, similarCount: 2 });
    expect(report.similar.map(({ path, similar }) => [path, similar[0]?.title])).toEqual([
      ['a.md', TITLE],
      ['c.md', 'Horaires'],
    ]);
    expect(await importDrafts(ctx, { spaceId: space.id, source: 'UPLOAD', drafts })).toMatchObject({
      unchanged: 3,
      similar: [],
    });
  });

  test('of the corpus with a word in twenty changed every text is told with its model first', async () => {
    const { ctx, space } = await setting();
    const random = seededRandom(11);
    const texts = CORPUS.filter(({ body }) => body.split(' ').length >= 40).slice(0, 40);
    const ids = new Map<string, string>();
    const add = (title: string, body: string) => addMemory(ctx, { ...ONE, spaceId: space.id, title, body });
    for (const { key, title, body } of texts) ids.set(key, (await add(title, body)).memory.id);
    for (const { key, title, body } of texts) {
      const { similar } = await add(title, spoil(body, 0.05, random));
      expect(similar[0]?.id).toBe(ids.get(key));
    }
  });

  test('adding asks the database twice, as it did before: to look, and to write', async () => {
    const { ctx, space, add } = await setting();
    await add(TITLE, BODY);
    let asked = 0;
    const kysely = interceptedQueries(service.pool, {
      before: () => {
        asked += 1;
      },
    });
    const { similar } = await addMemory(
      { ...ctx, kysely },
      { ...ONE, spaceId: space.id, title: TITLE, body: BODY },
    );
    expect(similar).toHaveLength(1);
    expect(asked).toBe(2);
  });

  test('sixty copies of one text: each is told, no band is kept by more than sixteen, three are named', async () => {
    const { account, add } = await setting();
    for (let i = 0; i < 60; i += 1) {
      const { similar } = await add(TITLE, BODY);
      expect(similar).toHaveLength(Math.min(i, 3));
    }
    const rows = await service.db.memorySketch.findMany({ where: { accountId: account.id } });
    expect(rows).toHaveLength(60);
    const held = Map.groupBy(
      rows.flatMap((row) => row.bands),
      (band) => band,
    );
    expect(Math.max(...[...held.values()].map((all) => all.length))).toBe(16);
    // What tells one of them apart is still found, whatever they share.
    const own =
      'Le modèle Aubépine, en laiton brossé, existe en trois hauteurs et se règle d’une main, assis ou debout.';
    const apart = await add(TITLE, `${BODY} ${own}`);
    const { similar } = await add(TITLE, `${BODY} ${own}`);
    expect(similar[0]).toMatchObject({ id: apart.memory.id, similarity: 1 });
  });

  test('a Memory without a sketch gets one at night, the one that the verbs would have kept', async () => {
    const { ctx, add, bands } = await setting();
    const { memory } = await add(TITLE, BODY);
    const kept = await bands(memory.id);
    await service.db.memorySketch.delete({ where: { memoryId: memory.id } });
    expect((await add(TITLE, REPEATED)).similar).toEqual([]);
    expect(await sketchMissing(ctx)).toBeGreaterThanOrEqual(1);
    expect(await bands(memory.id)).toEqual(kept);
    expect(await sketchMissing(ctx)).toBe(0);
  });

  test('a night looks at so many Memories in a statement, and goes on after the last that the one before looked at', async () => {
    const { ctx, add } = await setting();
    const { memory } = await add('La dernière', BODY);
    await service.pool.query('DELETE FROM "CronCursor"');
    const asked: unknown[] = [];
    const kysely = interceptedQueries(service.pool, {
      before: ({ label, text, parameters }) => {
        if (label !== 'sketch.slice') return;
        expect(text).toContain(`limit ${SKETCH_SLICE}`);
        asked.push(parameters[0]);
      },
    });
    const night = testContext({ ...service, kysely }, ctx.actor);
    await sketchMissing(night);
    expect(asked[0]).toBe('');
    asked.length = 0;
    await sketchMissing(night);
    // After the last of all there is none: it begins again.
    expect(asked.slice(0, 2)).toEqual([memory.id, '']);
  });

  test('one that cannot be compared leaves none of the others without a sketch, and is told', async () => {
    const { ctx, add, bands } = await setting();
    const ids: string[] = [];
    for (const title of ['Une', 'Deux', 'Trois']) ids.push((await add(title, BODY)).memory.id);
    ids.sort();
    await service.db.memorySketch.deleteMany({ where: { memoryId: { in: ids } } });
    const kysely = interceptedQueries(service.pool, {
      before: ({ label, parameters }) => {
        if (label === 'read-likeness' && parameters.includes(ids[0])) throw new Error('a refused text');
      },
    });
    const lines: LogLine[] = [];
    const night = testContext({ ...service, kysely }, ctx.actor, { lines });
    await expect(sketchMissing(night)).rejects.toThrow('a refused text');
    expect(await Promise.all(ids.map(async (id) => (await bands(id)) !== null))).toEqual([false, true, true]);
    expect(lines).toMatchObject([{ level: 'error', event: 'memory.sketch_failed', memoryId: ids[0] }]);
    expect(await sketchMissing(ctx)).toBe(1);
  });
});

const ONE = {
  pillar: 'KNOWLEDGE' as const,
  parentId: null,
  source: 'MANUAL' as const,
  idempotencyKey: null,
};
