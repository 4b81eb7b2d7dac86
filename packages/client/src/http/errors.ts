import type { components } from '../generated/context.ts';

type ErrorBody = components['schemas']['Error']['error'];

/** A code of the catalogue; a newer server may answer one that this version does not know yet. */
export type ErrorCode = ErrorBody['code'] | (string & {});

/** A refusal of the server. `message` is the French sentence for people, `code` is for programs. */
export class AtelierError extends Error {
  readonly status: number;
  /** `unreadable` when the answer is not the server's own, such as a proxy's page. */
  readonly code: ErrorCode;
  /** Precision for a program, e.g. `clip-too-long`. */
  readonly detail?: string;
  /** What is wrong, field by field. */
  readonly problems: readonly { field: string; message: string }[];
  /** The reference or object that the refusal is about. */
  readonly subject?: string;
  /** To be quoted in any question to support. */
  readonly requestId: string | null;
  /** How long the server asks to wait before another attempt. */
  readonly retryAfterMs?: number;

  constructor(response: Response, body: ErrorBody | null) {
    super(body?.message ?? `The server answered ${response.status}.`);
    this.name = 'AtelierError';
    this.status = response.status;
    this.code = body?.code ?? 'unreadable';
    this.detail = body?.detail;
    this.problems = body?.problems ?? [];
    this.subject = body?.subject;
    this.requestId = response.headers.get('request-id');
    this.retryAfterMs = retryAfterMs(response.headers.get('retry-after'));
  }
}

/** No answer arrived: the network failed or `timeoutMs` passed, as often as `retries` allows. `cause` is the last failure. */
export class AtelierConnectionError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'AtelierConnectionError';
  }
}

/** Whether `thrown` is a refusal of the server with one of these codes. */
export function isAtelierError(thrown: unknown, ...codes: ErrorCode[]): thrown is AtelierError {
  return thrown instanceof AtelierError && (codes.length === 0 || codes.includes(thrown.code));
}

/** The refusal in a body; null when the body is not the server's own. */
export function errorOf(text: string): ErrorBody | null {
  try {
    const body = JSON.parse(text) as { error?: ErrorBody } | null;
    return typeof body?.error?.code === 'string' ? body.error : null;
  } catch {
    return null;
  }
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, 10.2.3); undefined when absent or unreadable. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
