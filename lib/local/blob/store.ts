import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isTypeAllowed, typeOfPathname } from './content-types.ts';
import { refusals } from './errors.ts';
import type { Access, BlobIndex, BlobRow } from './index.ts';

/** How a file is to be written: from the request's headers, or from what a client token or presigned address grants. */
export type WriteSettings = {
  access: Access;
  addRandomSuffix: boolean;
  allowOverwrite: boolean;
  contentType?: string | undefined;
  cacheSeconds: number;
  ifMatch?: string | undefined;
  maximumSizeInBytes?: number | undefined;
  allowedContentTypes?: string[] | undefined;
};

type ListPage = { blobs: BlobRow[]; folders: string[]; cursor?: string; hasMore: boolean };

const MAX_PATHNAME = 950;

/** Refuses a pathname that the real store refuses, and those that no address could name. */
function checkPathname(pathname: string): void {
  const bad =
    pathname === '' ||
    pathname.length > MAX_PATHNAME ||
    pathname.startsWith('/') ||
    pathname.includes('//') ||
    [...pathname].some((char) => char < ' ' || char === '\u007f') ||
    pathname.split('/').some((segment) => segment === '.' || segment === '..');
  if (bad) throw refusals.badRequest(`Invalid pathname: ${JSON.stringify(pathname.slice(0, 100))}`);
}

/**
 * Streams the body to a new object, which is on the disk when this returns. Past the maximum, of which `already` bytes are taken, the rest
 * is read and thrown away, so that the sender hears the answer.
 */
export async function receive(
  index: BlobIndex,
  body: Readable,
  maximum = Number.POSITIVE_INFINITY,
  already = 0,
) {
  const object = index.newObject();
  const hash = createHash('sha256');
  let size = 0;
  try {
    const file = await open(index.pathOf(object), 'wx', 0o600);
    try {
      for await (const chunk of body) {
        size += (chunk as Buffer).length;
        if (already + size > maximum) continue;
        hash.update(chunk as Buffer);
        // `write` may write only a part, and reports it in its result: on a full disk the rest would be lost without an error.
        await file.appendFile(chunk as Buffer);
      }
      if (already + size > maximum) throw refusals.tooLarge(maximum);
      await file.datasync();
    } finally {
      await file.close();
    }
    await index.settle(object);
    return { object, size, etag: `"${hash.digest('hex').slice(0, 32)}"` };
  } catch (error) {
    await index.discard(object);
    throw error;
  }
}

/** Checks what can be checked before the body is read: cheaper for everyone, and checked again when it is written. */
export function checkWrite(index: BlobIndex, pathname: string, settings: WriteSettings): void {
  checkPathname(pathname);
  const type = settings.contentType ?? typeOfPathname(pathname);
  if (settings.allowedContentTypes && !isTypeAllowed(type, settings.allowedContentTypes))
    throw refusals.contentTypeNotAllowed(type);
  if (!settings.addRandomSuffix) checkPrevious(index.find(pathname), settings);
}

function checkPrevious(previous: BlobRow | undefined, settings: WriteSettings): void {
  if (settings.ifMatch !== undefined && !sameEtag(settings.ifMatch, previous?.etag))
    throw refusals.preconditionFailed();
  if (previous && !settings.allowOverwrite && settings.ifMatch === undefined) throw refusals.exists();
}

