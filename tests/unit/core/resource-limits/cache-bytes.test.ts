import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cache, cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

const MIB = 2 ** 20;
const CACHES: Cache[] = [
  'searchLists',
  'searchPages',
  'searchAnswers',
  'searchNeighbours',
  'contexts',
  'shownContexts',
  'pillars',
  'spaceViews',
  'coverage',
  'previewReads',
];
/** The sum of all caches, in both bundles of the code. */
const all = (limits: { heapBytes: number; memoryBytes: number }) =>
  2 * CACHES.reduce((sum, cache) => sum + cacheBytes(cache, limits), 0);

describe('what a process keeps', () => {
  it('is all that is asked for where there is room', () => {
    const roomy = { heapBytes: 4096 * MIB, memoryBytes: 24_576 * MIB };
    expect(cacheBytes('searchLists', roomy)).toBe(192 * MIB);
    expect(cacheBytes('contexts', roomy)).toBe(48 * MIB);
    expect(all(roomy)).toBe(2 * 381 * MIB);
  });

  it('is a third of the heap that V8 was given, each in proportion to what it asks for', () => {
    const image = { heapBytes: 312 * MIB, memoryBytes: 24_576 * MIB };
    expect(all(image)).toBeLessThanOrEqual(104 * MIB);
    expect(all(image)).toBeGreaterThan(103 * MIB);
    expect(cacheBytes('searchLists', image) / cacheBytes('contexts', image)).toBeCloseTo(4, 2);
  });

  it('is an eighth of the memory of its container or machine where that is less', () => {
    const small = { heapBytes: 4096 * MIB, memoryBytes: 512 * MIB };
    expect(all(small)).toBeLessThanOrEqual(64 * MIB);
    expect(all(small)).toBeGreaterThan(63 * MIB);
  });

  it('is a number that quarters and eighths divide, and never nothing', () => {
    for (const heapBytes of [1, 100_000_007, 327_155_712, 4_345_298_944])
      for (const cache of CACHES) {
        const bytes = cacheBytes(cache, { heapBytes, memoryBytes: 24_576 * MIB });
        expect(bytes % 1024).toBe(0);
        expect(bytes).toBeGreaterThan(0);
      }
  });

  it('is decided there alone: no other file gives a cache a size in bytes', async () => {
    const lib = path.join(repositoryRoot, 'lib');
    const files = (await readdir(lib, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const sized = files.flatMap((file) => {
      const text = readFileSync(path.join(lib, file), 'utf8');
      return [
        ...text.matchAll(
          /\b(?:maxSize: |CACHE_BYTES = |new ReadCache\(|new VersionedCache<[^(]+\()([^,}\n]+)/g,
        ),
      ].map(([, size, given]) => ({ file, bytes: size ?? given ?? '' }));
    });
    expect(sized.length).toBeGreaterThanOrEqual(8);
    const elsewhere = sized.filter(({ bytes }) => !/^(cacheBytes\(|maxBytes$|CACHE_BYTES$)/.test(bytes));
    expect(elsewhere).toEqual([]);
  });
});
