/**
 * One catalogue of every code a caller can receive, with its HTTP status. Feeds the error class, the responses,
 * the OpenAPI document, and (by `satisfies`) the French messages in lib/messages/fr.ts: a code without French does not compile.
 */
export const ERROR_CATALOG = {
  // Brain Context API (B-107 to B-115, B-170)
  pillar_invalid: { status: 400 },
  invalid_request: { status: 400 },
  invalid_api_key: { status: 401 },
  capacity_full: { status: 402 },
  insufficient_scope: { status: 403 },
  account_closed: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  idempotency_conflict: { status: 409 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  rate_limited: { status: 429 },
  quota_exceeded: { status: 429 },
  // A fault of ours, in the words of the Brain's half; the Studio's is `internal-error` (lib/http/responses/dialects.ts).
  internal_error: { status: 500 },
  // Cockpit and studio (S-136 to S-147, S-172)
  unauthenticated: { status: 401 },
  forbidden: { status: 403 },
  verification_required: { status: 403 },
  conflict: { status: 409 },
  invalid: { status: 400 },
  balance: { status: 402 },
  cap: { status: 402 },
  'product-registered': { status: 409 },
  'reference-refused': { status: 422 },
  'voice-length': { status: 422 },
  'voice-unverified': { status: 422 },
  'composition-failed': { status: 422 },
  'provider-failure': { status: 502 },
  'setting-dropped': { status: 502 },
  video_timeout: { status: 504 },
  orphaned: { status: 500 },
  not_configured: { status: 503 },
  'composition-unavailable': { status: 503 },
  unavailable: { status: 503 },
  // A fault of ours, and the code of a generation that one ended; the Brain's half says `internal_error`.
  'internal-error': { status: 500 },
} as const satisfies Record<string, { status: number }>;

export type ErrorCode = keyof typeof ERROR_CATALOG;

/** What is wrong with one field, in French. */
export type Problem = { field: string; message: string };

type ServiceErrorOptions = {
  /** French sentence for this very case; without it the catalogue's sentence for the code is used. */
  message?: string;
  /** Values for the placeholders of the catalogue's sentence. */
  params?: Record<string, string | number>;
  /** Machine-readable precision, e.g. `clip-too-long`. */
  detail?: string;
  problems?: Problem[];
  /** The reference or object that the refusal is about. */
  subject?: string;
  retryAfterSeconds?: number;
  /** Extra response headers. */
  headers?: Record<string, string>;
  /** For the log only; never shown. */
  cause?: unknown;
};

/** A refusal the caller is meant to read. Anything else that is thrown becomes `internal_error`. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly options: ServiceErrorOptions;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? code, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERROR_CATALOG[code].status;
    this.options = options;
  }
}
