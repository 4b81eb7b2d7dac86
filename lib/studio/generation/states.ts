import type { GenerationKind, GenerationState } from '#lib/db/generated/prisma/client.ts';

/** The only changes of state there are: a row is born STARTING or CANCELLED, and a trigger in the database refuses any other move. */
export const TRANSITIONS: Record<GenerationState, readonly GenerationState[]> = {
  STARTING: ['SUBMITTED', 'COMPLETED', 'FAILED'],
  SUBMITTED: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: [],
};

/** Whether a row can still change: its job is not closed. */
export function isOpen(state: GenerationState): boolean {
  return TRANSITIONS[state].length > 0;
}

/** Codes that a failed row can carry. */
const FAILURE_CODES = [
  'provider-failure',
  'setting-dropped',
  'video_timeout',
  'orphaned',
  'no-callback',
  'quota',
  'composition-failed',
  'internal-error',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Kinds whose job outlives the request: closed by a webhook, a read, a callback or the sweep. */
const JOB_KINDS: ReadonlySet<GenerationKind> = new Set(['VIDEO', 'MOTION', 'LIPSYNC']);

/** A video or lipsync: something whose provider can be asked how it goes. */
export function isProviderJob(kind: GenerationKind): boolean {
  return JOB_KINDS.has(kind);
}

/** What the clock alone decides for an open row once its deadline has passed; null for kinds that have none. */
export function deadlineCode(kind: GenerationKind): FailureCode | null {
  if (isProviderJob(kind)) return 'video_timeout';
  return kind === 'RENDER' ? 'no-callback' : null;
}
