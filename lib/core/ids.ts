import { randomBytes } from 'node:crypto';

/** Prefix of every kind of identifier: `<prefix>_<26 sortable characters>`. */
export const ID_PREFIXES = {
  account: 'acc',
  person: 'per',
  member: 'mbr',
  session: 'ses',
  signInCode: 'otp',
  passkey: 'psk',
  developerKey: 'key',
  space: 'spc',
  memory: 'mem',
  revision: 'rev',
  proposal: 'pps',
  deletion: 'del',
  project: 'prj',
  importJob: 'imp',
  accountExport: 'exp',
  audit: 'aud',
  oauthClient: 'cli',
  oauthGrant: 'grt',
  oauthCode: 'cod',
  oauthToken: 'tok',
  wallet: 'wal',
  allowance: 'alw',
  ledgerLine: 'led',
  budgetLine: 'bud',
  generation: 'gen',
  savedFilter: 'flt',
  comment: 'cmt',
  mention: 'mnt',
  asset: 'ast',
  upload: 'upl',
  storageHold: 'hld',
  avatar: 'ava',
  concept: 'cpt',
  lesson: 'les',
  rush: 'rsh',
  consent: 'cst',
  shareLink: 'shr',
  webhookEndpoint: 'whk',
  webhookDelivery: 'evt',
  mail: 'eml',
  cronRun: 'run',
  request: 'req',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** How many milliseconds are remembered: requests that take turns each number their own by the time they began at. */
const REMEMBERED_TIMES = 1024;

/** The last tail of each millisecond, the one used last at the end. */
const tails = new Map<number, Uint8Array>();

// Chance is asked of the system for many identifiers at once: a request that only reads should not wait for it.
let chance = new Uint8Array(0);

function freshTail(): Uint8Array<ArrayBuffer> {
  if (chance.length < 16) chance = new Uint8Array(randomBytes(16 * 256));
  const tail = chance.slice(0, 16).map((byte) => byte & 31);
  chance = chance.subarray(16);
  return tail;
}

function increment(tail: Uint8Array): void {
  for (let i = tail.length - 1; i >= 0; i--) {
    const digit = tail[i] as number;
    if (digit < 31) {
      tail[i] = digit + 1;
      return;
    }
    tail[i] = 0;
  }
}

function nextTail(ms: number): Uint8Array {
  const tail = tails.get(ms) ?? freshTail();
  if (tails.delete(ms)) increment(tail);
  tails.set(ms, tail);
  const [oldest] = tails.keys();
  if (tails.size > REMEMBERED_TIMES && oldest !== undefined) tails.delete(oldest);
  return tail;
}

/**
 * A new identifier such as `spc_01k…`: lower-case, sortable by creation time (ULID layout: 48 + 80 bits). Those that
 * one process makes of one millisecond are strictly increasing, also when it makes others in between, as long as these
 * are of fewer than 1,024 other milliseconds.
 */
export function createId(kind: IdKind, now: Date = new Date()): string {
  // The layout has no time before 1970; an imported file may have one, such as the zero of a camera's clock.
  const ms = Math.max(0, now.getTime());
  let head = '';
  let rest = ms;
  for (let i = 0; i < 10; i++) {
    head = ALPHABET[rest % 32] + head;
    rest = Math.floor(rest / 32);
  }
  let tail = '';
  for (const digit of nextTail(ms)) tail += ALPHABET[digit];
  return `${ID_PREFIXES[kind]}_${head}${tail}`;
}

/** Whether `value` has the shape of an identifier of this kind; says nothing about its existence. */
export function isId(kind: IdKind, value: string): boolean {
  return new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-hjkmnp-tv-z]{26}$`).test(value);
}
