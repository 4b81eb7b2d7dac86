import type { MemberActor, MemberRole, Permission } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Sql } from '#lib/db/connection.ts';
import { SESSION_LIFETIME_MS } from './session-cookie.ts';

/** A visit moves the end of the session, at most once in this time. */
const SLIDE_AFTER_MS = 3_600_000;

const AUTHENTICATE_SESSION = `
WITH live AS (
  SELECT s.id, s."accountId", s."memberId", s."lastSeenAt", m.role::text AS role, m.permissions, m.name, m.email, a.name AS "accountName"
  FROM "Session" s JOIN "Member" m ON m.id = s."memberId" JOIN "Account" a ON a.id = s."accountId"
  WHERE s.id = $1 AND s."revokedAt" IS NULL AND s."expiresAt" > $2 AND m.status = 'ACTIVE'
), slid AS (
  UPDATE "Session" s SET "lastSeenAt" = $2, "expiresAt" = $3 FROM live WHERE s.id = live.id AND live."lastSeenAt" <= $4
), seen AS (
  UPDATE "Member" m SET "lastSeenAt" = $2 FROM live WHERE m.id = live."memberId" AND live."lastSeenAt" <= $4
)
SELECT "accountId", "memberId", role, permissions, name, email, "accountName" FROM live`;

type Row = {
  accountId: string;
  memberId: string;
  role: MemberRole;
  permissions: Permission[];
  name: string;
  email: string;
  accountName: string;
};

/** Who is signed in, as pages show it. */
export type MemberProfile = { name: string; email: string; accountName: string };

/**
 * The member behind a live session, in one round trip; slides its end to 30 days from now. Null: unknown, ended or revoked
 * session, or a member who is not active.
 */
export async function authenticateSession(
  deps: { sql: Sql; clock: Clock },
  sessionId: string,
): Promise<{ actor: MemberActor; profile: MemberProfile } | null> {
  const now = deps.clock.now();
  const [row] = await deps.sql.rows<Row>('authenticate-session', AUTHENTICATE_SESSION, [
    sessionId,
    now,
    new Date(now.getTime() + SESSION_LIFETIME_MS),
    new Date(now.getTime() - SLIDE_AFTER_MS),
  ]);
  if (!row) return null;
  const { accountId, memberId, role, permissions, name, email, accountName } = row;
  return {
    actor: { type: 'member', sessionId, accountId, memberId, role, permissions },
    profile: { name, email, accountName },
  };
}
