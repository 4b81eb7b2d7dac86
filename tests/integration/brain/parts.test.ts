import { describe, expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { addParts } from '#lib/brain/memories/add-parts.ts';
import { dividedBody, MAX_DIVIDED_LENGTH } from '#lib/brain/schemas/memories.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { fitsMemory } from '#lib/brain/text/fits-memory.ts';
import { splitText } from '#lib/brain/text/split-text.ts';
import { createId } from '#lib/core/ids.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });

const TITLE = 'Carnet de l’atelier';
// An introduction and three parts of one CU each.
const BODY = [
  'Ce que nous savons.',
  ...['Bois', 'Verre', 'Laiton'].map((name) => `## ${name}\n\nNotes.`),
].join('\n\n');

async function setting(capacityCu = 100) {
  const { account, actor } = await makeAccount(service, { capacityCu });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const text = (over: { key?: string; pillar?: PillarRole; parentId?: string | null } = {}) => ({
    spaceId: space.id,
    pillar: 'KNOWLEDGE' as PillarRole,
    parentId: null as string | null,
    title: TITLE,
    body: BODY,
    source: 'MANUAL' as const,
    key: createId('request'),
    ...over,
  });
  const rows = () =>
    service.db.memory.findMany({
      where: { spaceId: space.id },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  const grow = (cu: number) =>
    service.db.account.update({ where: { id: account.id }, data: { capacityCu: cu } });
  return { account, space, ctx, text, rows, grow };
}

describe('a text divided into several Memories', () => {
  test('without headings divides between its paragraphs, loses no word, and names each part by its first words', () => {
    const paragraphs = Array.from({ length: 12 }, (_, at) =>
      `**Chapitre ${at}**, où l’on raconte comment la cire se coule et se repose. ${'Doucement. '.repeat(60)}`.trim(),
    );
    const parts = splitText({ title: TITLE, body: paragraphs.join('\n\n') });
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.length).toBeLessThanOrEqual(12);
    expect(parts.map(({ body }) => body).join('\n\n')).toBe(paragraphs.join('\n\n'));
    expect(parts[0]?.title).toBe(TITLE);
    for (const { title, body } of parts.slice(1)) {
      expect(title).toMatch(/^Chapitre \d+, où l’on raconte comment la cire se coule et se…$/);
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(2_000);
    }
    expect(splitText({ title: TITLE, body: 'Court.' })).toEqual([{ title: TITLE, body: 'Court.' }]);
  });

  test('is its introduction with its parts nested in it, and their counters; sent again under its key, it is written once', async () => {
    const { account, space, ctx, text, rows } = await setting();
    const given = text();
    const first = await addParts(ctx, given);
    expect(first.added).toBe(splitText({ title: TITLE, body: BODY }).length);
    expect(await addParts(ctx, given)).toEqual(first);
    const written = await rows();
    expect(written.map(({ title, parentId }) => [title, parentId])).toEqual([
      [TITLE, null],
      ...['Bois', 'Verre', 'Laiton'].map((name) => [name, first.memoryId]),
    ]);
    expect(await service.db.space.findUniqueOrThrow({ where: { id: space.id } })).toMatchObject({
      memories: 4,
      cu: 4,
    });
    expect((await service.db.account.findUniqueOrThrow({ where: { id: account.id } })).usedCu).toBe(4);
  });

  test('names what other Memories say nearly the same, and none of its own parts', async () => {
    const { space, ctx, text } = await setting();
    const notes = (about: string) =>
      `La cire se coule lentement dans le moule ${about}, repose une nuit entière, puis se démoule à la main avant le contrôle de la mèche.`;
    const body = ['Bois', 'Verre'].map((name) => `## ${name}\n\n${notes('froid')}`).join('\n\n');
    const added = await addParts(ctx, { ...text(), title: 'Deux fois', body });
    expect(added.similar).toEqual([]);
    const { similar } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      parentId: null,
      title: 'Bois',
      body: notes('froid'),
      source: 'MANUAL',
      idempotencyKey: null,
    });
    expect(similar).toHaveLength(2);
  });

  test('longer than a Memory is divided all the same, into parts that each have the room of one; beyond that it is refused whole', async () => {
    const long = (parts: number, words: number) =>
      Array.from({ length: parts }, (_, at) => `## Partie ${at}\n\n${'cire '.repeat(words)}`).join('\n\n');
    const body = long(4, 12_000);
    expect([fitsMemory(body), dividedBody.safeParse(body).success]).toEqual([false, true]);
    const { ctx, text, rows } = await setting(10_000);
    const { added } = await addParts(ctx, { ...text(), body });
    const written = await rows();
    expect([added, written.length]).toEqual([5, 5]);
    expect(written.every((row) => fitsMemory(row.body))).toBe(true);
    await expect(addParts(ctx, { ...text(), body: long(260, 1_000) })).rejects.toMatchObject({
      code: 'invalid_request',
      options: { problems: [{ field: 'body' }] },
    });
    expect(await rows()).toHaveLength(5);
    expect(dividedBody.safeParse('a'.repeat(MAX_DIVIDED_LENGTH + 1)).success).toBe(false);
  });

  test('refused for want of room it leaves no row, not even a deleted one, no revision and no audit entry', async () => {
    const { account, ctx, text, rows } = await setting(3);
    await expect(addParts(ctx, text())).rejects.toMatchObject({ code: 'capacity_full' });
    expect(await rows()).toEqual([]);
    expect(await service.db.memoryRevision.count({ where: { accountId: account.id } })).toBe(0);
    expect(await service.db.auditEntry.count({ where: { accountId: account.id } })).toBe(0);
    expect((await service.db.account.findUniqueOrThrow({ where: { id: account.id } })).usedCu).toBe(0);
  });

  test('the same key works once there is room: as it was, on another pillar, or undivided', async () => {
    const cases = [{}, { pillar: 'ITEMS' as const }] as const;
    for (const over of cases) {
      const { ctx, text, rows, grow } = await setting(3);
      const given = text();
      await expect(addParts(ctx, given)).rejects.toMatchObject({ code: 'capacity_full' });
      await grow(4);
      expect((await addParts(ctx, { ...given, ...over })).added).toBe(4);
      expect((await rows()).every(({ deletedAt }) => deletedAt === null)).toBe(true);
    }
    const { ctx, text, rows, grow } = await setting(3);
    const { key, ...one } = text();
    await expect(addParts(ctx, { ...one, key })).rejects.toMatchObject({ code: 'capacity_full' });
    await grow(4);
    expect(await addMemory(ctx, { ...one, idempotencyKey: key })).toMatchObject({ replayed: false });
    expect(await rows()).toHaveLength(1);
  });

  test('sent ten times at once under one key, it is written once', async () => {
    const { ctx, text, rows } = await setting();
    const given = text();
    const answers = await Promise.all(Array.from({ length: 10 }, () => addParts(ctx, given)));
    expect(new Set(answers.map(({ memoryId }) => memoryId)).size).toBe(1);
    expect(await rows()).toHaveLength(4);
  });

  test('eight different texts at once on room for three and a half: exactly three are there, whole', async () => {
    const { account, ctx, text, rows } = await setting(14);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => addParts(ctx, text())));
    const refusals = outcomes.filter((one) => one.status === 'rejected');
    expect(refusals).toHaveLength(5);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'capacity_full' });
    expect(await rows()).toHaveLength(12);
    expect((await service.db.account.findUniqueOrThrow({ where: { id: account.id } })).usedCu).toBe(12);
  });

  test('under a Memory of the deepest level, the parts stand beside their introduction', async () => {
    const { ctx, text, space } = await setting();
    let parentId: string | null = null;
    for (let depth = 0; depth < 16; depth += 1) {
      const { memory } = await addMemory(ctx, {
        spaceId: space.id,
        pillar: 'KNOWLEDGE',
        title: `Niveau ${depth}`,
        body: 'x',
        parentId,
        source: 'MANUAL',
        idempotencyKey: null,
      });
      parentId = memory.id;
    }
    const { memoryId } = await addParts(ctx, text({ parentId }));
    const beside = await service.db.memory.findMany({ where: { parentId } });
    expect(beside.map(({ id }) => id)).toContain(memoryId);
    expect(beside).toHaveLength(4);
  });
});
