import { sql } from 'kysely';
import type { MemberActor, Permission } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { commonSpaces, reachOf } from '#lib/db/space-rights.ts';
import type { Executor } from '#lib/db/types.ts';
import { countRequest, type RateCounts, type RateParams, rateOf } from '../rate/rate-limit.ts';
import { SESSION_LIFETIME_MS, SESSION_LONGEST_MS } from './session-cookie.ts';

const LONGEST = sql.lit(`${SESSION_LONGEST_MS / 1000} seconds`);
/** A visit extends the session, at most once in this time. */
const SLIDE_AFTER_MS = 3_600_000;

type SessionParams = RateParams & { sessionId: string; now: Date; newEnd: Date; slideBefore: Date };

const findSession = prepared('authenticate-session', (db, p: Params<SessionParams>) => {
  const live = db
    .with('credential', (one) =>
      one
        .selectFrom('Session as s')
        .innerJoin('Member as m', 'm.id', 's.memberId')
        .innerJoin('Account as a', 'a.id', 'm.accountId')
        .select([
          's.id',
          'm.accountId',
          'm.id as memberId',
          's.lastSeenAt',
          's.createdAt',
          's.verifiedAt',
          'm.role',
          'm.permissions',
          commonSpaces('m.role', 'm.spaceRights').as('spaces'),
          'm.name',
          'm.email',
          'a.name as accountName',
          'a.isOperator',
          'a.closedAt',
        ])
        .where('s.id', '=', p.sessionId)
        .where('s.revokedAt', 'is', null)
        .where('s.expiresAt', '>', p.now)
        .where('m.status', '=', 'ACTIVE')
        .where('a.erasingAt', 'is', null),
    )
    .with('seen', (one) =>
      one
        .updateTable('Member')
        .from('credential')
        .set({ lastSeenAt: p.now })
        .whereRef('Member.id', '=', 'credential.memberId')
        .where('Member.status', '=', 'ACTIVE')
        .where('credential.lastSeenAt', '<=', p.slideBefore)
        .returning('Member.id'),
    )
    // Locked after the member's row, in the same order as ending a member: the member first, then the sessions.
    .with('slid', (one) =>
      one
        .updateTable('Session')
        .from('credential')
        .set((eb) => ({
          lastSeenAt: p.now,
          expiresAt: sql<Date>`least(${p.newEnd}::timestamptz, ${eb.ref('credential.createdAt')} + ${LONGEST}::interval)`,
        }))
        .whereRef('Session.id', '=', 'credential.id')
        .where((eb) => eb.exists(eb.selectFrom('seen').select('seen.id'))),
    );
  return countRequest(live, p, 'memberId')
    .selectFrom('credential as c')
    .innerJoin('rated as n', (join) => join.onTrue())
    .select([
      'c.accountId',
      'c.memberId',
      'c.role',
      'c.permissions',
      'c.spaces',
      'c.name',
      'c.email',
      'c.accountName',
      'c.isOperator',
      'c.closedAt',
      'c.verifiedAt',
      'n.requests',
      'n.writes',
      'n.ownPasses',
      'n.accountPasses',
    ]);
});

/** Who is signed in, as pages show it. */
export type MemberProfile = { name: string; email: string; accountName: string };

/**
 * The member behind a live session, in one round trip; slides its end to 30 days from now, never past 90 days from its sign-in, and
 * counts the request against the rate of the member's browsers and of the account. Null: unknown, ended or revoked session, or a
 * member who is not active.
 */
export async function authenticateSession(
  deps: { kysely: Executor; clock: Clock; accountRequests?: number | undefined },
  sessionId: string,
  options: { isWrite: boolean } = { isWrite: false },
): Promise<{ actor: MemberActor; profile: MemberProfile; rate: RateCounts } | null> {
  const now = deps.clock.now();
  const rate = rateOf(now, 'member', { ...options, accountRequests: deps.accountRequests });
  const row = await findSession.first(deps.kysely, {
    ...rate.params,
    sessionId,
    now,
    newEnd: new Date(now.getTime() + SESSION_LIFETIME_MS),
    slideBefore: new Date(now.getTime() - SLIDE_AFTER_MS),
  });
  if (!row) return null;
  const { accountId, memberId, role, name, email, accountName, isOperator: operator, verifiedAt } = row;
  const permissions = row.permissions as Permission[];
  return {
    actor: {
      type: 'member',
      sessionId,
      accountId,
      memberId,
      role,
      permissions,
      operator,
      ...(row.closedAt ? { closed: true } : {}),
      ...(verifiedAt ? { verifiedAt } : {}),
      ...reachOf(row.spaces),
    },
    profile: { name, email: email ?? '', accountName },
    rate: rate.counts(row),
  };
}
