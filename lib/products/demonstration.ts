/** The account that `npm start` seeds, and that owns the demonstration products. */
export const DEMO_ACCOUNT_ID = 'acc_01jd0000000000000000000dem';

/** Endings that no real shop has (RFC 2606): a product with one is a demonstration, or a copy of one. */
const RESERVED = ['example', 'test', 'invalid', 'localhost'];

/** Whether a host can only be a demonstration's. */
export function isReservedHost(host: string): boolean {
  return RESERVED.includes(host.split('.').at(-1) ?? '') || /(^|\.)example\.(com|net|org)$/.test(host);
}
