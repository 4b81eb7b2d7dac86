import { createHmac } from 'node:crypto';
import { randomHex, sha256 } from '#lib/core/crypto.ts';

export const ACCESS_SHAPE = /^ata_[0-9a-f]{64}$/;

export type Hash = Uint8Array<ArrayBuffer>;
/** A secret, given to its holder, and its hash, which is stored. */
export type FreshSecret = { secret: string; hash: Hash };

const withHash = (secret: string): FreshSecret => ({ secret, hash: sha256(secret) });

export const newCode = (): FreshSecret => withHash(`atc_${randomHex(32)}`);
export const newAccessToken = (): FreshSecret => withHash(`ata_${randomHex(32)}`);
export const newRefreshToken = (): FreshSecret => withHash(`atr_${randomHex(32)}`);

function derive(secret: string, purpose: string, refreshToken: string): string {
  return createHmac('sha256', secret).update(`atelier:oauth:${purpose}\0${refreshToken}`).digest('hex');
}

/**
 * The tokens that replace a refresh token, derived from the token, its scopes and our secret: a second request within the grace period gets
 * the same strings although only hashes are stored, and nobody else can compute them.
 */
export function successorsOf(
  refreshToken: string,
  scopes: readonly string[],
  secret: string,
): { access: FreshSecret; refresh: FreshSecret } {
  return {
    access: withHash(`ata_${derive(secret, `access:${[...scopes].sort().join(' ')}`, refreshToken)}`),
    refresh: withHash(`atr_${derive(secret, 'refresh', refreshToken)}`),
  };
}
