import type { AnonymousActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { DIALECTS, type HouseDialect } from '../responses/dialects.ts';
import { baseHeaders, errorResponse, jsonResponse, toServiceError } from '../responses/respond.ts';
import type { RouteAnswer } from '../responses/route-answer.ts';
import { createContext } from '../runtime/context.ts';

/** What a wrapper has before the caller is known: the anonymous context, and the headers of the answer. */
export type Edge = { ctx: Context<AnonymousActor>; headers: Headers };

/**
 * Runs the work of one request: its answer, or the refusal in the house shape, with a Request-Id in every case. `ownRefusal` words a refusal
 * otherwise, for some who ask.
 */
export async function runRoute(
  dialect: HouseDialect,
  work: (edge: Edge) => Promise<RouteAnswer>,
  ownRefusal: (error: ServiceError, requestId: string) => Response | null = () => null,
): Promise<Response> {
  const ctx = createContext({ type: 'anonymous' as const }, createId('request'));
  const headers = baseHeaders(ctx.requestId);
  try {
    return writeAnswer(await work({ ctx, headers }), headers);
  } catch (thrown) {
    const error = toServiceError(thrown, ctx.log, ctx.requestId, DIALECTS[dialect].fault);
    return ownRefusal(error, ctx.requestId) ?? errorResponse(error, headers);
  }
}

function writeAnswer(answer: RouteAnswer, headers: Headers): Response {
  if (answer instanceof Response) {
    answer.headers.set('Request-Id', headers.get('Request-Id') ?? '');
    return answer;
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
  if (answer.body !== null) return jsonResponse(answer.status ?? 200, answer.body, headers);
  headers.delete('Content-Type');
  // A 304 repeats only the headers that cannot be left out (RFC 9110, 15.4.5).
  if (answer.status === 304) headers.delete('Content-Language');
  return new Response(null, { status: answer.status ?? 204, headers });
}
