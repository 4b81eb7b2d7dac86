/** Sizes that a writer leaves when it did not know the length yet. */
const STREAMED_RIFF = new Set([0, 0xffff_ffff]);

/**
 * True when the top-level boxes of an MP4 or QuickTime file follow each other exactly to its end. A cut file, or one with
 * something else hung after it, is not whole; readers that only look at the index would still give it its full duration.
 */
export function isoBoxesAreWhole(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.byteLength) {
    if (bytes.byteLength - at < 8) return bytes.subarray(at).every((byte) => byte === 0);
    let size = view.getUint32(at);
    if (size === 0) return true;
    if (size === 1) {
      if (bytes.byteLength - at < 16) return false;
      // No bigint: a file may be three million such boxes, and several for each would hold the loop for a third of a second.
      size = view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12);
      if (size < 16 || size > bytes.byteLength) return false;
    } else if (size < 8) return false;
    at += size;
  }
  return at === bytes.byteLength;
}

/** True when a RIFF (WAV) file holds at least the bytes that its head declares. */
export function riffIsWhole(bytes: Uint8Array): boolean {
  if (bytes.byteLength < 12) return false;
  const declared = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(4, true);
  return STREAMED_RIFF.has(declared) || declared + 8 <= bytes.byteLength;
}
