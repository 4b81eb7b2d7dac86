/** Why `safeFetch` would not, or could not, read an address. */
type FetchRefusalReason =
  | 'not-https'
  | 'host-not-allowed'
  | 'private-address'
  | 'too-many-redirects'
  | 'bad-status'
  | 'too-large'
  | 'timeout'
  | 'unreadable';

/** One French sentence per reason, for whoever pasted the address. */
const FETCH_REFUSAL_MESSAGES: Record<FetchRefusalReason, string> = {
  'not-https': 'L’adresse doit commencer par https://.',
  'host-not-allowed': 'Ce site ne fait pas partie des adresses acceptées.',
  'private-address': 'Cette adresse mène à un réseau privé.',
  'too-many-redirects': 'Cette adresse redirige trop de fois.',
  'bad-status': 'Le site n’a pas donné le fichier.',
  'too-large': 'Le fichier est trop lourd.',
  timeout: 'Le site n’a pas répondu à temps.',
  unreadable: 'Le site n’a pas pu être lu.',
};

/** Carried by every refusal, whichever copy of this module made it. */
const BRAND = Symbol.for('atelier.fetch-refusal');

/**
 * A refusal of `safeFetch`. The message is French and never holds the address, an answer's text or a secret; `detail` is a
 * short machine word for the log (e.g. `dns`, `tls`, `content-type`); `status` is the site's own, for `bad-status`.
 * The framework loads this module once for pages and once for routes, which share the process's ports: `instanceof` knows both.
 */
export class FetchRefusal extends Error {
  readonly reason: FetchRefusalReason;
  readonly detail: string | undefined;
  readonly status: number | undefined;
  readonly [BRAND] = true;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }

  constructor(
    reason: FetchRefusalReason,
    options: { detail?: string; status?: number; cause?: unknown } = {},
  ) {
    super(FETCH_REFUSAL_MESSAGES[reason], { cause: options.cause });
    this.name = 'FetchRefusal';
    this.reason = reason;
    this.detail = options.detail;
    this.status = options.status;
  }
}
