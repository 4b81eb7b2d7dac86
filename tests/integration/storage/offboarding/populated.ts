import { fromBuffer, type ZipFile } from 'yauzl';
import { manualClock } from '#lib/core/clock.ts';
import { exportFolder, openExport } from '#lib/storage/offboarding/exports.ts';
import { testContext } from '#tests/factories/context.ts';
import { DAY_MS } from '#tests/factories/files/files.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { populatedAccount } from '#tests/factories/populated-account.ts';
import type { TestService } from '#tests/setup/service.ts';

/** A populated account with every file that its rows name in a store. */
export async function populated(service: TestService, marker: string, store = memoryStore()) {
  const account = await populatedAccount(service, { marker });
  for (const pathname of account.pathnames)
    await store.put(pathname, Buffer.from(`octets ${marker}`), { contentType: 'image/png' });
  const ports = { store, storeToken: null, storeApiUrl: null };
  const at = (days = 0) => ({ now: () => new Date(Date.now() + days * DAY_MS) });
  const ctx = (days = 0) => ({ ...testContext(service, account.actor, { clock: at(days) }), files: ports });
  // Its clock stands: each account has its share of a night's seconds, which a machine that is held would use up.
  const night = (days = 0) => ({
    ...testContext(service, { type: 'system', job: 'retention' } as const, {
      clock: manualClock(new Date(Date.now() + days * DAY_MS)),
    }),
    files: ports,
  });
  return { ...account, marker, store, ctx, night };
}

export type Populated = Awaited<ReturnType<typeof populated>>;

/** The pathname and the bytes of each part of the account's exports that lies in the store. */
export function exportParts({ store, accountId }: Populated): string[][] {
  return [...store.files]
    .filter(([pathname]) => pathname.startsWith(exportFolder(accountId)))
    .map(([pathname, { content }]) => [pathname, Buffer.from(content).toString('base64')]);
}

/** A night so many days from now whose store takes ten seconds to list a page, and goes on listing what it says that it deleted. */
export function nightOfStubbornStore(one: Populated, days: number) {
  const { list, delete: remove } = one.store;
  const clock = manualClock(new Date(Date.now() + days * DAY_MS));
  let pages = 0;
  one.store.list = (asked) => {
    pages += 1;
    if (pages > 100) throw new Error('the night does not end');
    clock.advance(10_000);
    return list(asked);
  };
  one.store.delete = async () => 'deleted';
  return { ctx: { ...one.night(), clock }, heal: () => Object.assign(one.store, { list, delete: remove }) };
}

/** The bytes of an export, as a founder downloads them whole. */
export async function zipOf(one: Populated, exportId: string): Promise<Buffer> {
  const { body } = await openExport(one.ctx(), { exportId, range: null });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What a zip holds, by the names of its entries. */
export async function entriesOf(zip: Buffer): Promise<Map<string, Buffer>> {
  const file = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true }, (error, opened) =>
      error ? reject(error) : resolve(opened as ZipFile),
    ),
  );
  const entries = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    file.on('error', reject);
    file.on('end', resolve);
    file.on('entry', (entry) => {
      file.openReadStream(entry, (error, stream) => {
        if (error || !stream) return reject(error);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', reject);
        stream.on('end', () => {
          entries.set(entry.fileName, Buffer.concat(chunks));
          file.readEntry();
        });
      });
    });
    file.readEntry();
  });
  return entries;
}
