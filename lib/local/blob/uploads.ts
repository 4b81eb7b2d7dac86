import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { refusals } from './errors.ts';
import type { BlobIndex, BlobRow } from './index.ts';
import { commitBlob, receive, type WriteSettings } from './store.ts';

const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;

type Part = { number: number; object: string; size: number; etag: string };

/** Begins a multipart upload; what may be written was checked by the caller. */
export function createUpload(index: BlobIndex, pathname: string, settings: WriteSettings, nowMs: number) {
  const id = randomBytes(16).toString('hex');
  index.sql
    .prepare('insert into upload values (?, ?, ?, ?)')
    .run(id, pathname, JSON.stringify(settings), nowMs);
  return { uploadId: id, key: pathname };
}

function settingsOfUpload(index: BlobIndex, id: string, pathname: string): WriteSettings {
  const row = index.sql.prepare('select pathname, settings from upload where id = ?').get(id);
  if (!row || row.pathname !== pathname) throw refusals.notFound();
  return JSON.parse(String(row.settings)) as WriteSettings;
}

/** What the other parts of an upload have, in bytes. */
function bytesBeside(index: BlobIndex, id: string, number: number): number {
  const row = index.sql
    .prepare('select coalesce(sum(size), 0) as bytes from part where uploadId = ? and number <> ?')
    .get(id, number);
  return Number(row?.bytes ?? 0);
}

/** Receives one part; a part sent again replaces the first. All parts together are no larger than the file may be. */
export async function receivePart(
  index: BlobIndex,
  id: string,
  pathname: string,
  number: number,
  body: Readable,
) {
  const settings = settingsOfUpload(index, id, pathname);
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
    throw refusals.badRequest('Invalid part number');
  const most = settings.maximumSizeInBytes;
  const received = await receive(index, body, most, bytesBeside(index, id, number));
  const replaced = await index.changeNaming(received.object, () => {
    // Completed or given up while the bytes were coming.
    settingsOfUpload(index, id, pathname);
    // Others may have come meanwhile.
    if (most !== undefined && bytesBeside(index, id, number) + received.size > most)
      throw refusals.tooLarge(most);
    const before = index.sql
      .prepare('select object from part where uploadId = ? and number = ?')
      .get(id, number);
    index.sql
      .prepare('insert or replace into part values (?, ?, ?, ?, ?)')
      .run(id, number, received.object, received.size, received.etag);
    index.keep(received.object);
    if (before) index.loosen(String(before.object));
    return before && String(before.object);
  });
  if (replaced) await index.discard(replaced);
  return { etag: received.etag };
}

/** Joins the parts, in the order of their numbers, into one file. */
export async function completeUpload(
  index: BlobIndex,
  id: string,
  pathname: string,
  named: { partNumber: number; etag: string }[],
  nowMs: number,
): Promise<BlobRow> {
  const settings = settingsOfUpload(index, id, pathname);
  const stored = index.sql
    .prepare('select number, object, size, etag from part where uploadId = ? order by number')
    .all(id) as Part[];
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const parts = [...named]
    .sort((a, b) => a.partNumber - b.partNumber)
    .map(({ partNumber, etag }) => {
      const part = byNumber.get(partNumber);
      if (!part || part.etag !== etag)
        throw refusals.badRequest(`Part ${partNumber} was not uploaded with this etag`);
      return part;
    });
  if (parts.length === 0) throw refusals.badRequest('An upload needs at least one part');
  if (parts.slice(0, -1).some((part) => part.size < MIN_PART_BYTES))
    throw refusals.badRequest('Every part but the last must be at least 5 MB');
  const bytes = async function* () {
    for (const part of parts) yield* createReadStream(index.pathOf(part.object));
  };
  const received = await receive(
    index,
    Readable.from(bytes(), { objectMode: false }),
    settings.maximumSizeInBytes,
  );
  const row = await commitBlob(index, pathname, received, settings, nowMs);
  await index.deleteUpload(id);
  return row;
}
