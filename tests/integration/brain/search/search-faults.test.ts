import { describe, expect, test } from 'vitest';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
let sequence = 0;

type Draft = { title: string; body: string };
type Setting = { ctx: Context<MemberActor>; add(drafts: readonly Draft[]): Promise<string[]> };

async function setting(): Promise<Setting> {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  return {
    ctx: testContext(service, actor),
    async add(drafts) {
      const data = drafts.map(({ title, body }) => {
        sequence += 1;
        const at = new Date(Date.UTC(2026, 0, 1) + sequence * 1_000);
        return {
          id: `mem_${String(sequence).padStart(7, '0')}`,
          accountId: account.id,
          spaceId: space.id,
          role: 'KNOWLEDGE' as const,
          kind: 'NOTE' as const,
          title,
          body,
          source: 'MANUAL' as const,
          cu: 1,
          createdAt: at,
          updatedAt: at,
        };
      });
      await service.db.memory.createMany({ data });
      return data.map(({ id }) => id);
    },
  };
}

const found = async ({ ctx }: Setting, q: string, limit = 50) =>
  (await searchMemories(ctx, { q, limit })).data.map(({ memoryId }) => memoryId);

const times = (count: number, draft: (index: number) => Draft) =>
  Array.from({ length: count }, (_, i) => draft(i));

describe('newer Memories never hide an older one that answers', () => {
  test('« danse » in a title, under 120 newer Memories that hold « dans »', async () => {
    const at = await setting();
    const [id] = await at.add([{ title: 'Cours de danse', body: 'Le mardi soir.' }]);
    await at.add(times(120, (i) => ({ title: `Dans le tiroir ${i}`, body: 'Rangé dans le tiroir.' })));
    expect((await found(at, 'danse'))[0]).toBe(id);
  });

  test('« compte » in a title, under 150 newer Memories that hold « complet »', async () => {
    const at = await setting();
    const [id] = await at.add([{ title: 'Ouvrir un compte', body: 'Pièce d’identité.' }]);
    await at.add(times(150, (i) => ({ title: `Dossier complet ${i}`, body: 'Le dossier est complet.' })));
    expect((await found(at, 'compte'))[0]).toBe(id);
  });

  test('one EAN among 120 that share their first nine digits', async () => {
    const at = await setting();
    const codes = times(120, (i) => ({ title: `Article ${i}`, body: `EAN 376012345${1000 + i * 7}` }));
    const ids = await at.add(codes);
    for (const index of [0, 3, 59, 119])
      expect(await found(at, `376012345${1000 + index * 7}`)).toEqual([ids[index]]);
  });

  test('« isation » inside 30 different words', async () => {
    const at = await setting();
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const ids = await at.add(
      times(30, (i) => ({
        title: `Note ${i}`,
        body: `Le mot ${letters[i % 26]}${letters[(i * 7) % 26]}orgunisation.`,
      })),
    );
    expect((await found(at, 'unisation')).sort()).toEqual(ids.sort());
  });

  test('every rare word and every exact phrase of 1,500 passages is found where it stands', async () => {
    const at = await setting();
    const syllables = ['ba', 'co', 'di', 'fu', 'ga', 'lo', 'mi', 'nu', 'pe', 'ra', 'si', 'to', 'vu'];
    const word = (n: number) =>
      Array.from({ length: 4 }, (_, k) => syllables[Math.floor(n / 13 ** k) % 13]).join('');
    const passage = (i: number) =>
      `${word(i)} ${word((i * 31) % 300)} ${word((i * 17) % 90)} ${word((i * 7) % 40)} fin`;
    const ids = await at.add(
      times(1_500, (i) => ({ title: `Passage ${word((i * 13) % 500)}`, body: passage(i) })),
    );
    const missing: string[] = [];
    for (let i = 500; i < 1_500; i += 41) {
      if (!(await found(at, word(i), 10)).includes(ids[i] as string)) missing.push(word(i));
      const phrase = passage(i).split(' ').slice(1, 4).join(' ');
      const texts = (await searchMemories(at.ctx, { q: phrase, limit: 10 })).data.map(
        ({ snippet }) => snippet,
      );
      if (!texts.some((text) => text.includes(phrase))) missing.push(phrase);
    }
    expect(missing).toEqual([]);
  });
});

describe('the cost of one text or of one query is bounded', () => {
  const timed = async <T>(label: string, work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const result = await work();
    console.log(`${label}: ${Math.round(performance.now() - from)} ms`);
    return result;
  };

  test('a title of 200 ligatures that each stand for four words', async () => {
    const at = await setting();
    const ids = await timed('write U+FDFA', () =>
      at.add(times(20, () => ({ title: '\ufdfa'.repeat(200), body: 'x' }))),
    );
    expect((await timed('search U+FDFA', () => found(at, '\ufdfa'.repeat(200)))).sort()).toEqual(ids);
  });

  test('one word repeated 43,000 times in twenty Memories', async () => {
    const at = await setting();
    const ids = await timed('write « le »', () =>
      at.add(times(20, (i) => ({ title: `Liste ${i}`, body: 'le '.repeat(43_000) }))),
    );
    expect((await timed('search « le »', () => found(at, 'le'))).sort()).toEqual(ids);
  });

  test('a Memory of 128 KiB of distinct words', async () => {
    const at = await setting();
    let body = '';
    for (let i = 0; body.length < 130_000; i++) body += `${(i * 7919 + 100_003).toString(36)} `;
    const [id] = await timed('write 128 KiB', () => at.add([{ title: 'Lexique', body }]));
    expect(await timed('search in it', () => found(at, (7919 * 7 + 100_003).toString(36)))).toEqual([id]);
  });
});
