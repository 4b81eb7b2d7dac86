import { describe, expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { FOUND_LIMITS, findAnything } from '#lib/brain/queries/find-anything.ts';
import { getMonthReads } from '#lib/brain/queries/get-month-reads.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import { foldForSearch } from '#lib/studio/generation/search-text.ts';
import { makeAccount, makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function setting() {
  const { account, member } = await makeAccount(service, { name: 'Maison' });
  const ctx = testContext(service, memberActor(member));
  const space = await makeSpace(service, account.id, { name: 'Écrin de Noël' });
  const memory = async (title: string, body = 'Corps.') => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title,
      body,
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  const generation = async (brief: string) => {
    const id = createId('generation');
    const now = new Date();
    await service.db.generation.create({
      data: {
        id,
        accountId: account.id,
        memberId: member.id,
        productId: 'libre',
        kind: 'IMAGE',
        assetType: 'IMAGE',
        state: 'COMPLETED',
        params: { brief },
        references: {},
        requestId: 'r',
        searchText: foldForSearch(brief),
        createdAt: now,
        updatedAt: now,
        deadlineAt: now,
        dueAt: now,
        closedAt: now,
      },
    });
    return id;
  };
  const as = (actor: MemberActor) => testContext(service, actor);
  return { account, member, ctx, space, memory, generation, as };
}

const names = (found: Awaited<ReturnType<typeof findAnything>>) =>
  Object.fromEntries(found.families.map(({ family, items }) => [family, items.map(({ label }) => label)]));

describe('the command palette', () => {
  test('finds Memories, Spaces, generations, members and keys in one answer, whatever the accents and the case, and consumes no read', async () => {
    const { account, ctx, member, memory, generation } = await setting();
    await memory('Bougie de NOËL', 'Cire végétale');
    await generation('Une bougie de noël sur une table');
    await makeMember(service, account.id, { name: 'Noëlle Fabre' });
    const { key } = await makeKey(service, member);
    await service.db.developerKey.update({ where: { id: key.id }, data: { name: 'Site de Noel' } });
    const found = await findAnything(ctx, { q: 'noel', recent: [] });
    expect(names(found)).toEqual({
      memories: ['Bougie de NOËL'],
      spaces: ['Écrin de Noël'],
      generations: ['Une bougie de noël sur une table'],
      members: ['Noëlle Fabre'],
      keys: ['Site de Noel'],
    });
    expect(names(await findAnything(ctx, { q: 'écrin noë', recent: [] }))).toMatchObject({
      spaces: ['Écrin de Noël'],
    });
    expect(names(await findAnything(ctx, { q: 'zzz', recent: [] }))).toEqual({});
    expect((await getMonthReads(ctx)).used).toBe(0);
  });

  test('gives a few of each family, says that there are others, and takes three round trips at most', async () => {
    const { account, member, memory, generation } = await setting();
    for (let i = 0; i < 7; i++) await memory(`Bougie ${i}`);
    await memory('Une note', 'La dernière parle d’une bougie.');
    for (let i = 0; i < 6; i++) await generation(`Bougie ${i}`);
    for (let i = 0; i < 5; i++) await makeSpace(service, account.id, { name: `Bougies ${i}` });
    const said: string[] = [];
    const kysely = interceptedQueries(service.connection.pool, {
      before: ({ label }) => void said.push(label),
    });
    const ctx = testContext({ db: service.db, kysely }, memberActor(member));
    const { families } = await findAnything(ctx, { q: 'bougie', recent: [] });
    expect(families.map(({ family, more, items }) => [family, more, items.length])).toEqual([
      ['memories', true, FOUND_LIMITS.memories],
      ['spaces', true, FOUND_LIMITS.spaces],
      ['generations', true, FOUND_LIMITS.generations],
    ]);
    expect(said.length, said.join(', ')).toBeLessThanOrEqual(3);
    const searched = await searchMemories(testContext(service, memberActor(member)), {
      q: 'bougie',
      limit: FOUND_LIMITS.memories,
    });
    expect(families[0]?.items.map(({ id }) => id)).toEqual(searched.data.map(({ memoryId }) => memoryId));
  });

  test('shows a member what their rights open: no journal and no colleague without « generate », their own keys alone', async () => {
    const { account, ctx, as, member, generation } = await setting();
    const reader = await makeMember(service, account.id, { role: 'MEMBER', name: 'Bougie Lectrice' });
    const maker = await makeMember(service, account.id, {
      role: 'MEMBER',
      name: 'Bougie Studio',
      permissions: ['generate'],
    });
    await generation('Bougie');
    for (const one of [member, reader]) {
      const { key } = await makeKey(service, one);
      await service.db.developerKey.update({
        where: { id: key.id },
        data: { name: `Bougie ${one.id === reader.id ? 'lue' : 'fondée'}` },
      });
    }
    const q = { q: 'bougie', recent: [] };
    expect(names(await findAnything(as(memberActor(reader)), q))).toEqual({ keys: ['Bougie lue'] });
    expect(Object.keys(names(await findAnything(as(memberActor(maker)), q)))).toEqual([
      'generations',
      'members',
    ]);
    expect(names(await findAnything(ctx, q))).toMatchObject({
      members: ['Bougie Lectrice', 'Bougie Studio'],
      keys: ['Bougie lue', 'Bougie fondée'],
    });
  });

  test('gives a long title in 120 characters that end with an ellipsis, never with half of one', async () => {
    const { ctx, memory } = await setting();
    const titles = [117, 118, 119].map((before) => `Lampe ${'a'.repeat(before - 6)}${'😀'.repeat(20)}`);
    for (const title of titles) await memory(title);
    const { memories = [] } = names(await findAnything(ctx, { q: 'lampe', recent: [] }));
    expect([...memories].sort()).toEqual(
      titles.map((title, at) => `${title.slice(0, at === 0 ? 119 : 117 + at)}…`).sort(),
    );
  });

  test('finds a name as it is written, whatever its letters and their case', async () => {
    const { account, ctx } = await setting();
    const written = ['Straße', 'ÆTHER', 'Łódź', 'Smørrebrød', 'CŒUR'];
    for (const name of written) await makeSpace(service, account.id, { name });
    for (const name of written)
      for (const q of [name, name.toLowerCase()])
        expect(names(await findAnything(ctx, { q, recent: [] })), q).toEqual({ spaces: [name] });
  });

  test('looks through names for the first eight different words, and says which it left out, as they were typed', async () => {
    const { account, ctx, memory } = await setting();
    await makeSpace(service, account.id, { name: 'Un deux trois quatre cinq six sept huit' });
    await memory('Neuvième', 'Un deux trois quatre cinq six sept huit éclairée.');
    const eight = 'un deux trois quatre cinq six sept huit';
    const twice = await findAnything(ctx, { q: `${eight} ${eight.toUpperCase()}`, recent: [] });
    expect(twice.ignored).toBeNull();
    const found = await findAnything(ctx, { q: `${eight} Éclairée, l’ÉTÉ`, recent: [] });
    expect(names(found)).toEqual({
      memories: ['Neuvième'],
      spaces: ['Un deux trois quatre cinq six sept huit'],
    });
    expect(found.ignored).toBe(
      'Hors des mémoires, seuls les 8 premiers mots différents ont été cherchés, sans «\u00a0Éclairée, l, ÉTÉ\u00a0».',
    );
    expect((await findAnything(ctx, { q: ' ', recent: [] })).ignored).toBeNull();
    const thirty = Array.from({ length: 30 }, (_, at) => `z${at + 10}`);
    const many = await findAnything(ctx, { q: `${thirty.join(' ')} Forêt lampe`, recent: [] });
    expect(many.ignored?.split(' Dans les ')).toEqual([
      expect.stringContaining(`${thirty.slice(8).join(', ')}, Forêt, lampe`),
      'mémoires, les 30 premiers, sans «\u00a0Forêt, lampe\u00a0».',
    ]);
  });

  test('never gives another account’s things, archived Spaces nor what was deleted, by name or as recents', async () => {
    const own = await setting();
    const other = await setting();
    const theirs = [await other.memory('Bougie'), other.space.id, await other.generation('Bougie')];
    const kept = await own.memory('Bougie');
    const gone = await own.memory('Bougie supprimée');
    await service.db.memory.update({ where: { id: gone }, data: { deletedAt: new Date() } });
    const archived = await makeSpace(service, own.account.id, { name: 'Bougie' });
    const { memory: put } = await addMemory(own.ctx, {
      spaceId: archived.id,
      pillar: 'ITEMS',
      title: 'Bougie rangée',
      body: 'Corps.',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    await service.db.space.update({ where: { id: archived.id }, data: { archivedAt: new Date() } });
    const mine = await own.generation('Autre chose');
    const found = await findAnything(own.ctx, { q: 'bougie', recent: [] });
    expect(found.families.flatMap(({ items }) => items.map(({ id }) => id))).toEqual([kept]);
    const { recent } = await findAnything(own.ctx, {
      q: ' ',
      recent: [mine, ...theirs, gone, archived.id, put.id, 'nimporte', kept],
    });
    expect(recent.map(({ id, family }) => [id, family])).toEqual([
      [mine, 'generations'],
      [kept, 'memories'],
    ]);
    // Nor, to who may not read the journal, what was opened of it while they might.
    const reader = { ...own.ctx.actor, role: 'MEMBER' as const, permissions: [] };
    const opened = await findAnything(own.as(reader), { q: '', recent: [mine, kept] });
    expect(opened.recent.map(({ id }) => id)).toEqual([kept]);
    const left = await makeMember(service, own.account.id, { role: 'MEMBER', name: 'Bougie Partie' });
    await service.db.member.update({ where: { id: left.id }, data: { status: 'REMOVED' } });
    expect(names(await findAnything(own.ctx, { q: 'partie', recent: [] }))).toEqual({});
  });
});
