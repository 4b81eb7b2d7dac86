const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  server_error: 500,
  temporarily_unavailable: 503,
} as const;
export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

type Options = { status?: number; headers?: Record<string, string>; cause?: unknown };

/** A refusal in the dialect of `/api/oauth` (RFC 6749, 5.2). The description is French. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: OAuthErrorCode, description: string, options: Options = {}) {
    super(description, { cause: options.cause });
    this.name = 'OAuthError';
    this.code = code;
    this.status = options.status ?? OAUTH_ERRORS[code];
    this.headers = options.headers ?? {};
  }
}

/** The refusal of a caller who made too many requests in a minute, which lasts `resetSeconds` more. */
export function tooManyRequests(resetSeconds: number): OAuthError {
  return new OAuthError('temporarily_unavailable', `Trop de demandes. Réessayez dans ${resetSeconds} s.`, {
    status: 429,
    headers: { 'Retry-After': String(resetSeconds) },
  });
}

/** RFC 6749 allows printable ASCII only in descriptions: French keeps its words and loses its accents. */
export function asciiDescription(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[’‘]/g, "'")
    .replace(/[«»“”"]/g, "'")
    .replaceAll('œ', 'oe')
    .replaceAll('\\', '/')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '');
}

/** Body of an error answer. */
export function oauthErrorBody(error: OAuthError): { error: string; error_description: string } {
  return { error: error.code, error_description: asciiDescription(error.message) };
}
