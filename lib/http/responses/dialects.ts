import type { ErrorCode } from '#lib/core/errors.ts';

/**
 * The two halves of the product use different codes for a malformed request and for a fault of ours, as their specifications do. Each route
 * belongs to one half; no other code chooses between these spellings.
 */
export const DIALECTS = {
  brain: { malformed: 'invalid_request', fault: 'internal_error' },
  studio: { malformed: 'invalid', fault: 'internal-error' },
} as const satisfies Record<string, { malformed: ErrorCode; fault: ErrorCode }>;

export type HouseDialect = keyof typeof DIALECTS;

/** How a route words its refusals: in the house shape, or as the protocol that it speaks wants. */
export type Dialect = HouseDialect | 'oauth' | 'json-rpc' | 'page';
