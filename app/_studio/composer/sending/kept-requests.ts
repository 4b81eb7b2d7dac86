/** A request sent from this browser, and its state. */
export type KeptRequest = {
  key: string;
  /** The exact request: sent twice with the same body, it is one request until it is answered. */
  body: string;
  title: string;
  at: string;
  /**
   * `waiting`: not sent, for lack of a network. `lost`: sent, without an answer. `answered`: its generations are known. `closed`: refused or
   * dismissed; an earlier sending may still be under way under its key, so the same body keeps the key.
   */
  state: 'waiting' | 'lost' | 'answered' | 'closed';
  /** The identifiers of the generations that it made. */
  rows: string[];
  /** Whether any of it was or will be paid: the same body is then another request. */
  isPaid: boolean;
};

const NAME = 'atelier.demandes.';
/** In milliseconds: after this time, the same body is a new request. */
const KEPT_MS = 86_400_000;
const MOST = 12;

/** The member's requests of the last day in this browser, newest first. */
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
    // Without storage, requests are still sent; a reload forgets their keys.
  }
}

/** Stores a request before it is sent, so that its key survives a reload or a lost network. */
export function keepRequest(memberId: string, one: KeptRequest): void {
  write(memberId, [one, ...readKept(memberId).filter(({ key }) => key !== one.key)]);
}

/** Updates what is stored of a request. */
export function updateKept(memberId: string, key: string, part: Partial<KeptRequest>): void {
  write(
    memberId,
    readKept(memberId).map((one) => (one.key === key ? { ...one, ...part } : one)),
  );
}

/** The request with this exact body that was not answered: waiting, lost or closed. */
export const unansweredOf = (memberId: string, body: string): KeptRequest | undefined =>
  readKept(memberId).find((one) => one.body === body && one.state !== 'answered');

/** The request with this exact body that was answered and paid: sent again, it would be another one. */
export const paidTwin = (memberId: string, body: string): KeptRequest | undefined =>
  readKept(memberId).find((one) => one.body === body && one.state === 'answered' && one.isPaid);

/** Whether this request was refused or dismissed, in any tab. */
export const isClosed = (memberId: string, key: string): boolean =>
  readKept(memberId).some((one) => one.key === key && one.state === 'closed');
