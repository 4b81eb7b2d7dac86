import * as blob from '@vercel/blob';

// The client says the store's refusals by class alone.
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

/** The error itself, with what a log tells of it (`faultFields`): which call, the class of refusal and its HTTP status. */
export function withStoreCall(error: unknown, call: string): unknown {
  if (!(error instanceof Error)) return error;
  const refusal = REFUSALS.find(([name]) => error instanceof blob[name]);
  return Object.assign(error, {
    statement: `store.${call}`,
    ...(refusal ? { name: refusal[0], status: refusal[1] } : {}),
  });
}
