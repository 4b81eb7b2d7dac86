import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { type FilesContext, requireStore } from '../context.ts';
import type { OpenedFile } from '../file-store.ts';
import { fileGone } from '../refusals.ts';
import { type ByteRange, byteRange, matchesEtag, quotedEtag, rangeStillHolds } from './byte-range.ts';
import { safeFileHeaders } from './file-headers.ts';

export type FileRequest = {
  pathname: string;
  range: string | null;
  ifRange: string | null;
  ifNoneMatch: string | null;
  /** To save rather than to show. */
  download: boolean;
  /** HEAD: the headers alone. */
  withoutBody: boolean;
  /** The reader went away. */
  signal?: AbortSignal;
};

export type FileAnswer = {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array> | null;
};

// The row that names the pathname decides its account; a file claimed by retention counts as gone.
const knownFile = prepared('storage.known_file', (db, p: Params<{ pathname: string; accountId: string }>) =>
  db
    .selectFrom('Asset')
    .select(['contentType', 'bytes', 'etag'])
    .where('pathname', '=', p.pathname)
    .where('accountId', '=', p.accountId)
    .where('deletedAt', 'is', null)
    .where('expiringAt', 'is', null)
    .where('imported', '=', sql.lit(false))
    .unionAll(
      db
        .selectFrom('Upload')
        .select(['contentType', 'bytes', 'etag'])
        .where('pathname', '=', p.pathname)
        .where('accountId', '=', p.accountId)
        .where('deletedAt', 'is', null)
        .where('expiringAt', 'is', null),
    )
    .unionAll(
      db
        .selectFrom('CaptureRush')
        .select(['contentType', 'bytes', sql<string | null>`null::text`.as('etag')])
        .where('pathname', '=', p.pathname)
        .where('accountId', '=', p.accountId)
        .where('clearedAt', 'is', null)
        .where('deletedAt', 'is', null),
    )
    .limit(sql.lit(1)),
);

/**
 * Opens a private file of the account as an HTTP answer: whole, one range, or nothing new. The bytes are streamed, never held.
 * Errors: `not_found` for a file that no row of the account names, `unavailable` when the store does not give it.
 */
export async function openFile(ctx: FilesContext<AccountActor>, request: FileRequest): Promise<FileAnswer> {
  const { pathname } = request;
  const file = await knownFile.first(ctx.kysely, { pathname, accountId: ctx.actor.accountId });
  if (!file) throw fileGone(pathname);
  const headers = safeFileHeaders({ pathname, contentType: file.contentType, download: request.download });
  const size = Number(file.bytes);
  if (file.etag !== null) {
    headers.ETag = quotedEtag(file.etag);
    if (matchesEtag(request.ifNoneMatch, file.etag)) return { status: 304, headers, body: null };
  }
  // A range is asked of GET alone (RFC 9110, 14.2).
  if (request.withoutBody)
    return { status: 200, headers: { ...headers, 'Content-Length': `${size}` }, body: null };
  const range = byteRange(request.range, size);
  if (range === 'unsatisfiable' && request.ifRange === null) return unsatisfiable(headers, size);
  return stream(ctx, { request, headers, range, size });
}

function unsatisfiable(headers: Record<string, string>, size: number): FileAnswer {
  return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, body: null };
}

type Opening = {
  request: FileRequest;
  headers: Record<string, string>;
  range: ByteRange;
  size: number;
};

async function stream(ctx: FilesContext, { request, headers, range, size }: Opening): Promise<FileAnswer> {
  const wanted = range === 'unsatisfiable' ? null : range;
  let opened = await opening(ctx, request, wanted);
  if (opened.etag !== '') headers.ETag = quotedEtag(opened.etag);
  if (opened.etag !== '' && matchesEtag(request.ifNoneMatch, opened.etag)) {
    await opened.stream.cancel();
    return { status: 304, headers, body: null };
  }
  // The stored bytes' own ETag decides, not the recorded one: a range of other bytes would corrupt the reader's copy.
  const holds = rangeStillHolds(request.ifRange, headers.ETag ?? null);
  if (range === 'unsatisfiable' && holds) {
    await opened.stream.cancel();
    return unsatisfiable(headers, size);
  }
  if (opened.range && !holds) {
    await opened.stream.cancel();
    opened = await opening(ctx, request, null);
    if (opened.etag !== '') headers.ETag = quotedEtag(opened.etag);
  }
  if (!wanted || !opened.range) {
    if (opened.bytes !== null) headers['Content-Length'] = `${opened.bytes}`;
    return { status: 200, headers, body: opened.stream };
  }
  headers['Content-Length'] = `${opened.bytes ?? wanted.end - wanted.start + 1}`;
  headers['Content-Range'] = `bytes ${wanted.start}-${wanted.end}/${size}`;
  return { status: 206, headers, body: opened.stream };
}

async function opening(
  ctx: FilesContext,
  { pathname, signal }: FileRequest,
  range: { start: number; end: number } | null,
): Promise<OpenedFile> {
  const opened = await requireStore(ctx)
    .open(pathname, { ...(range ? { range } : {}), ...(signal ? { signal } : {}) })
    .catch((cause: unknown) => {
      throw new ServiceError('unavailable', {
        message: sentences.storeSilent,
        retryAfterSeconds: 5,
        cause,
      });
    });
  if (!opened) throw fileGone(pathname);
  return opened;
}
