import { ServiceError } from '#lib/core/errors.ts';
import { readCapped, TooManyBytes } from '#lib/core/net/read-capped.ts';
import { repeatedKey } from '#lib/core/text/repeated-key.ts';
import { utf8Text } from '#lib/core/text/utf8.ts';

/**
 * Reads a request body, counting bytes on the stream whatever Content-Length says; `count` hears of each piece before it is kept.
 * Errors: `payload_too_large` past `maxBytes`, `invalid_request` when its sender leaves before its end: no fault of ours.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  count?: (bytes: number) => void,
): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length'));
  const tooLarge = () =>
    new ServiceError('payload_too_large', { params: { limit: maxBytes.toLocaleString('fr-FR') } });
  if (Number.isFinite(declared) && declared > maxBytes) {
    await request.body?.cancel().catch(() => {});
    throw tooLarge();
  }
  return readCapped(request.body, maxBytes, { count }).catch((error: unknown) => {
    if (error instanceof TooManyBytes) throw tooLarge();
    if (isSenderGone(error))
      throw new ServiceError('invalid_request', {
        message: 'Le corps s’est arrêté avant sa fin.',
        cause: error,
      });
    throw error;
  });
}

/**
 * The bytes of a body whose text is to be read. Errors: those of `readBytes`, and `unsupported_media_type` for one that is announced as compressed:
 * none is unpacked here, and the answer says so (RFC 9110, 15.5.16).
 */
export async function readPlainBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const coding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new ServiceError('unsupported_media_type', {
      message: 'Le corps doit être envoyé sans compression (Content-Encoding).',
      headers: { 'Accept-Encoding': 'identity' },
    });
  return readBytes(request, maxBytes);
}

/** The media type that a request announces, without its parameters: `application/json`; empty when it announces none. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The media types of a header that was set more than once, which programs join with commas: most have one. */
export function mediaTypesOf(request: Request): string[] {
  const values = (request.headers.get('content-type') ?? '').split(',');
  return values.map((value) => value.split(';')[0]?.trim().toLowerCase() ?? '');
}

/** Node reports a body cut off by its sender with the same code as a lost database connection: only here is the origin known. */
function isSenderGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'AbortError' || ('code' in error && error.code === 'ECONNRESET'))
  );
}

/**
 * Reads a body of JSON, of any form. Errors: `unsupported_media_type` when it is not announced as JSON, or announced as compressed,
 * `payload_too_large`, `invalid_request` (or `code`) for malformed UTF-8 or JSON, and naming a field that one object gives twice.
 */
export async function readJson(
  request: Request,
  maxBytes: number,
  code: 'invalid_request' | 'invalid' = 'invalid_request',
): Promise<unknown> {
  if (mediaTypeOf(request) !== 'application/json')
    throw new ServiceError('unsupported_media_type', { params: { expected: 'application/json' } });
  const bytes = await readPlainBytes(request, maxBytes);
  let text: string;
  let value: unknown;
  try {
    text = utf8Text(bytes);
    value = JSON.parse(text);
  } catch {
    throw new ServiceError(code, { message: 'Le corps n’est pas du JSON valide en UTF-8.' });
  }
  const repeated = repeatedKey(text);
  if (repeated === null) return value;
  const field = repeated.replaceAll('\u0000', '\ufffd').slice(0, 100).toWellFormed();
  const message = 'Ce champ est donné deux fois.';
  throw new ServiceError(code, {
    message: `${field}\u00a0: ${message}`,
    problems: [{ field, message }],
  });
}
