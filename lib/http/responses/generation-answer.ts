import { ERROR_CATALOG, type ErrorCode, ServiceError } from '#lib/core/errors.ts';
import { viewGeneration } from '#lib/studio/journal/view.ts';
import type { Submitted } from '#lib/studio/submission/submit-generation.ts';
import type { RouteAnswer } from '../routes/run-route.ts';

/**
 * The answer to a request of a generation: the row as `GET` shows it, 201 delivered, 202 running, 200 replayed. A row that
 * failed within the request answers its code, with the row as `subject`.
 */
export function generationAnswer({ row, outcome }: Submitted, now: Date): RouteAnswer {
  if (outcome === 'failed') {
    const code: ErrorCode =
      row.code && Object.hasOwn(ERROR_CATALOG, row.code) ? (row.code as ErrorCode) : 'internal-error';
    throw new ServiceError(code, { subject: row.id, ...(row.message ? { message: row.message } : {}) });
  }
  const view = viewGeneration(row, now);
  const headers: Record<string, string> = { Location: view.pollUrl };
  if (outcome === 'replayed') headers['Idempotent-Replayed'] = 'true';
  return { status: { delivered: 201, running: 202, replayed: 200 }[outcome], body: view, headers };
}
