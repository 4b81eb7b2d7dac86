import { describe, expect, it } from 'vitest';
import { KnownMemories, type KnownMemory } from '#lib/brain/imports/known-memories.ts';
import { textHash } from '#lib/brain/memories/text-hash.ts';

const hash = textHash({ title: 'Note', body: 'Un.' });
const memory = (id: string, importKey: string | null): KnownMemory => ({
  id,
  role: 'KNOWLEDGE',
  importKey,
  textHash: hash,
  importedHash: hash,
});
const draft = (key: string) => ({
  key,
  parentKey: null,
  depth: 0,
  pillar: 'KNOWLEDGE' as const,
  kind: 'DOCUMENT' as const,
  title: 'Note',
  body: 'Un.',
  source: null,
  sourceRef: key,
  id: null,
  file: null,
  createdAt: null,
  updatedAt: null,
  hasOwnPath: true,
});

describe('what a Space holds, as an import recognises it', () => {
  it('is read in slices: others run in between, however many Memories there are', async () => {
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      while (!isDone) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    })();
    function* memories() {
      for (let n = 0; n < 100_000; n += 1) yield memory(`mem_${n}`, `path:Dossier/Note ${n}.md`);
    }
    const known = await KnownMemories.of(memories());
    isDone = true;
    await others;
    expect(turns).toBeGreaterThan(2);
    expect(known.find(draft('dossier/note 99999.MD'))?.id).toBe('mem_99999');
  });

  it('is read as fast where all its paths differ by case alone, and the one that says the same is found', async () => {
    const letters = [...'abcdefghijklmnop'];
    const path = (n: number) =>
      `${letters.map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join('')}.md`;
    const all = Array.from({ length: 2 ** letters.length }, (_, n) => memory(`mem_${n}`, `path:${path(n)}`));
    const other = { ...memory('mem_other', `path:${path(0)}x`), textHash: new Uint8Array(32) };
    const known = await KnownMemories.of([...all, other]);
    expect(known.find(draft(path(12_345)))?.id).toBe('mem_12345');
    expect(known.find(draft(path(1).replace('.md', '.MD')))?.id).toBe('mem_0');
  });
});
