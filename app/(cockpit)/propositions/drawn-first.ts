/** In characters, of the proposed and the current texts together. */
const MOST_DRAWN = 100_000;

type Long = { id: string; body: string; current: { body: string } | null };

/**
 * The proposals whose text is shown when the page opens, so that comparing long texts does not delay it: the first one, the requested one, and
 * each other that fits in `MOST_DRAWN` with those before it.
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
