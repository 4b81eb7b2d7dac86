import type { Scope } from '#lib/core/actor.ts';
import { randomHex, sha256 } from '#lib/core/crypto.ts';

/** Service prefix of every developer key (B-95). */
const KEY_PREFIX = 'atl_';
/** Characters of the key shown in lists: the prefix and the first eight digits. */
const SHOWN_LENGTH = KEY_PREFIX.length + 8;

export const KEY_SHAPE = /^atl_[0-9a-f]{64}$/;
export const DEFAULT_KEY_SCOPES: readonly Scope[] = ['brain:read', 'projects:read'];
export const KEY_LIFETIMES_DAYS = [30, 90, 365, null] as const;
export type KeyLifetimeDays = (typeof KEY_LIFETIMES_DAYS)[number];

/** A fresh key: the secret is shown once, the hash and the shown prefix are what is stored. */
export function newDeveloperKey(): { secret: string; prefix: string; tokenHash: Uint8Array<ArrayBuffer> } {
  const secret = KEY_PREFIX + randomHex(32);
  return { secret, prefix: secret.slice(0, SHOWN_LENGTH), tokenHash: sha256(secret) };
}
