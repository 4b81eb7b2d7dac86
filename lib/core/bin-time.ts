/** How long what was deleted can be brought back; then it is erased. */
export const BIN_DAYS = 30;
const BIN_MS = BIN_DAYS * 86_400_000;

/** What was deleted before this is erased by the next night. */
export function erasedBefore(now: Date): Date {
  return new Date(now.getTime() - BIN_MS);
}

/** From when on a night erases what was deleted then. */
export function binEnd(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + BIN_MS);
}
