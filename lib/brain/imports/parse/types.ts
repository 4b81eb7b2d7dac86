import type { MemoryFile } from '#lib/brain/memory-file.ts';
import type { MemoryKind, MemorySource, PillarRole } from '#lib/brain/templates.ts';

/** A Memory as read from a file, before anything is written. Parents come before their children. */
export type MemoryDraft = {
  /** Stable identity within what is imported, by which reports name it: the relative path, `path#anchor` for a part, `path#id` in a JSON export. */
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
  /** Identifier of its page in Notion, which stays wherever the page is moved and whatever it is called; absent of anything else. */
  notion?: string;
  /** Keys under which imports kept that page before its identifier was looked at, the likeliest first. */
  formerKeys?: readonly string[];
  /** The path under which its file came, where a page of Notion has that path here; absent of anything else. */
  cameAs?: string;
  /** No other file of this import, read or not, has its path, case and the writing of accents aside: it is recognised whatever these have become. */
  hasOwnPath?: boolean;
};

/** A file that was not imported, or what of it was not, and why, in French. */
export type Refusal = { path: string; reason: string };

export type Parsed<T> = ({ ok: true } & T) | { ok: false; reason: string };

/**
 * A file as somebody sent it, its path in the folder that it came with. `notion`: of a page or a table that Notion wrote, whose name is made readable;
 * `cameAs`: the path of another file that is numbered beside such a page.
 */
export type UploadedFile = { name: string; bytes: Uint8Array; notion?: NotionFile; cameAs?: string };

/** Its identifier there with the kind of file, and its readable path that still ends with the identifier. */
type NotionFile = { id: string; longName: string };

/** A file as text. `title`: what the document says of itself. `onlyLinks`: it speaks for a folder and says nothing of its own. */
export type Converted = { text: string; title: string | null; plain: boolean; onlyLinks: boolean };
