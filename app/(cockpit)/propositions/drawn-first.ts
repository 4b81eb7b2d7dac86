/** Characters of proposed and present texts that the page compares at once; one proposal is drawn however long it is. */
const MOST_DRAWN = 100_000;

type Long = { id: string; body: string; current: { body: string } | null };

/**
 * The proposals whose text is drawn with the page: from the first on, as many as stay within what it draws at once, and the one that is asked
 * for. The others are drawn by a press.
 */
export function drawnFirst(proposals: readonly Long[], asked: string | undefined): ReadonlySet<string> {
  const drawn = new Set<string>();
  let total = 0;
  for (const { id, body, current } of proposals) {
    const length = body.length + (current?.body.length ?? 0);
    if (id !== asked && drawn.size > 0 && total + length > MOST_DRAWN) continue;
    drawn.add(id);
    total += length;
  }
  return drawn;
}
