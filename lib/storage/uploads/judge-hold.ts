import { ServiceError } from '#lib/core/errors.ts';
import { storage as sentences } from '#lib/messages/storage.ts';

export const STORAGE_LIMITS = {
  /** What an account stores in all, where no other quota was set. */
  quotaBytes: 20 * 1024 ** 3,
  /** Files that one member may be sending at once. */
  sendingPerMember: 10,
} as const;

export type StorageUse = {
  quotaBytes: bigint;
  /** Files of the journal and files that members sent, those of the bin included: their bytes are there. */
  storedBytes: bigint;
  /** Those of the bin alone. */
  binnedBytes: bigint;
  /** Held for files that are being sent. */
  heldBytes: bigint;
};

/**
 * Why room for one more file of so many bytes cannot be held; null when it can. `sending`: files that the member is sending, of which the
 * first ends at `nextFreeAt`. `rate_limited` at ten of them, `conflict` (`storage-full`) when the account's quota would be passed.
 */
export function judgeHold(
  use: StorageUse & { sending: number; nextFreeAt: Date | null },
  bytes: bigint,
  now: Date,
): ServiceError | null {
  if (use.sending >= STORAGE_LIMITS.sendingPerMember) return tooManyAtOnce(use.nextFreeAt, now);
  return use.storedBytes + use.heldBytes + bytes > use.quotaBytes ? storageFull(use) : null;
}

/** The refusal of what passes the account's quota: what is used of it, and what the bin would give back; or that there is none. */
export function storageFull(use: StorageUse): ServiceError {
  const megabytes = (bytes: bigint) => Math.ceil(Number(bytes) / 1024 ** 2).toLocaleString('fr-FR');
  return new ServiceError('conflict', {
    detail: 'storage-full',
    message: sentenceOf(use)
      .replace('{binned}', megabytes(use.binnedBytes))
      .replace('{used}', megabytes(use.storedBytes + use.heldBytes))
      .replace('{quota}', megabytes(use.quotaBytes)),
  });
}

function sentenceOf({ quotaBytes, binnedBytes }: StorageUse): string {
  if (quotaBytes === 0n) return sentences.storageNone;
  return binnedBytes > 0n ? sentences.storageFullBinned : sentences.storageFull;
}

function tooManyAtOnce(nextFreeAt: Date | null, now: Date): ServiceError {
  const seconds = nextFreeAt ? Math.max(1, Math.ceil((nextFreeAt.getTime() - now.getTime()) / 1000)) : 60;
  return new ServiceError('rate_limited', {
    retryAfterSeconds: seconds,
    message: sentences.tooManySending.replace('{count}', String(STORAGE_LIMITS.sendingPerMember)),
  });
}
