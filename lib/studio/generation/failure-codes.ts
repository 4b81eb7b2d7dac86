import type { GenerationKind } from '#lib/db/generated/tables.ts';
import type { FAILURE_SENTENCES } from '#lib/messages/studio.ts';
import { isProviderJob } from './states.ts';

/** Codes that a failed row can carry: those that have a sentence. */
export type FailureCode = keyof typeof FAILURE_SENTENCES;

/** What the clock alone decides for an open row once its deadline has passed; null for kinds that have none. */
export function deadlineCode(kind: GenerationKind): FailureCode | null {
  if (isProviderJob(kind)) return 'video_timeout';
  return kind === 'RENDER' ? 'no-callback' : null;
}
