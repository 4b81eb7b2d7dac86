import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { connect } from '#lib/db/connection.ts';
import { dump } from '#lib/local/backup/dump.ts';
import { differences, fingerprint } from '#lib/local/backup/fingerprint.ts';
import { restore } from '#lib/local/backup/restore.ts';
import { RestoreRefused } from '#lib/local/backup/restore-files.ts';
import { inOrder } from '#lib/local/backup/tables.ts';
import { sampleAnswers, seedForDrill } from '#tests/drill/seed.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { createTestDatabase } from '#tests/setup/database.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a dump', () => {
  test('restored into an empty database and store gives back every row, sequence, sum of the books, file and answer; what came after it is lost', async () => {
    const store = memoryStore();
    const seeded = await seedForDrill(service, { store, memories: 30, generations: 3 });
    const answers = await sampleAnswers(service, seeded, store);
    const before = await fingerprint({ ownerUrl: service.ownerUrl, store });
    const manifest = await dump({ ownerUrl: service.ownerUrl, store, folder, now: () => new Date() });
    expect(manifest.files.length).toBeGreaterThanOrEqual(3);

    await addMemory(seeded.scene.ctx, {
      spaceId: seeded.spaceId,
      pillar: 'KNOWLEDGE',
      title: 'Après',
      body: 'Trop tard.',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    const empty = await createTestDatabase();
    const restored = memoryStore();
    const connection = connect({ url: empty.url, poolMax: 4 });
    try {
      await restore({ ownerUrl: empty.ownerUrl, store: restored, folder });
      expect(differences(before, await fingerprint({ ownerUrl: empty.ownerUrl, store: restored }))).toEqual(
        [],
      );
      expect(await bookFaults(connection)).toEqual([]);
      const after = {
        ...service,
        ...connection,
        connection,
        databaseUrl: empty.url,
        ownerUrl: empty.ownerUrl,
      };
      expect(await sampleAnswers(after, seeded, restored)).toEqual(answers);
      expect(await connection.db.memory.count({ where: { title: 'Après' } })).toBe(0);
      // Triggers are there again, and sequences go on above what was restored.
      await expect(connection.pool.query('update "LedgerLine" set "note" = null')).rejects.toThrow(
        /append-only|permission denied/,
      );
      const { memory } = await addMemory(
        { ...seeded.scene.ctx, db: connection.db, kysely: connection.kysely },
        {
          spaceId: seeded.spaceId,
          pillar: 'KNOWLEDGE',
          title: 'Ensuite',
          body: 'À nouveau.',
          parentId: null,
          source: 'MANUAL',
          idempotencyKey: null,
        },
      );
      expect(await connection.db.searchDocument.count({ where: { memoryId: memory.id } })).toBe(1);

      await expect(restore({ ownerUrl: empty.ownerUrl, store: memoryStore(), folder })).rejects.toThrow(
        RestoreRefused,
      );
    } finally {
      await connection.close();
      await empty.drop();
    }
  });

  test('is written over no other: cut half-way, it would leave the first one’s list beside tables of both', async () => {
    const before = await readFile(path.join(folder, 'tables/Memory.copy'));
    await expect(
      dump({ ownerUrl: service.ownerUrl, store: null, folder, now: () => new Date() }),
    ).rejects.toThrow('holds a dump already');
    expect(await readFile(path.join(folder, 'tables/Memory.copy'))).toEqual(before);
  });

  test('that lost rows of a table or a byte of a file is refused, and nothing of it is written', async () => {
    const cuts: [string, (whole: Buffer) => Buffer][] = [
      ['tables/Memory.copy', (whole) => whole.subarray(0, whole.length - 40)],
      // Between two rows: what is left is a table like another to PostgreSQL.
      ['tables/AuditEntry.copy', (whole) => whole.subarray(0, whole.lastIndexOf('\n', -2) + 1)],
      ['files/0', (whole) => whole.subarray(0, -1)],
    ];
    const empty = await createTestDatabase();
    try {
      const before = await fingerprint({ ownerUrl: empty.ownerUrl, store: null });
      for (const [place, cut] of cuts) {
        const file = path.join(folder, place);
        const whole = await readFile(file);
        expect(cut(whole).length, place).toBeLessThan(whole.length);
        await writeFile(file, cut(whole));
        const store = memoryStore();
        await expect(restore({ ownerUrl: empty.ownerUrl, store, folder }), place).rejects.toThrow(
          RestoreRefused,
        );
        await writeFile(file, whole);
        expect((await store.list({ prefix: '' })).files).toEqual([]);
      }
      expect(differences(before, await fingerprint({ ownerUrl: empty.ownerUrl, store: null }))).toEqual([]);
    } finally {
      await empty.drop();
    }
  });

  test('that a store takes in part, or the database refuses, leaves no file and no row of itself, and can be restored again', async () => {
    const empty = await createTestDatabase();
    try {
      const store = memoryStore();
      const again = () => restore({ ownerUrl: empty.ownerUrl, store, folder });
      const before = await fingerprint({ ownerUrl: empty.ownerUrl, store });
      const isUntouched = async () =>
        expect(differences(before, await fingerprint({ ownerUrl: empty.ownerUrl, store }))).toEqual([]);
      const { put } = store;
      let taken = 0;
      store.put = async (...args) => {
        if (taken === 2) throw new Error('503');
        taken += 1;
        return put.call(store, ...args);
      };
      await expect(again()).rejects.toThrow('503');
      expect(taken).toBe(2);
      await isUntouched();
      store.put = put;
      const file = path.join(folder, 'tables/Memory.copy');
      const whole = await readFile(file);
      await writeFile(file, Buffer.alloc(whole.length, 'x'));
      await expect(again()).rejects.toMatchObject({ code: '22P04' });
      await writeFile(file, whole);
      await isUntouched();
      const { files } = await again();
      expect(store.files.size).toBe(files.length);
    } finally {
      await empty.drop();
    }
  });
});

