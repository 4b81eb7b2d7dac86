import { ServiceError } from '#lib/core/errors.ts';
import { faultFields, isDatabaseUnavailable, isStoreUnavailable } from '#lib/core/faults.ts';
import type { Logger } from '#lib/core/log.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import { DECLARED_LENGTH } from './declared-length.ts';

/** Headers of every answer of the service. */
export function baseHeaders(requestId: string): Headers {
  return new Headers({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Language': 'fr',
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'Request-Id': requestId,
  });
}

/** Body of an error in the house shape: `{ error: { code, message, … } }` (B-107). */
export function errorBody(error: ServiceError): { error: Record<string, unknown> } {
  const { problems, subject } = error.options;
  const detail = error.options.detail ?? firstField(error);
  return {
    error: {
      code: error.code,
      message: errorMessage(error),
      ...(detail === undefined ? {} : { detail }),
      ...(problems === undefined ? {} : { problems }),
      ...(subject === undefined ? {} : { subject }),
    },
  };
}

/** The spec's `detail` of a malformed request to the Studio: the first field that is wrong. */
function firstField(error: ServiceError): string | undefined {
  return error.code === 'invalid' ? error.options.problems?.[0]?.field.split(/[.[]/)[0] : undefined;
}

/**
 * Turns anything thrown into the refusal that a caller reads. What is not a ServiceError is logged and replaced by `fallback`, so that no
 * stack, query or secret leaves; the cause of a ServiceError with a 5xx status is logged too.
 */
export function toServiceError(
  thrown: unknown,
  log: Logger,
  requestId: string,
  fallback: 'internal_error' | 'internal-error' = 'internal_error',
): ServiceError {
  if (thrown instanceof ServiceError) {
    const { cause, code } = thrown;
    if (thrown.status >= 500 && cause !== undefined && !(cause instanceof ServiceError))
      log.error('request.failed', { requestId, refusal: code, ...faultFields(cause) });
    return thrown;
  }
  log.error('request.failed', { requestId, ...faultFields(thrown) });
  if (isDatabaseUnavailable(thrown) || isStoreUnavailable(thrown))
    return new ServiceError('unavailable', { retryAfterSeconds: 5, cause: thrown });
  return new ServiceError(fallback, { cause: thrown });
}

/** A JSON answer, sent in one piece without a copy and with its length. A text or bytes are taken for JSON already written, and sent as they are. */
export function jsonResponse(status: number, body: unknown, headers: Headers): Response {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  headers.set(DECLARED_LENGTH, String(bytes.length));
  return new Response(inOnePiece(bytes) as BodyInit, { status, headers });
}

/** Bytes given to a Response are copied twice on their way out. */
function inOnePiece(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** The answer to a refusal in the house shape: status, headers of the error, one JSON object. */
export function errorResponse(error: ServiceError, headers: Headers): Response {
  for (const [name, value] of Object.entries(error.options.headers ?? {})) headers.set(name, value);
  if (error.options.retryAfterSeconds !== undefined)
    headers.set('Retry-After', String(error.options.retryAfterSeconds));
  return jsonResponse(error.status, errorBody(error), headers);
}
