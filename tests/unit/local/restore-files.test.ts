import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DumpedFile, fileOf } from '#lib/local/backup/dump.ts';
import { putFiles, RestoreRefused, takeBackFiles } from '#lib/local/backup/restore-files.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';

const LARGE = 9 * 1_048_576;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'restore-files-'));
  await mkdir(path.join(folder, 'files'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Files of a dump, in its folder. */
async function dumped(...contents: Buffer[]): Promise<DumpedFile[]> {
  return Promise.all(
    contents.map(async (content, rank) => {
      await writeFile(fileOf(folder, rank), content);
      return {
        pathname: `generations/gen_a/${rank}.mp4`,
        contentType: 'video/mp4',
        bytes: content.byteLength,
        sha256: createHash('sha256').update(content).digest('hex'),
      };
    }),
  );
}

it('a large file is sent as it is read, a small one whole, and both are there as they were', async () => {
  const [small, large] = [Buffer.from('petit'), randomBytes(LARGE)];
  const files = await dumped(small, large);
  const store = memoryStore();
  const { putStream } = store;
  const streamed: [pathname: string, largestPiece: number][] = [];
  store.putStream = (pathname, file, options) => {
    let largest = 0;
    async function* seen() {
      for await (const piece of file.stream) {
        largest = Math.max(largest, piece.byteLength);
        yield piece;
      }
      streamed.push([pathname, largest]);
    }
    return putStream.call(store, pathname, { ...file, stream: seen() }, options);
  };
  await putFiles(store, folder, files);
  expect(streamed).toEqual([['generations/gen_a/1.mp4', expect.any(Number)]]);
  expect(streamed[0]?.[1]).toBeLessThan(LARGE / 8);
  expect(Buffer.from(store.files.get('generations/gen_a/1.mp4')?.content ?? []).equals(large)).toBe(true);
  expect(store.files.get('generations/gen_a/0.mp4')).toMatchObject({ contentType: 'video/mp4', bytes: 5 });
  await takeBackFiles(store, files);
  expect(store.files.size).toBe(0);
});

it.each([5, LARGE])('a file of %i bytes that is another by now is refused, and not stored', async (bytes) => {
  const files = await dumped(randomBytes(bytes));
  await writeFile(fileOf(folder, 0), randomBytes(bytes));
  const store = memoryStore();
  await expect(putFiles(store, folder, files)).rejects.toThrow(RestoreRefused);
  await rm(fileOf(folder, 0));
  await expect(putFiles(store, folder, files)).rejects.toThrow('ENOENT');
  expect(store.files.size).toBe(0);
});

it.each([
  ['is given it again', 2],
  ['that does so three times is told, and has nothing of it', 3],
])('a store that loses a large file on its way %s', async (_, losses) => {
  const files = await dumped(randomBytes(LARGE));
  const store = memoryStore();
  const { putStream } = store;
  let asked = 0;
  store.putStream = async (pathname, file, options) => {
    asked += 1;
    if (asked > losses) return putStream.call(store, pathname, file, options);
    for await (const piece of file.stream) if (piece.byteLength > 0) break;
    throw new Error('503');
  };
  if (losses < 3) await putFiles(store, folder, files);
  else await expect(putFiles(store, folder, files)).rejects.toThrow('503');
  expect([asked, store.files.size]).toEqual([3, losses < 3 ? 1 : 0]);
});