describe('a restore that was killed half-way', () => {
  /** A store that took two files, and out of which nothing was taken again. */
  async function killed(ownerUrl: string) {
    const store = memoryStore();
    const { put, delete: remove } = store;
    let taken = 0;
    store.put = async (...args) => {
      // The mark, two files, and half of the third.
      if (taken === 3) {
        await put.call(store, args[0], args[1].subarray(0, 1), args[2]);
        throw new Error('killed');
      }
      taken += 1;
      return put.call(store, ...args);
    };
    store.delete = () => Promise.reject(new Error('killed'));
    await expect(restore({ ownerUrl, store, folder })).rejects.toThrow('killed');
    Object.assign(store, { put, delete: remove });
    return store;
  }

  test('is gone on with by the next restore of its dump, and leaves nothing of itself', async () => {
    const empty = await createTestDatabase();
    try {
      const store = await killed(empty.ownerUrl);
      expect(store.files.size).toBe(4);
      const manifest = await restore({ ownerUrl: empty.ownerUrl, store, folder });
      expect([...store.files.keys()].sort()).toEqual(manifest.files.map(({ pathname }) => pathname).sort());
      for (const { pathname, bytes } of manifest.files) expect(store.files.get(pathname)?.bytes).toBe(bytes);
      // Its rows are there now: once more is refused, and takes no file out.
      await expect(restore({ ownerUrl: empty.ownerUrl, store, folder })).rejects.toThrow(RestoreRefused);
      expect(store.files.size).toBe(manifest.files.length);
    } finally {
      await empty.drop();
    }
  });

  test.each([
    ['beside a file that is not of the dump', 'generations/gen_x/image-1.png', 'is no file of this dump'],
    ['of another dump', 'atelier-restore.json', 'another dump'],
    ['without its mark, as in the store of a living service,', null, 'is not empty'],
  ] as const)('%s is refused, and every file stays as it is', async (_, place, why) => {
    const empty = await createTestDatabase();
    try {
      const store = await killed(empty.ownerUrl);
      if (place) await store.put(place, Buffer.from('x'.repeat(64)), { contentType: 'image/png' });
      else store.files.delete('atelier-restore.json');
      const before = [...store.files.entries()].map(([pathname, { etag }]) => [pathname, etag]);
      await expect(restore({ ownerUrl: empty.ownerUrl, store, folder })).rejects.toThrow(why);
      expect([...store.files.entries()].map(([pathname, { etag }]) => [pathname, etag])).toEqual(before);
    } finally {
      await empty.drop();
    }
  });

  test('is told from one that is under way, beside which no second one begins', async () => {
    const empty = await createTestDatabase();
    try {
      const store = memoryStore();
      const { put } = store;
      const begun = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      store.put = async (...args) => {
        begun.resolve();
        await goOn.promise;
        return put.call(store, ...args);
      };
      const again = () => restore({ ownerUrl: empty.ownerUrl, store, folder });
      const first = again();
      await Promise.race([begun.promise, first]);
      await expect(again()).rejects.toThrow('under way');
      goOn.resolve();
      const { files } = await first;
      expect(store.files.size).toBe(files.length);
    } finally {
      await empty.drop();
    }
  });
});

test('tables that refer to each other in a ring are named, not written in a wrong order', () => {
  const table = (name: string, ...refersTo: string[]) => ({ name, columns: [], refersTo });
  expect(inOrder([table('a', 'b'), table('b')]).map(({ name }) => name)).toEqual(['b', 'a']);
  expect(() => inOrder([table('a', 'b'), table('b', 'a')])).toThrow('a, b');
});