/** Whether two ETags name the same bytes; quotes and the mark of a weak one do not count. */
export function sameEtag(wanted: string, found: string | undefined): boolean {
  const bare = (etag: string) => etag.replace(/^W\//, '').replaceAll('"', '');
  return found !== undefined && bare(wanted) === bare(found);
}

/** Makes a received object visible under its pathname, at once and whole. */
export async function commitBlob(
  index: BlobIndex,
  pathname: string,
  received: { object: string; size: number; etag: string },
  settings: WriteSettings,
  nowMs: number,
): Promise<BlobRow> {
  const row: BlobRow = {
    pathname: settings.addRandomSuffix ? withSuffix(pathname) : pathname,
    access: settings.access,
    ...received,
    contentType: settings.contentType ?? typeOfPathname(pathname),
    cacheSeconds: settings.cacheSeconds,
    uploadedAtMs: nowMs,
  };
  const replaced = await index.changeNaming(row.object, () => {
    checkPrevious(index.find(row.pathname), settings);
    return index.write(row);
  });
  if (replaced !== undefined) await index.discard(replaced);
  return row;
}

function withSuffix(pathname: string): string {
  const suffix = randomBytes(15).toString('hex');
  const dot = pathname.lastIndexOf('.');
  return dot > pathname.lastIndexOf('/') + 1
    ? `${pathname.slice(0, dot)}-${suffix}${pathname.slice(dot)}`
    : `${pathname}-${suffix}`;
}

/** Copies, or moves when `move` is set, a stored file to another pathname. */
export async function copyBlob(
  index: BlobIndex,
  from: string,
  to: string,
  settings: WriteSettings,
  options: { move: boolean; nowMs: number },
): Promise<BlobRow> {
  checkPathname(to);
  const source = index.find(from);
  if (!source) throw refusals.notFound();
  if (!settings.addRandomSuffix) checkPrevious(index.find(to), settings);
  const received = await receive(index, createReadStream(index.pathOf(source.object)));
  const kept = { ...settings, contentType: settings.contentType ?? source.contentType };
  const row = await commitBlob(index, to, { ...received, etag: source.etag }, kept, options.nowMs);
  if (options.move && row.pathname !== from) await deleteBlobs(index, [from], undefined);
  return row;
}

/** Deletes files; one that does not exist is no error, unless an ETag was asked for. */
export async function deleteBlobs(
  index: BlobIndex,
  pathnames: string[],
  ifMatch: string | undefined,
): Promise<void> {
  const objects = index.change(() => {
    const removed: string[] = [];
    for (const pathname of pathnames) {
      const row = index.find(pathname);
      if (ifMatch !== undefined && !sameEtag(ifMatch, row?.etag))
        throw row ? refusals.preconditionFailed() : refusals.notFound();
      if (!row) continue;
      index.remove(row);
      removed.push(row.object);
    }
    return removed;
  });
  await index.discard(...objects);
}

/** One page of the store in byte order of pathnames. Folded: what lies deeper than the prefix is told as folders. */
export function listBlobs(
  index: BlobIndex,
  query: { prefix: string; limit: number; cursor: string | undefined; folded: boolean },
): ListPage {
  const { prefix, limit, folded } = query;
  const page: ListPage = { blobs: [], folders: [], hasMore: false };
  const isFolder = (item: string) => folded && item.length > prefix.length && item.endsWith('/');
  // After a folder comes what sorts after everything inside it: « 0 » is the character that follows « / ».
  const after = (item: string) =>
    isFolder(item) ? { at: `${item.slice(0, -1)}0`, inclusive: true } : { at: item, inclusive: false };
  let last = query.cursor === undefined ? undefined : Buffer.from(query.cursor, 'base64url').toString();
  let position = last === undefined ? { at: prefix, inclusive: true } : after(last);
  for (;;) {
    const rows = index.following(position.at, position.inclusive, folded ? 64 : limit + 1);
    if (rows.length === 0) return page;
    for (const row of rows) {
      if (!row.pathname.startsWith(prefix)) return page;
      if (page.blobs.length + page.folders.length >= limit)
        return { ...page, hasMore: true, cursor: Buffer.from(last ?? '').toString('base64url') };
      const cut = folded ? row.pathname.indexOf('/', prefix.length) : -1;
      last = cut >= 0 ? row.pathname.slice(0, cut + 1) : row.pathname;
      position = after(last);
      if (cut < 0) page.blobs.push(row);
      else {
        page.folders.push(last);
        break;
      }
    }
  }
}
