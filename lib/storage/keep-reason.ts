import type { AssetState } from '#lib/db/generated/tables.ts';
import { KEEP_REASON_LABELS } from '#lib/messages/storage.ts';
import { PASSED_STATES } from './file-states.ts';

/** Why a file is kept. Each reason has its sentence and its rule, or this does not compile. */
export type KeepReason = keyof typeof KEEP_REASON_LABELS;
export type LastingReason = Exclude<KeepReason, 'recent'>;

/** What nobody keeps is deleted after this long. */
const RETENTION_DAYS = 30;
const RETENTION_MS = RETENTION_DAYS * 86_400_000;

/** Everything that keeps or expires a file: an asset, an upload, or an object of the store. What a kind cannot have is false. */
export type FileFacts = {
  /** Its thirty days run from here: an asset's creation or return from the bin, an upload's last use, an object's arrival in the store. */
  since: Date;
  /** What quality control decided; null for what it does not judge. */
  state: AssetState | null;
  /** An avatar shows it. */
  hasAvatar: boolean;
  /** A lesson shows it as its example. */
  hasLesson: boolean;
  /** It is attached to a concept. */
  hasConcept: boolean;
  /** An avatar in the bin shows it, and needs it if it is restored. */
  hasBinnedAvatar: boolean;
  /** A concept in the bin holds it, and needs it if it is restored. */
  hasBinnedConcept: boolean;
  /** A file of another generation of its lineage (ancestor, descendant, variant) is approved or delivered. */
  hasKeptRelative: boolean;
  /** A running generation reads it, or is the one that wrote it. */
  isInFlight: boolean;
  /** A request used it within the last hour: its row may be about to be written. */
  isTaken: boolean;
  /** It comes from a render of which another file is approved or delivered. */
  hasKeptSibling: boolean;
  /** The row was imported from the former application. */
  isImported: boolean;
  /** A product keeps it as a capture rush. */
  hasRush: boolean;
  /** It is the signed document of a consent. */
  hasConsent: boolean;
  /** An asset, an upload or a delivered generation names the object: theirs is the decision. */
  isRecorded: boolean;
  /** The store holds other bytes than those that were recorded. */
  hasChanged: boolean;
};

/** A file that nothing keeps, whose thirty days run from `since`. */
export const factsSince = (since: Date): FileFacts => ({
  since,
  state: null,
  hasAvatar: false,
  hasLesson: false,
  hasConcept: false,
  hasBinnedAvatar: false,
  hasBinnedConcept: false,
  hasKeptRelative: false,
  isInFlight: false,
  isTaken: false,
  hasKeptSibling: false,
  isImported: false,
  hasRush: false,
  hasConsent: false,
  isRecorded: false,
  hasChanged: false,
});

/** What keeps a file whatever its age, in the order in which one is named when several hold. */
const LASTING: Record<LastingReason, (facts: FileFacts) => boolean> = {
  status: ({ state }) => PASSED_STATES.some((passed) => passed === state),
  avatar: ({ hasAvatar, hasBinnedAvatar }) => hasAvatar || hasBinnedAvatar,
  learning: ({ hasLesson }) => hasLesson,
  concept: ({ hasConcept, hasBinnedConcept }) => hasConcept || hasBinnedConcept,
  lineage: ({ hasKeptRelative }) => hasKeptRelative,
  rush: ({ hasRush }) => hasRush,
  consent: ({ hasConsent }) => hasConsent,
  'in-flight': ({ isInFlight, isTaken }) => isInFlight || isTaken,
  sibling: ({ hasKeptSibling }) => hasKeptSibling,
  'foreign-store': ({ isImported }) => isImported,
  changed: ({ hasChanged }) => hasChanged,
  recorded: ({ isRecorded }) => isRecorded,
};

const LASTING_REASONS = Object.keys(LASTING) as LastingReason[];

/** The reasons that no asset can have. */
const NEVER_OF_ASSETS = ['rush', 'consent', 'recorded'] as const satisfies readonly KeepReason[];
export type AssetKeepReason = Exclude<KeepReason, (typeof NEVER_OF_ASSETS)[number]>;
const isNeverOfAssets = (reason: KeepReason) => NEVER_OF_ASSETS.some((never) => never === reason);

/** The reasons that an asset can have: the words of the retention report. */
export const ASSET_KEEP_REASONS = (Object.keys(KEEP_REASON_LABELS) as KeepReason[]).filter(
  (reason): reason is AssetKeepReason => !isNeverOfAssets(reason),
);

/** What keeps a file whatever its age; null when only its age does. */
export function lastingReason(facts: FileFacts): LastingReason | null {
  return LASTING_REASONS.find((reason) => LASTING[reason](facts)) ?? null;
}

/**
 * Why a file is kept; null: the next retention deletes it. The one rule that retention, its dry run and the pages ask, for assets,
 * uploads and objects of the store alike. A file expires when more than thirty days have passed, to the millisecond.
 */
export function keepReason(facts: FileFacts, now: Date): KeepReason | null {
  // Compared this way round: an invalid date is not past.
  return now > expiryOf(facts) ? lastingReason(facts) : 'recent';
}

export type FileRetention = {
  /** Null: nothing keeps it, the next retention deletes it. */
  keptBecause: KeepReason | null;
  /** What keeps it for as long as it lasts; null: only its age does, or nothing. */
  lasting: LastingReason | null;
  /** When it expires if nothing changes; null when something other than its age keeps it. */
  expiresAt: Date | null;
};

/** Why a file is kept, and until when, for the pages. */
export function fileRetention(facts: FileFacts, now: Date): FileRetention {
  const lasting = lastingReason(facts);
  return {
    keptBecause: keepReason(facts, now),
    lasting,
    expiresAt: lasting === null ? expiryOf(facts) : null,
  };
}

/** The instant thirty days ago: older files have expired. */
export function retentionCutoff(now: Date): Date {
  return new Date(now.getTime() - RETENTION_MS);
}

function expiryOf({ since }: FileFacts): Date {
  return new Date(since.getTime() + RETENTION_MS);
}
