import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { OAuthScope } from './protocol/config.ts';

/** One application that a member of the account let in, however many times it connected. */
export type ConnectedApplication = {
  clientId: string;
  name: string;
  uri: string | null;
  /** Host of its metadata document, when it has one. */
  provenHost: string | null;
  member: { id: string; name: string };
  scopes: OAuthScope[];
  resources: string[];
  connections: number;
  connectedAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
};

const LIST = `
SELECT c.id AS "clientId", c.name, c.uri, m.id AS "memberId", m.name AS "memberName",
  (SELECT array_agg(DISTINCT s ORDER BY s) FROM unnest(string_to_array(string_agg(array_to_string(g.scopes, ' '), ' '), ' ')) s) AS scopes,
  array_agg(DISTINCT g.resource ORDER BY g.resource) AS resources, count(*)::int AS connections,
  min(g."createdAt") AS "connectedAt", max(g."lastUsedAt") AS "lastUsedAt", max(g."expiresAt") AS "expiresAt"
FROM "OAuthGrant" g JOIN "OAuthClient" c ON c.id = g."clientId" JOIN "Member" m ON m.id = g."memberId"
WHERE g."accountId" = $1 AND ($2::text IS NULL OR g."memberId" = $2)
  AND g."revokedAt" IS NULL AND g."activatedAt" IS NOT NULL AND g."expiresAt" > $3
GROUP BY c.id, c.name, c.uri, m.id, m.name
ORDER BY max(g."lastUsedAt") DESC NULLS LAST, min(g."createdAt") DESC, c.id
LIMIT 200`;

type Row = Omit<ConnectedApplication, 'member' | 'provenHost'> & { memberId: string; memberName: string };

/** Applications with a living connection: a member's own; a founder sees everyone's. The last used first, at most 200. */
export async function listApplications(ctx: Context<MemberActor>): Promise<ConnectedApplication[]> {
  const { accountId, memberId, role } = ctx.actor;
  const rows = await ctx.sql.rows<Row>('oauth-list-applications', LIST, [
    accountId,
    role === 'FOUNDER' ? null : memberId,
    ctx.clock.now(),
  ]);
  return rows.map(({ memberId: id, memberName: name, ...row }) => ({
    ...row,
    member: { id, name },
    provenHost: row.clientId.startsWith('https://') ? new URL(row.clientId).host : null,
  }));
}
