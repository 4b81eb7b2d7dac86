import { sql } from 'kysely';
import type { MemberActor, Permission } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Executor } from '#lib/db/types.ts';
import { SESSION_LIFETIME_MS, SESSION_LONGEST_MS } from './session-cookie.ts';

const LONGEST = sql.lit(`${SESSION_LONGEST_MS / 1000} seconds`);
/** A visit moves the end of the session, at most once in this time. */
const SLIDE_AFTER_MS = 3_600_000;

type SessionParams = { sessionId: string; now: Date; newEnd: Date; slideBefore: Date };

const findSession = prepared('authenticate-session', (db, p: Params<SessionParams>) =>
  db
    .with('live', (one) =>
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
          'm.role',
          'm.permissions',
          'm.name',
          'm.email',
          'a.name as accountName',
        ])
        .where('s.id', '=', p.sessionId)
        .where('s.revokedAt', 'is', null)
        .where('s.expiresAt', '>', p.now)
        .where('m.status', '=', 'ACTIVE'),
    )
    .with('slid', (one) =>
      one
        .updateTable('Session')
        .from('live')

        .set((eb) => ({
          lastSeenAt: p.now,
          expiresAt: sql<Date>`least(${p.newEnd}::timestamptz, ${eb.ref('live.createdAt')} + ${LONGEST}::interval)`,
        }))
        .whereRef('Session.id', '=', 'live.id')
        .where('live.lastSeenAt', '<=', p.slideBefore),
    )
    .with('seen', (one) =>
      one
        .updateTable('Member')
        .from('live')
        .set({ lastSeenAt: p.now })
        .whereRef('Member.id', '=', 'live.memberId')
        .where('live.lastSeenAt', '<=', p.slideBefore),
    )
    .selectFrom('live')
    .select(['accountId', 'memberId', 'role', 'permissions', 'name', 'email', 'accountName']),
);

/** Who is signed in, as pages show it. */
export type MemberProfile = { name: string; email: string; accountName: string };

/**
 * The member behind a live session, in one round trip; slides its end to 30 days from now, never past 90 days from its sign-in. Null: unknown, ended or revoked
 * session, or a member who is not active.
 */
export async function authenticateSession(
  deps: { kysely: Executor; clock: Clock },
  sessionId: string,
): Promise<{ actor: MemberActor; profile: MemberProfile } | null> {
  const now = deps.clock.now();
  const row = await findSession.first(deps.kysely, {
    sessionId,
    now,
    newEnd: new Date(now.getTime() + SESSION_LIFETIME_MS),
    slideBefore: new Date(now.getTime() - SLIDE_AFTER_MS),
  });
  if (!row) return null;
  const { accountId, memberId, role, permissions, name, email, accountName } = row;
  return {
    actor: { type: 'member', sessionId, accountId, memberId, role, permissions: permissions as Permission[] },
    profile: { name, email: email ?? '', accountName },
  };
}
