import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ERROR_CATALOG, type ErrorCode, ServiceError } from '#lib/core/errors.ts';
import { viewRow } from '#lib/studio/journal/view-rows.ts';
import { READ_EVERY_MS } from '#lib/studio/limits.ts';
import type { Submitted } from '#lib/studio/submission/submit-generation.ts';
import type { RouteAnswer } from './route-answer.ts';

const REPLAYED = { 'Idempotent-Replayed': 'true' };
/** Header of an answer with a running generation: reading it sooner does not ask the provider again. */
export const READ_AFTER = { 'Retry-After': String(READ_EVERY_MS / 1_000) };

/**
 * The answer to a request of a generation: the row as `GET` shows it, 201 delivered, 202 running (with when to read it), 200
 * replayed. A row that failed within the request answers its code, with the row as `subject`; so does a replay of it, told as replayed.
 */
export async function generationAnswer(
  ctx: Pick<Context<AccountActor>, 'actor' | 'clock' | 'kysely'>,
  { row, outcome }: Submitted,
): Promise<RouteAnswer> {
  const isReplayed = outcome === 'replayed';
  if (outcome === 'failed' || (isReplayed && row.state === 'FAILED' && row.closedBy === 'request')) {
    const code: ErrorCode =
      row.code && Object.hasOwn(ERROR_CATALOG, row.code) ? (row.code as ErrorCode) : 'internal-error';
    throw new ServiceError(code, {
      subject: row.id,
      ...(row.message ? { message: row.message } : {}),
      ...(isReplayed ? { headers: REPLAYED } : {}),
    });
  }
  const view = await viewRow(ctx, row);
  const headers = {
    Location: view.pollUrl,
    ...(isReplayed ? REPLAYED : {}),
    ...(outcome === 'running' ? READ_AFTER : {}),
  };
  return { status: { delivered: 201, running: 202, replayed: 200 }[outcome], body: view, headers };
}
