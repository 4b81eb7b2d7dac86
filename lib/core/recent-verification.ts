import type { Context } from './context.ts';
import { ServiceError } from './errors.ts';

/** How long a sign-in, a passkey or a mailed code proves that the person is there. */
const VERIFICATION_LIFETIME_MS = 10 * 60_000;

/**
 * Whether what was proved in this session is recent enough for what a stolen session must not do. Keys, applications, jobs and the
 * shell are not concerned: their own rights say what they may do.
 */
export function isRecentlyVerified({ actor, clock }: Pick<Context, 'actor' | 'clock'>): boolean {
  if (actor.type === 'anonymous' || actor.type === 'person') return false;
  if (actor.type !== 'member') return true;
  const { verifiedAt } = actor;
  return verifiedAt !== undefined && clock.now().getTime() - verifiedAt.getTime() <= VERIFICATION_LIFETIME_MS;
}

/** Errors: `verification_required` unless the session proved less than ten minutes ago who is there; nothing was done then. */
export function requireRecentVerification(ctx: Pick<Context, 'actor' | 'clock'>): void {
  if (!isRecentlyVerified(ctx)) throw new ServiceError('verification_required');
}
