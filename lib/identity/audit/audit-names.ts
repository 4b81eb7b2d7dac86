import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

const NAMES = `
SELECT id, name FROM "Member" WHERE "accountId" = $1 AND id = ANY($2)
UNION ALL SELECT id, name FROM "DeveloperKey" WHERE "accountId" = $1 AND id = ANY($2)
UNION ALL SELECT id, name FROM "Space" WHERE "accountId" = $1 AND id = ANY($2)
UNION ALL SELECT id, name FROM "Project" WHERE "accountId" = $1 AND id = ANY($2)
UNION ALL SELECT g.id, c.name FROM "OAuthGrant" g JOIN "OAuthClient" c ON c.id = g."clientId"
  WHERE g."accountId" = $1 AND g.id = ANY($2)`;

/** Names of the members, keys, Spaces, projects and applications of the account that audit entries tell of, by identifier. */
export async function auditNames(
  ctx: Context<AccountActor>,
  entries: readonly { actor: string; subjectId: string | null }[],
): Promise<Map<string, string>> {
  const ids = new Set<string>();
  for (const { actor, subjectId } of entries) {
    const colon = actor.indexOf(':');
    if (colon > 0) ids.add(actor.slice(colon + 1));
    if (subjectId) ids.add(subjectId);
  }
  if (ids.size === 0) return new Map();
  const rows = await ctx.sql.rows<{ id: string; name: string }>('audit.names', NAMES, [
    ctx.actor.accountId,
    [...ids],
  ]);
  return new Map(rows.map((row) => [row.id, row.name]));
}
