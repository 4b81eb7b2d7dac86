import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl';
import { endOfZip, writeStream, writeText, type ZipSink } from '#lib/core/zip/zip.ts';

const AT = new Date('2026-11-22T10:00:00Z');
const FOUR_GB = 2 ** 32;

/** A zip of any length that only holds what was written: the gaps are files whose bytes are not read here. */
class SparseZip extends RandomAccessReader implements ZipSink {
  bytes = 0;
  readonly pieces: { at: number; chunk: Uint8Array }[] = [];

  async write(chunk: Uint8Array): Promise<void> {
    this.pieces.push({ at: this.bytes, chunk });
    this.bytes += chunk.byteLength;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const asked = Buffer.alloc(end - start);
    for (const { at, chunk } of this.pieces)
      if (at < end && at + chunk.byteLength > start) {
        const from = Math.max(start - at, 0);
        asked.set(chunk.subarray(from, end - at), Math.max(at - start, 0));
      }
    return Readable.from([asked]);
  }

  async end(records: Buffer[]): Promise<void> {
    const offset = this.bytes;
    const directory = Buffer.concat(records);
    await this.write(directory);
    await this.write(endOfZip({ entries: records.length, bytes: directory.length, offset }));
  }

  open(): Promise<ZipFile> {
    return new Promise((resolve, reject) =>
      fromRandomAccessReader(this, this.bytes, { lazyEntries: true, autoClose: false }, (error, zip) =>
        error ? reject(error) : resolve(zip as ZipFile),
      ),
    );
  }
}

const nextEntry = (zip: ZipFile) =>
  new Promise<Entry>((resolve, reject) => {
    zip.once('entry', resolve);
    zip.once('error', reject);
    zip.readEntry();
  });

const textOf = (zip: ZipFile, entry: Entry) =>
  new Promise<string>((resolve, reject) =>
    zip.openReadStream(entry, async (error, stream) => {
      if (error) return reject(error);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      resolve(Buffer.concat(chunks).toString());
    }),
  );

it('an export of more than 4 GB is read whole: what begins beyond them, its directory and its end', async () => {
  const made = new SparseZip();
  const records = [await writeText(made, 'compte.json', '{"avant":true}', AT)];
  made.bytes += FOUR_GB + 123;
  records.push(await writeText(made, 'audit.jsonl', '{"après":true}', AT));
  records.push(await writeStream(made, 'fichiers/é.bin', Readable.from([Buffer.from('octets')]), AT));
  await made.end(records);
  const zip = await made.open();
  expect([zip.entryCount, zip.fileSize > FOUR_GB]).toEqual([3, true]);
  const read: [string, string][] = [];
  for (let left = 3; left > 0; left -= 1) {
    const entry = await nextEntry(zip);
    read.push([entry.fileName, await textOf(zip, entry)]);
  }
  expect(read).toEqual([
    ['compte.json', '{"avant":true}'],
    ['audit.jsonl', '{"après":true}'],
    ['fichiers/é.bin', 'octets'],
  ]);
});

it('an export of more than 65,535 entries says how many, and gives the first and the last of them', async () => {
  const made = new SparseZip();
  const records: Buffer[] = [];
  const record = await writeStream(made, 'fichiers/00001', Readable.from([]), AT);
  for (let n = 1; n < 65_535; n += 1) records.push(record);
  records.push(await writeText(made, 'dernier.json', '{}', AT));
  for (const [more, entries] of [
    [0, 65_535],
    [1, 65_536],
  ] as const) {
    const copy = new SparseZip();
    copy.pieces.push(...made.pieces);
    copy.bytes = made.bytes;
    await copy.end([...Array.from({ length: more }, () => record), ...records]);
    const zip = await copy.open();
    expect(zip.entryCount).toBe(entries);
    expect((await nextEntry(zip)).fileName).toBe('fichiers/00001');
    // Continues at the last record: those before it repeat the same one.
    const cursor = zip as unknown as { readEntryCursor: number };
    cursor.readEntryCursor += (entries - 2) * record.length;
    const last = await nextEntry(zip);
    expect([last.fileName, await textOf(zip, last)]).toEqual(['dernier.json', '{}']);
  }
});
