import type { PillarRole } from '../../templates.ts';
import type { MemoryDraft, Refusal } from '../parse/types.ts';

/** The request to the reading process, on the first line of its input; the bytes follow. */
export type ReaderJob =
  | {
      kind: 'upload';
      /** The `Content-Type` of the multipart form that the bytes are. */
      contentType: string;
      /** Files that crashed earlier tries, with the sentence of their refusal. */
      skipped: Refusal[];
      /** Why no PDF is read any more. */
      withoutPdf?: string | undefined;
    }
  | {
      kind: 'page';
      contentType: string;
      charset: string | undefined;
      finalUrl: string;
      pillar: PillarRole;
    };

/** What it writes, one JSON a line. Nothing is longer than a Memory: the service reads each line without a pause. */
export type ReaderLine =
  | { form: { files: number; first: string } }
  | { begin: string }
  | { draft: MemoryDraft }
  | { refused: Refusal }
  /** The whole of it cannot be read, and why. */
  | { failed: string }
  | { done: true };

/** Files of one form; more travel in an archive. */
export const MAX_FORM_FILES = 2_000;
