/** Endpoints of one account. */
export const MAX_ENDPOINTS = 10;
/** Characters of an address. */
export const MAX_URL_LENGTH = 1_000;
/** An event is retried for this long after it happened, or after it was sent again by hand. */
export const RETRY_MS = 24 * 3_600_000;
/** An endpoint that refused everything for this long is disabled, with the event that it refused to its end. */
export const FAILING_MS = 24 * 3_600_000;
/** An event is first sent within this, by the scheduler: its refusals last so much less than it was retried. */
export const FIRST_SENT_MS = 5 * 60_000;
/** From this many failures in a row on, an endpoint rests and is tried with one event at a time. */
export const FAILURES_TO_REST = 3;
/** Waiting events past which an endpoint is disabled. */
export const MAX_WAITING = 50_000;
/** Time for one sending: name, connection, answer. */
export const SEND_MS = 5_000;
/** A claimed row is sent again after this long, should its sender have died. Well above SEND_MS and what marks it. */
export const LEASE_MS = 60_000;
/** How long the previous secret goes on signing. */
export const OVERLAP_HOURS = [0, 24, 72] as const;
