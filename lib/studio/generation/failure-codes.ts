import type { GenerationKind } from '#lib/db/generated/tables.ts';
import { isProviderJob } from './states.ts';

/** Codes that a failed row can carry. */
export const FAILURE_CODES = [
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

/** What the clock alone decides for an open row once its deadline has passed; null for kinds that have none. */
export function deadlineCode(kind: GenerationKind): FailureCode | null {
  if (isProviderJob(kind)) return 'video_timeout';
  return kind === 'RENDER' ? 'no-callback' : null;
}
