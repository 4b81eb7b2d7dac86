import type { MemoryFile } from '#lib/brain/memory-file.ts';
import type { MemoryKind, MemorySource, PillarRole } from '#lib/brain/templates.ts';

/** A Memory as read from a file, before anything is written. Parents come before their children. */
export type MemoryDraft = {
  /** Stable identity within what is imported: the relative path, `path#anchor` for a part, `folder/` for a folder. */
  key: string;
  parentKey: string | null;
  depth: number;
  pillar: PillarRole;
  kind: MemoryKind;
  title: string;
  body: string;
  /** Of an exported Memory; null otherwise: whoever imports decides (UPLOAD, WEBSITE…). */
  source: MemorySource | null;
  sourceRef: string | null;
  /** Identifier that an exported Memory had; null otherwise. */
  id: string | null;
  file: MemoryFile | null;
  createdAt: Date | null;
  updatedAt: Date | null;
};

/** A file that was not imported, or what of it was not, and why, in French. */
export type Refusal = { path: string; reason: string };

export type Parsed<T> = ({ ok: true } & T) | { ok: false; reason: string };

/** A file as somebody sent it, its path in the folder that it came with. `notion`: a page or a table that Notion wrote, its name made readable. */
export type UploadedFile = { name: string; bytes: Uint8Array; notion?: boolean };

/** A file as text. `title`: what the document says of itself. `onlyLinks`: it speaks for a folder and says nothing of its own. */
export type Converted = { text: string; title: string | null; plain: boolean; onlyLinks: boolean };
