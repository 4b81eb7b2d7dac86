import { alphabet, generateRandomString, HMAC } from 'oslo/crypto';

const CODE_DIGITS = 6;
export const CODE_LIFETIME_MS = 10 * 60_000;
export const CODE_ATTEMPTS = 5;

const hmac = new HMAC('SHA-256');
const bytes = (text: string) => new TextEncoder().encode(text);

/** Bound to its row and its address: a hash copied onto another row opens nothing. */
const material = (row: { id: string; email: string }, code: string) =>
  bytes(`sign-in-code\0${row.id}\0${row.email}\0${code}`);

/** Six digits, each as likely as any other. */
export function newSignInCode(): string {
  return generateRandomString(CODE_DIGITS, alphabet('0-9'));
}

/** What is stored of a code: six digits alone could be found from a plain hash at once. */
export async function hashSignInCode(
  secret: string,
  row: { id: string; email: string },
  code: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await hmac.sign(bytes(secret), material(row, code)));
}

/** Whether this is the code of the row; takes the same time wherever they differ. */
export async function isSignInCode(
  secret: string,
  row: { id: string; email: string; codeHash: Uint8Array },
  code: string,
): Promise<boolean> {
  return hmac.verify(bytes(secret), new Uint8Array(row.codeHash), material(row, code));
}

/** The digits of what was typed or pasted (« 123 456 », « Votre code : 123-456 »); null when they are not six. */
export function readTypedCode(text: string): string | null {
  const digits = text.normalize('NFKC').replace(/[^0-9]/g, '');
  return digits.length === 6 ? digits : null;
}
