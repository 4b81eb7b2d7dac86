/** How long what was deleted can be brought back; then it is erased. */
export const BIN_DAYS = 30;
const BIN_MS = BIN_DAYS * 86_400_000;

/** What was deleted before this instant is due: the next nightly run erases it. */
export function erasedBefore(now: Date): Date {
  return new Date(now.getTime() - BIN_MS);
}

/** The instant from which a nightly run erases what was deleted at `deletedAt`. */
export function binEnd(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + BIN_MS);
}

/** Deletions of each kind on one page of the bin. */
export const BIN_PAGE = 100;
