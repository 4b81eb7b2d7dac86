/** A request that left and whose answer has not come: under the same key, it is never done twice. */
export type Unanswered = { key: string; body: string; at: string };

const NAME = 'atelier.envois.';
/** Past that, one means a new request. */
const KEPT_MS = 86_400_000;

function read(memberId: string): Unanswered[] {
  try {
    const list = JSON.parse(localStorage.getItem(NAME + memberId) ?? '[]') as Unanswered[];
    return list.filter((one) => Date.now() - Date.parse(one.at) < KEPT_MS);
  } catch {
    return [];
  }
}

function write(memberId: string, list: Unanswered[]): void {
  try {
    if (list.length > 0) localStorage.setItem(NAME + memberId, JSON.stringify(list));
    else localStorage.removeItem(NAME + memberId);
  } catch {
    // A browser that keeps nothing still sends; only a reload then forgets the key.
  }
}

/** The key under which this very body left without an answer, in this browser, if it did. */
export function unansweredKey(memberId: string, body: string): string | null {
  return read(memberId).find((one) => one.body === body)?.key ?? null;
}

/** Kept before the request leaves, so that a reload or a lost network finds its key again. */
export function keepUnanswered(memberId: string, one: Unanswered): void {
  write(memberId, [...read(memberId).filter(({ key }) => key !== one.key), one]);
}

/** The answer came: the same body is from now on a new request. */
export function clearAnswered(memberId: string, key: string): void {
  write(
    memberId,
    read(memberId).filter((one) => one.key !== key),
  );
}
