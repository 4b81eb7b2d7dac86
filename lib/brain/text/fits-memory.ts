import { MAX_MEMORY_REQUEST_BYTES } from '../limits.ts';

/** What the title and the place of a Memory take beside its text, in bytes. */
const ENVELOPE_BYTES = 4_096;

/** Whether a text typed in the cockpit has the room of one Memory. */
export function fitsMemory(body: string): boolean {
  return Buffer.byteLength(body) <= MAX_MEMORY_REQUEST_BYTES - ENVELOPE_BYTES;
}
