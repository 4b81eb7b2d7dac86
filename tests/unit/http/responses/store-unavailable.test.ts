import * as blob from '@vercel/blob';
import { expect, test, vi } from 'vitest';
import { createLogger } from '#lib/core/log.ts';
import { toServiceError } from '#lib/http/responses/respond.ts';
import { inTime } from '#lib/storage/store-fault.ts';

const log = createLogger({ write: () => {}, now: () => new Date(0) });
const told = async (call: Promise<unknown>) => {
  const { code, status, options } = toServiceError(await call.catch((error: unknown) => error), log, 'req_1');
  return { code, status, retryAfterSeconds: options.retryAfterSeconds };
};
const AWAY = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };
const OURS = { code: 'internal_error', status: 500, retryAfterSeconds: undefined };

/** As Amazon's client throws what a bucket answers. */
const ofBucket = (name: string, httpStatusCode: number) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
const failing = (error: Error) => inTime('put', () => Promise.reject(error));

test.each<[string, Error]>([
  ['a Blob store that is not available', new blob.BlobServiceNotAvailable()],
  ['a Blob store that has too many requests', new blob.BlobServiceRateLimited(3)],
  ['a Blob store that failed', new blob.BlobUnknownError()],
  ['a bucket that asks for less', ofBucket('SlowDown', 503)],
  ['a bucket that failed', ofBucket('InternalError', 500)],
])('%s is told as away, and when to come back', async (_, error) => {
  expect(await told(failing(error))).toEqual(AWAY);
});

test('so is one that does not answer in its time, whatever its client throws then', async () => {
  vi.useFakeTimers();
  try {
    const aborts = [
      () => new blob.BlobRequestAbortedError(),
      () => Object.assign(new Error('Request aborted'), { name: 'AbortError' }),
      () => new DOMException('This operation was aborted', 'AbortError'),
    ];
    for (const abort of aborts) {
      const hanging = told(
        inTime(
          'read',
          (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(abort()))),
        ),
      );
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await hanging).toEqual(AWAY);
    }
  } finally {
    vi.useRealTimers();
  }
});

test.each<[string, Error]>([
  ['a token that the store refuses', new blob.BlobAccessError()],
  ['a store that was suspended', new blob.BlobStoreSuspendedError()],
  ['a bucket that denies', ofBucket('AccessDenied', 403)],
  ['a fault of ours', new TypeError('not a function')],
])('%s is no absence: asking again changes nothing', async (_, error) => {
  expect(await told(failing(error))).toEqual(OURS);
});
