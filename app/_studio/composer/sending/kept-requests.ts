/** A request that was pressed in this browser, and how far it went. */
export type KeptRequest = {
  key: string;
  /** What was asked, exactly: two presses of one body are the same request until it is answered. */
  body: string;
  title: string;
  at: string;
  /**
   * `waiting`: for the network, never sent. `lost`: sent, its answer never came. `answered`: its rows are known. `closed`: refused or put
   * away; an earlier press may still be on its way under its key, which the same body therefore keeps.
   */
  state: 'waiting' | 'lost' | 'answered' | 'closed';
  /** The rows that it made; none when it was refused. */
  rows: string[];
  /** Something of it was, or will be, paid: the same one again is another. */
  isPaid: boolean;
};

const NAME = 'atelier.demandes.';
/** Past that, one means a new request. */
const KEPT_MS = 86_400_000;
const MOST = 12;

/** The requests of this member in this browser, newest first. */
export function readKept(memberId: string): KeptRequest[] {
  try {
    const list = JSON.parse(localStorage.getItem(NAME + memberId) ?? '[]') as KeptRequest[];
    return list.filter((one) => Date.now() - Date.parse(one.at) < KEPT_MS);
  } catch {
    return [];
  }
}

function write(memberId: string, list: KeptRequest[]): void {
  try {
    if (list.length > 0) localStorage.setItem(NAME + memberId, JSON.stringify(list.slice(0, MOST)));
    else localStorage.removeItem(NAME + memberId);
  } catch {
    // A browser that keeps nothing still sends; only a reload then forgets the key.
  }
}

/** Kept before the request leaves, so that a reload or a lost network finds its key again. */
export function keepRequest(memberId: string, one: KeptRequest): void {
  write(memberId, [one, ...readKept(memberId).filter(({ key }) => key !== one.key)]);
}

/** Says how far a request went since. */
export function updateKept(memberId: string, key: string, part: Partial<KeptRequest>): void {
  write(
    memberId,
    readKept(memberId).map((one) => (one.key === key ? { ...one, ...part } : one)),
  );
}

/** The request of this very body that has no answer: it left, waits, was refused or put away. */
export const unansweredOf = (memberId: string, body: string): KeptRequest | undefined =>
  readKept(memberId).find((one) => one.body === body && one.state !== 'answered');

/** The request of this very body that was answered and paid: asked again, it would be another. */
export const paidTwin = (memberId: string, body: string): KeptRequest | undefined =>
  readKept(memberId).find((one) => one.body === body && one.state === 'answered' && one.isPaid);

/** Whether this request was refused or called off, in whatever tab. */
export const isClosed = (memberId: string, key: string): boolean =>
  readKept(memberId).some((one) => one.key === key && one.state === 'closed');
