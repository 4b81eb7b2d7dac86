import { MediaRefusal } from './media-refusal.ts';
import { MEDIA_LIMITS } from './media-types.ts';

export type ProbedDocument = {
  kind: 'document';
  contentType: 'application/pdf';
  extension: 'pdf';
  bytes: number;
  width: null;
  height: null;
};

const END_BYTES = 1024;
/** A browser on a machine without a reader of PDF sends the last one, which declares nothing. */
const DECLARED: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/x-pdf',
  'application/octet-stream',
]);

/**
 * A PDF by its bytes: its head at the very beginning, its cross-reference and its end mark at the very end. Nothing of it is opened or
 * run, here or by what serves it (always as a file to save). Throws `MediaRefusal`.
 */
export function probeDocument(bytes: Uint8Array, said: { declaredType?: string } = {}): ProbedDocument {
  if (bytes.byteLength === 0) throw new MediaRefusal('empty');
  if (bytes.byteLength > MEDIA_LIMITS.uploadedImageBytes) throw new MediaRefusal('too-large');
  if (said.declaredType && !DECLARED.has(said.declaredType)) throw new MediaRefusal('type-mismatch');
  const latin1 = (part: Uint8Array) => Buffer.from(part).toString('latin1');
  if (!/^%PDF-[12]\.\d/.test(latin1(bytes.subarray(0, 8)))) throw new MediaRefusal('type-not-accepted');
  const end = latin1(bytes.subarray(-END_BYTES));
  // Another file hung after the end would be one document here and another elsewhere.
  if (!/startxref\s+\d+\s+%%EOF\s*$/.test(end)) throw new MediaRefusal('document-unreadable');
  return {
    kind: 'document',
    contentType: 'application/pdf',
    extension: 'pdf',
    bytes: bytes.byteLength,
    width: null,
    height: null,
  };
}
