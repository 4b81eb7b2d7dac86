import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { type FilesContext, requireStore } from '../context.ts';
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

type KnownFile = { contentType: string; bytes: bigint; etag: string | null };

// What names the path decides whose it is; a file that retention is deleting is gone already.
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
  const range = wantedRange(request, file, size);
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, body: null };
  if (request.withoutBody)
    return { status: 200, headers: { ...headers, 'Content-Length': `${size}` }, body: null };
  return stream(ctx, { request, headers, range, size });
}

function wantedRange(request: FileRequest, file: KnownFile, size: number): ByteRange {
  // A range is asked of GET alone (RFC 9110, 14.2).
  if (request.withoutBody) return null;
  // Without a recorded ETag nothing says that two ranges would be of one version.
  if (request.ifRange !== null && (file.etag === null || !rangeStillHolds(request.ifRange, file.etag)))
    return null;
  return byteRange(request.range, size);
}

type Opening = {
  request: FileRequest;
  headers: Record<string, string>;
  range: { start: number; end: number } | null;
  size: number;
};

async function stream(ctx: FilesContext, opening: Opening): Promise<FileAnswer> {
  const { request, headers, range, size } = opening;
  const opened = await requireStore(ctx)
    .open(request.pathname, {
      ...(range ? { range } : {}),
      ...(request.signal ? { signal: request.signal } : {}),
    })
    .catch((cause: unknown) => {
      throw new ServiceError('unavailable', {
        message: sentences.storeSilent,
        retryAfterSeconds: 5,
        cause,
      });
    });
  if (!opened) throw fileGone(request.pathname);
  if (opened.etag !== '') headers.ETag = quotedEtag(opened.etag);
  if (!range || !opened.range) {
    if (opened.bytes !== null) headers['Content-Length'] = `${opened.bytes}`;
    return { status: 200, headers, body: opened.stream };
  }
  headers['Content-Length'] = `${opened.bytes ?? range.end - range.start + 1}`;
  headers['Content-Range'] = `bytes ${range.start}-${range.end}/${size}`;
  return { status: 206, headers, body: opened.stream };
}
