import { createHmac } from 'node:crypto';
import { randomHex, sha256 } from '#lib/core/crypto.ts';

export const ACCESS_SHAPE = /^ata_[0-9a-f]{64}$/;

export type Hash = Uint8Array<ArrayBuffer>;
/** A secret for its holder, and the hash that is stored. */
export type FreshSecret = { secret: string; hash: Hash };

const withHash = (secret: string): FreshSecret => ({ secret, hash: sha256(secret) });

export const newCode = (): FreshSecret => withHash(`atc_${randomHex(32)}`);
export const newAccessToken = (): FreshSecret => withHash(`ata_${randomHex(32)}`);
export const newRefreshToken = (): FreshSecret => withHash(`atr_${randomHex(32)}`);

function derive(secret: string, purpose: string, refreshToken: string): string {
  return createHmac('sha256', secret).update(`atelier:oauth:${purpose}\0${refreshToken}`).digest('hex');
}

/**
 * The tokens that follow a refresh token: always the same for the same token and scopes, so that a second request within
 * the grace gets the very same strings although only hashes are kept. Nobody makes them without both the token and our secret.
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
