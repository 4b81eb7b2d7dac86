import { ServiceError } from '#lib/core/errors.ts';
import { readCapped } from '#lib/core/net/read-capped.ts';
import { readBytes } from './read-body.ts';

const MB = 1024 ** 2;
/** Most bytes of large bodies that this process holds at once: three imports of 50 MB for an account, and four such accounts. */
const MAX_HELD = { accountBytes: 160 * MB, totalBytes: 640 * MB };

const held = new Map<string, number>();
let total = 0;

/**
 * Reads a body of up to `maxBytes` for `work`, counted among those that the process holds until `work` ends: bodies that never end, or that
 * wait for their turn, fill neither the memory nor another account's share. Errors: `payload_too_large`, `rate_limited` (nothing was done).
 */
export function withLargeBody<T>(
  request: Request,
  { accountId, maxBytes }: { accountId: string; maxBytes: number },
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  return withCounted(accountId, (count) => readBytes(request, maxBytes, count), work);
}

/** The same for a file that the store gives, whose bytes are as many as were let in. */
export function withLargeFile<T>(
  file: { stream: ReadableStream<Uint8Array> },
  { accountId, maxBytes }: { accountId: string; maxBytes: number },
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  return withCounted(accountId, (count) => readCapped(file.stream, maxBytes, { count }), work);
}

async function withCounted<T>(
  accountId: string,
  read: (count: (bytes: number) => void) => Promise<Uint8Array>,
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  let own = 0;
  const give = (bytes: number) => {
    own += bytes;
    total += bytes;
    held.set(accountId, (held.get(accountId) ?? 0) + bytes);
    if (held.get(accountId) === 0) held.delete(accountId);
  };
  const count = (bytes: number) => {
    if ((held.get(accountId) ?? 0) + bytes > MAX_HELD.accountBytes)
      throw tooMuch('Votre compte envoie déjà d’autres fichiers.');
    if (total + bytes > MAX_HELD.totalBytes) throw tooMuch('Le service reçoit déjà beaucoup de fichiers.');
    give(bytes);
  };
  try {
    return await work(await read(count));
  } finally {
    give(-own);
  }
}

function tooMuch(why: string): ServiceError {
  return new ServiceError('rate_limited', {
    retryAfterSeconds: 30,
    message: `${why} Rien n’a été fait\u00a0: attendez qu’ils soient reçus, puis recommencez.`,
  });
}
