import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { BlobRefusal } from './errors.ts';
import type { BlobIndex, BlobRow } from './index.ts';
import { sameEtag } from './store.ts';

/** What the store says of a file beside its bytes, the same in the API and in the headers. */
export function describe(row: BlobRow) {
  const name = encodeURIComponent(row.pathname.split('/').at(-1) ?? '').replaceAll("'", '%27');
  const ascii = /^[\w.!~*() -]+$/.test(decodeURIComponent(name))
    ? `; filename="${decodeURIComponent(name)}"`
    : `; filename*=UTF-8''${name}`;
  return {
    contentDisposition: `${row.contentType === 'text/html' || row.contentType === 'image/svg+xml' ? 'attachment' : 'inline'}${ascii}`,
    attachment: `attachment${ascii}`,
    cacheControl: `${row.access}, max-age=${row.cacheSeconds}`,
  };
}

/** Sends a file's bytes: whole, a range of them, or 304 when the reader has them already. */
export async function serveBlob(
  index: BlobIndex,
  row: BlobRow,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
) {
  const { contentDisposition, attachment, cacheControl } = describe(row);
  const headers: Record<string, string | number> = {
    'content-type': row.contentType,
    'content-disposition': query.get('download') === '1' ? attachment : contentDisposition,
    'cache-control': cacheControl,
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'last-modified': new Date(row.uploadedAtMs).toUTCString(),
    etag: row.etag,
  };
  const known = request.headers['if-none-match'];
  if (known && (known.trim() === '*' || known.split(',').some((etag) => sameEtag(etag.trim(), row.etag)))) {
    response.writeHead(304, headers).end();
    return;
  }
  const range = rangeOf(request, row);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${row.size}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: row.size - 1 };
  if (range) headers['content-range'] = `bytes ${start}-${end}/${row.size}`;
  headers['content-length'] = end - start + 1;
  if (request.method === 'HEAD' || row.size === 0) {
    response.writeHead(range ? 206 : 200, headers).end();
    return;
  }
  const bytes = createReadStream(index.pathOf(row.object), { start, end });
  // Headers only once the file is open: replaced a moment ago, it may be gone.
  await new Promise<void>((resolve, reject) => {
    bytes.once('open', () => resolve());
    bytes.once('error', () => reject(new BlobRefusal(404, 'not_found', 'The requested blob does not exist')));
  });
  response.writeHead(range ? 206 : 200, headers);
  await pipeline(bytes, response).catch(() => response.destroy());
}

/** One range of bytes, as RFC 9110 reads it. Anything unusual is answered with the whole file. */
function rangeOf(
  request: IncomingMessage,
  row: BlobRow,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const match = request.headers.range?.match(/^bytes=(\d*)-(\d*)$/);
  const condition = request.headers['if-range']?.toString();
  if (!match || (match[1] === '' && match[2] === '') || (condition && !sameEtag(condition, row.etag)))
    return undefined;
  const start = match[1] === '' ? Math.max(0, row.size - Number(match[2])) : Number(match[1]);
  const end = match[1] === '' || match[2] === '' ? row.size - 1 : Math.min(Number(match[2]), row.size - 1);
  if (start >= row.size || (match[1] === '' && Number(match[2]) === 0)) return 'unsatisfiable';
  return end < start ? undefined : { start, end };
}
