import type { Micros } from '#lib/core/money.ts';

/** Given with every call. */
export type CallOptions = {
  /** The caller's own cancellation; ends the call with reason `aborted`. */
  signal?: AbortSignal;
  /** Overrides the budget of the capability, in milliseconds, retries included. */
  timeoutMs?: number;
  /** The generation's id: sent where the provider honours it, so that a repeated start is one job. */
  idempotencyKey?: string;
  /** Whose spend it is, where the provider reports by it: the account's identifier, never an address nor a name. */
  accountId?: string;
};

/** What a service that opens the files of a request says is wrong with them: refused before anything is made. */
export type InputRefusal =
  | 'input-unreadable' // could not be fetched, or opened
  | 'input-too-long'
  | 'input-size' // its pixels
  | 'no-face'; // no face to move, or none that can be used

export type FailureReason =
  | 'timeout' // did not answer within its budget
  | 'aborted' // the caller gave up
  | 'unreachable' // no connection: DNS, refused, TLS
  | 'connection-lost' // cut after the request may have been sent
  | 'rate-limited'
  | 'unauthorized' // key missing, wrong or revoked
  | 'missing-permission' // the key is good but restricted
  | 'denied-by-rule' // the key is good: a rule of its owner's refuses this model or maker
  | 'quota-exhausted' // no credit or no quota left at the provider
  | 'content-refused' // moderation
  | 'invalid-request'
  | InputRefusal
  | 'not-found'
  | 'provider-error'
  | 'bad-answer' // answered something that its schema does not allow
  | 'not-configured'; // no key or repository for a live service

/**
 * Whether the same paid request may be sent again:
 * `surely-not-sent` no work was begun; `refused` the provider read it and declined, nothing billed, a repeat is
 * pointless; `unknown` it may have been done and billed, never repeat without an idempotency key.
 */
export type RetrySafety = 'surely-not-sent' | 'refused' | 'unknown';

export type ProviderFailure = {
  outcome: 'failed';
  reason: FailureReason;
  retrySafe: RetrySafety;
  /** HTTP status when there was an answer. */
  status?: number;
  /** Technical text for the row's `errorMessage`: no secret, at most 500 characters. Not for logs, spans or pages. */
  detail: string;
  /** Requests that were attempted. */
  attempts: number;
  elapsedMs: number;
  retryAfterMs?: number;
  /** True when the work was answered as done, and its answer was cut or refused here: it was paid for. */
  paid?: boolean;
  /** True when the work was answered as done with more bytes than are read: asked again, it would be as large. */
  tooLarge?: boolean;
  /** The job that a start under its key may have begun, by the service's own word: read as any other, whatever its repeats were told. */
  begunJobId?: string;
} & GatewayCharge;

/** What a gateway answer says of its own price. */
export type GatewayCharge = {
  gatewayGenerationId?: string;
  /** `providerMetadata.gateway.cost`, when present and readable. */
  costMicros?: Micros;
};
