import { MICROS_PER_USD } from '#lib/core/money.ts';

/** Times of the studio (S-157 to S-161), in milliseconds. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Life of a video's reserve: from here its outcome is `video_timeout`, whoever looks. */
export const VIDEO_DEADLINE_MS = 120 * MINUTE;
/** From a render's dispatch: from here its outcome is `no-callback`. */
export const RENDER_DEADLINE_MS = 100 * MINUTE;
/** The first sweep after this long takes up a row left by a dead process, or a pending debit. */
export const SETTLE_AFTER_MS = 15 * MINUTE;
/** The sweep looks at a running job from here on. */
export const JOB_SWEEP_AFTER_MS = 5 * MINUTE;
/** A read of the row asks the provider from here on. */
export const READ_AFTER_MS = 15 * SECOND;
/** However many readers there are, the provider is asked once in this time. */
export const READ_EVERY_MS = 2 * SECOND;
/** A reader or a webhook that found the job finished has this long to fetch its file before another reader tries. */
export const CLOSING_LEASE_MS = 60 * SECOND;
/** A file that was stored before its debit is listed by the store this long after it at the latest; until then its row waits for it. */
export const LISTED_WITHIN_MS = 10 * MINUTE;
/** A row that a sweep claimed is due again after this long: just under the five minutes between two sweeps. */
export const SWEEP_LEASE_MS = 4.5 * MINUTE;
/** A callback that finds no run recorded yet is asked to come again during this time; later, its run is adopted. */
export const ADOPT_RUN_AFTER_MS = 45 * SECOND;

/** How long a closing waits for the mail server: for its spend alert, which the sweep sends again, and for the mail about an implausible cost. */
export const ALERT_WAIT_MS = 2 * SECOND;

/** A gateway cost further than this from the formula is audited. */
export const DIVERGENCE_PERCENT = 20n;

/**
 * A gateway cost above this multiple of the formula, or above the amount below without a formula to explain it, is implausible; so is a
 * provider's count, compared with the held amount.
 */
export const IMPLAUSIBLE_FACTOR = 20n;
export const IMPLAUSIBLE_MICROS = 50n * MICROS_PER_USD;

/** Largest result file read from a provider. */
export const MAX_RESULT_BYTES = 100 * 1024 * 1024;
export const RESULT_FETCH_TIMEOUT_MS = 60 * SECOND;
export const REFERENCES_PER_IMAGE = 6;
export const MAX_RENDER_FILES = 50;

/** A journal says « plus de » this many rows instead of counting them all. */
export const JOURNAL_COUNT_LIMIT = 10_000;
/** Debits that wait are listed up to this many, the oldest first. */
export const PENDING_CHARGES_SHOWN = 100;
/** How many generations one request of the composer may ask for. */
export const MAX_VARIANTS = 4;
