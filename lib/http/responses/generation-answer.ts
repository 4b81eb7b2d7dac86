import { ERROR_CATALOG, type ErrorCode, ServiceError } from '#lib/core/errors.ts';
import { viewGeneration } from '#lib/studio/journal/view.ts';
import type { Submitted } from '#lib/studio/submission/submit-generation.ts';
import type { MemberAnswer } from '../middleware/with-member.ts';

const MAX_KEY = 255;

/** The caller's `Idempotency-Key`, checked; undefined when there is none. */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY)
    throw new ServiceError('invalid', {
      detail: 'Idempotency-Key',
      problems: [
        { field: 'Idempotency-Key', message: `De 1 à ${MAX_KEY} caractères ASCII visibles, sans espace.` },
      ],
    });
  return key;
}

/**
 * The answer to a request of a generation: the row as `GET` shows it, 201 delivered, 202 running, 200 replayed. A row that
 * failed within the request answers its code, with the row as `subject`.
 */
export function generationAnswer({ row, outcome }: Submitted, now: Date): MemberAnswer {
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

/** Adds the spec's `detail` to a refusal of the request's shape: the first field that is wrong. */
export function withDetail(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'invalid' || error.options.detail) return error;
  const field = error.options.problems?.[0]?.field.split(/[.[]/)[0];
  return field ? new ServiceError('invalid', { ...error.options, detail: field }) : error;
}
