import type { Micros } from '#lib/core/money.ts';

/** Given with every call. */
export type CallOptions = {
  /** The caller's own cancellation; ends the call with reason `aborted`. */
  signal?: AbortSignal;
  /** Overrides the budget of the capability, in milliseconds, retries included. */
  timeoutMs?: number;
  /** The generation's id: sent where the provider honours it, so that a repeated start makes one job. */
  idempotencyKey?: string;
  /** The account to report spending by, where the provider does: its identifier, never an address or a name. */
  accountId?: string;
};

/** Why a service refuses the files of a request, before anything is made. */
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
  /** True when the answer said that the work was done, and was then cut or rejected here: it was paid. */
  paid?: boolean;
  /** True when the answer to finished work exceeds the size limit: another read would be as large. */
  tooLarge?: boolean;
  /**
   * The job that a start under an idempotency key may have begun, as named by the service: it is read as any other, whatever the repeated
   * starts were answered.
   */
  begunJobId?: string;
} & GatewayCharge;

/** The price reported in a gateway answer. */
export type GatewayCharge = {
  gatewayGenerationId?: string;
  /** `providerMetadata.gateway.cost`, when present and readable. */
  costMicros?: Micros;
};
