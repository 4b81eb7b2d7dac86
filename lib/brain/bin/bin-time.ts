/** How long what was deleted can be brought back; then it is erased. */
export const BIN_DAYS = 30;

/** What was deleted before this is erased by the next night. */
export function erasedBefore(now: Date): Date {
  return new Date(now.getTime() - BIN_DAYS * 86_400_000);
}
