import type { AttemptFailure } from './transport-status.ts';

/** Failures of a connection that was never made: nothing can have been sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * The failure of a fetch that threw: surely not sent where no connection was made to any address; in every other case, even without a known
 * cause, possibly sent. The detail holds system codes or a name, never the error's message.
 */
export function networkFailure(error: unknown): AttemptFailure {
  const causes = causesOf(error);
  const codes = [...new Set(causes.map(({ code }) => code))];
  const detail =
    codes.length > 0 ? codes.join(', ') : error instanceof Error ? error.name : 'network failure';
  if (causes.length > 0 && causes.every(isBeforeConnection))
    return { reason: 'unreachable', retrySafe: 'surely-not-sent', detail };
  return { reason: 'connection-lost', retrySafe: 'unknown', detail };
}

/** `syscall`: what the system was asked, where it is the system that failed: `connect`, `read`… */
type Cause = { code: string; syscall: unknown };

/** An established connection can also fail so (`read EHOSTUNREACH`), after the request was sent. */
function isBeforeConnection({ code, syscall }: Cause): boolean {
  return NOT_CONNECTED.has(code) && syscall !== 'read' && syscall !== 'write';
}

/** The causes of a failed fetch that have a code: its own, and each attempt's when several addresses were tried. */
function causesOf(error: unknown, depth = 0): Cause[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const inner = error instanceof AggregateError ? error.errors : error.cause ? [error.cause] : [];
  const nested = inner.flatMap((each) => causesOf(each, depth + 1));
  if (nested.length > 0 || !('code' in error) || typeof error.code !== 'string') return nested;
  return [{ code: error.code, syscall: 'syscall' in error ? error.syscall : undefined }];
}
