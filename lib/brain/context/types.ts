import type { MemoryKind, MemorySource, PillarRole, SpaceTemplate } from '../templates.ts';
import type { Boundary } from '../text/cut.ts';

/** The fields of a Memory that a context is made of. */
export type ContextRow = {
  id: string;
  role: PillarRole;
  parentId: string | null;
  kind: MemoryKind;
  title: string;
  body: string;
  source: MemorySource;
  createdAt: Date;
  /** False when neither title nor body holds an invisible character, which prompts do not receive; computed when absent. */
  hasInvisible?: boolean;
};

export type ContextInput = {
  space: { id: string; name: string; template: SpaceTemplate };
  /** The requested pillars; the answer has them in role order. Memories of other pillars are ignored. */
  pillars: readonly PillarRole[];
  /** Live Memories of the Space; any order, fastest when oldest first (createdAt, id). */
  memories: readonly ContextRow[];
  /** Clamped by `clampMaxChars`; 16,000 when absent. */
  maxChars?: number;
};

export type ContextMemory = {
  id: string;
  /** Identifier of another Memory of the same pillar in this payload, or null. */
  parentId: string | null;
  depth: number;
  kind: MemoryKind;
  title: string;
  /**
   * The stored body without invisible characters (`withoutInvisible`). When shortened, `…` stands for what is left out; empty when there was no room
   * for any of it.
   */
  body: string;
  truncated: boolean;
  source: MemorySource;
};

/** Answer of `GET /spaces/{id}/context` and of `brain_get_context`. */
export type ContextPayload = {
  object: 'context';
  space: { id: string; name: string; template: SpaceTemplate; templateLabel: string };
  pillars: { role: PillarRole; label: string; note: string; memories: ContextMemory[] }[];
  context: string;
  maxChars: number;
  truncated: boolean;
  omittedMemories: number;
  /** Words of the question that were not looked for; absent when there are none. */
  ignoredWords?: string[];
  /** Words of the question that no Memory of these pillars holds; absent when there are none. */
  unmatchedWords?: string[];
};

/** Why a Memory is in the text as it is. */
type ContextInclusion =
  /** Its whole body is there. */
  | 'whole'
  /** Its body was longer than its share. */
  | 'shortened'
  /** Parts of its body are there: those that answer the question. */
  | 'passages'
  /** Its title is there, and there was no room for its body. */
  | 'title-only'
  /** Not even its title fitted. */
  | 'omitted';

/** What the cockpit shows beside the text. Offsets are UTF-16 indexes. */
export type ContextExplanation = {
  id: string;
  role: PillarRole;
  title: string;
  inclusion: ContextInclusion;
  /** Where its block stands in `context` (title line and body); null when omitted. */
  range: { start: number; bodyStart: number; end: number } | null;
  /** The fraction of `maxChars` that its block takes, 0 to 1. */
  share: number;
  /** Where its body was cut (offset in the body as prompts receive it) and at which kind of boundary; null unless shortened. */
  cut: { at: number; boundary: Boundary } | null;
};
