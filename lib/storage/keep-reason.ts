import type { AssetState } from '#lib/db/generated/prisma/client.ts';

/** What nobody keeps is deleted after this long (S-71). */
const RETENTION_DAYS = 30;
export const RETENTION_MS = RETENTION_DAYS * 86_400_000;

/** Why a file is kept, in the order in which one is named when several hold. */
export const KEPT_REASONS = [
  'recent',
  'status',
  'avatar',
  'learning',
  'concept',
  'lineage',
  'in-flight',
  'sibling',
  'foreign-store',
  'changed',
] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** Everything that keeps or expires a file. */
export type FileFacts = {
  createdAt: Date;
  state: AssetState;
  /** An avatar shows it. */
  hasAvatar: boolean;
  /** A lesson shows it as its example. */
  hasLesson: boolean;
  /** It is attached to a concept. */
  hasConcept: boolean;
  /** A file of another generation of its lineage (ancestor, descendant, variant) is approved or delivered. */
  hasKeptRelative: boolean;
  /** A running generation reads it, or is the one that wrote it. */
  isInFlight: boolean;
  /** It comes from a render of which another file is approved or delivered. */
  hasKeptSibling: boolean;
  /** The row was imported from the former application. */
  isImported: boolean;
  /** The store holds other bytes than those that were recorded. */
  hasChanged?: boolean;
};

export type FileRetention = {
  /** Null: nothing keeps it, the next retention deletes it. */
  keptBecause: KeptReason | null;
  /** When it expires if nothing changes; null when something other than its age keeps it. */
  expiresAt: Date | null;
};

/**
 * Why a file is kept, and until when: the one rule that retention, its dry run and the pages ask. Pure. A file expires at the
 * end of the thirtieth day after its creation, not before.
 */
export function fileRetention(facts: FileFacts, now: Date): FileRetention {
  const expiresAt = new Date(facts.createdAt.getTime() + RETENTION_MS);
  const isRecent = now <= expiresAt;
  const lasting = lastingReason(facts);
  return {
    keptBecause: isRecent ? 'recent' : lasting,
    expiresAt: lasting === null ? expiresAt : null,
  };
}

/** What keeps a file whatever its age; null when only its age does. */
export function lastingReason(facts: FileFacts): KeptReason | null {
  if (facts.state === 'APPROVED' || facts.state === 'DELIVERED') return 'status';
  if (facts.hasAvatar) return 'avatar';
  if (facts.hasLesson) return 'learning';
  if (facts.hasConcept) return 'concept';
  if (facts.hasKeptRelative) return 'lineage';
  if (facts.isInFlight) return 'in-flight';
  if (facts.hasKeptSibling) return 'sibling';
  if (facts.isImported) return 'foreign-store';
  if (facts.hasChanged) return 'changed';
  return null;
}

/** `fileRetention(facts, now).keptBecause`. */
export function keptReason(facts: FileFacts, now: Date): KeptReason | null {
  return fileRetention(facts, now).keptBecause;
}
