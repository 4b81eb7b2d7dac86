import * as blob from '@vercel/blob';
import { STORE_CALL } from '#lib/core/faults.ts';

// The client reports the store's refusals by error class only.
const REFUSALS = [
  ['BlobAccessError', 403],
  ['BlobClientTokenExpiredError', 403],
  ['BlobStoreSuspendedError', 403],
  ['BlobStoreNotFoundError', 404],
  ['BlobNotFoundError', 404],
  ['BlobPathnameMismatchError', 400],
  ['BlobContentTypeNotAllowedError', 415],
  ['BlobFileTooLargeError', 413],
  ['BlobPreconditionFailedError', 412],
  ['BlobServiceRateLimited', 429],
  ['BlobServiceNotAvailable', 503],
  ['BlobUnknownError', 500],
] as const satisfies [keyof typeof blob, number][];

/** A call that was ended here because its time was over is told as a gateway tells it. */
const LATE = 504;

/** The error itself, with what a log tells of it (`faultFields`): which call, the class of refusal and its HTTP status. */
function withStoreCall(error: unknown, call: string, isLate: boolean): unknown {
  if (!(error instanceof Error)) return error;
  const refusal = REFUSALS.find(([name]) => error instanceof blob[name]);
  const told = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const status = told ?? (isLate ? LATE : undefined);
  return Object.assign(error, {
    statement: `${STORE_CALL}${call}`,
    ...(status === undefined ? {} : { status }),
    ...(refusal ? { name: refusal[0], status: refusal[1] } : {}),
  });
}

/** How long one call to the store may take. */
const TIMEOUT_MS = 60_000;
/** How long a file that was opened may send nothing to who waits for its next bytes. */
export const SILENCE_MS = 30_000;

/** In place of SILENCE_MS: a test does not wait that long. */
export type StoreLimits = { silenceMs?: number };

/**
 * Runs a call with a timeout of TIMEOUT_MS, restarted whenever it calls `goesOn`. The timer is cleared with the call: a nightly run makes tens
 * of thousands.
 */
export async function inTime<T>(
  call: string,
  work: (abortSignal: AbortSignal, goesOn: () => void) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
  try {
    return await work(late.signal, () => timer.refresh());
  } catch (error) {
    throw withStoreCall(error, call, late.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
}
