/** The one range of a request, both ends included; `unsatisfiable` past the end; null: the whole file. */
export type ByteRange = { start: number; end: number } | 'unsatisfiable' | null;

/**
 * Reads a `Range` header against a file's size (RFC 9110, 14.2). Several ranges, another unit or nonsense are ignored, as the
 * RFC allows: the whole file is always a right answer.
 */
export function byteRange(header: string | null, size: number): ByteRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (!match || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Number(last);
    if (length === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

const bare = (etag: string) => etag.trim().replace(/^W\//, '').replaceAll('"', '');

/** Whether `If-None-Match` names this version (weak comparison). */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.trim() === '*' || header.split(',').some((one) => bare(one) === bare(etag));
}

/**
 * Whether a range may be answered: no `If-Range`, or one that names this very version (strong comparison; RFC 9110, 13.1.5). A date names none
 * of ours, and nothing names a version without an ETag.
 */
export function rangeStillHolds(ifRange: string | null, etag: string | null): boolean {
  if (ifRange === null) return true;
  return etag !== null && /^"[^"]+"$/.test(ifRange.trim()) && bare(ifRange) === bare(etag);
}

/** An ETag as a header says it. */
export function quotedEtag(etag: string): string {
  return `"${bare(etag)}"`;
}
