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

/** A file that was not imported, and why, in French. */
export type Refusal = { path: string; reason: string };

export type Parsed<T> = ({ ok: true } & T) | { ok: false; reason: string };
