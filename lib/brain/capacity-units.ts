/** Bytes of UTF-8 in one capacity unit. */
const BYTES_PER_CU = 1024;

/**
 * Capacity units that a Memory occupies: one per begun KiB of UTF-8 of `title + "\n" + body`, at least 1.
 * A lone surrogate counts 3 bytes, as any UTF-8 encoder writes it (U+FFFD).
 */
export function capacityUnits(title: string, body: string): number {
  const bytes = Buffer.byteLength(title, 'utf8') + 1 + Buffer.byteLength(body, 'utf8');
  return Math.max(1, Math.ceil(bytes / BYTES_PER_CU));
}
