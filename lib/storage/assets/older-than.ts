/** How many of its rows a list gives when it is not asked for a number. */
export const LISTED = 200;

/** Which part of a list, newest first: what is older than one of its rows, and how many at once, 200 unless asked otherwise. */
export type ListPart = { before?: string | undefined; limit?: number };

/**
 * For `where`: what comes after this row in a list, newest first; everything without a row. The time alone comes first: an index
 * begins there, and none can by the `OR`.
 */
export function olderThan(row: { id: string; createdAt: Date } | null) {
  if (!row) return {};
  const { id, createdAt } = row;
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] };
}
