import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a text (in UTF-8) or of bytes: 32 bytes. */
export function sha256(text: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', text, 'buffer'));
}

/** Random bytes as lower-case hexadecimal; `bytes` bytes give twice as many characters. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Compares two secrets without telling by its duration where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
