import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets that must be read again: they open with the service's key only, and for their own row only. */
export type Sealer = {
  seal(text: string, owner: string): Uint8Array<ArrayBuffer>;
  /** Null when no key opens it. */
  open(sealed: Uint8Array, owner: string): string | null;
};

/** Seals with the first key, opens with any (AES-256-GCM; the owner's identifier is bound to it). */
export function sealer(keys: readonly string[]): Sealer {
  const derived = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', key, 'atelier', 'atelier:webhook-secrets', 32)),
  );
  const [first] = derived;
  if (!first) throw new Error('a sealer needs a key');
  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), body]));
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      for (const key of derived) {
        try {
          const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
          decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
          const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
          return Buffer.concat([text, decipher.final()]).toString('utf8');
        } catch {
          // Sealed by the other key, or for another row.
        }
      }
      return null;
    },
  };
}

/** A fresh signing secret in the form that Standard Webhooks libraries read: `whsec_` and 32 bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
