import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ID_PREFIXES } from '#lib/core/ids.ts';
import type { GenerationKind } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';

const findNames = prepared('audit.names', (db, p: Params<{ accountId: string; ids: string[] }>) => {
  const of = (table: 'Member' | 'DeveloperKey' | 'Space' | 'Project' | 'Avatar' | 'Concept') =>
    db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('accountId', '=', p.accountId)
      .where(isAnyOf('id', p.ids));
  return of('Member')
    .unionAll(of('DeveloperKey'))
    .unionAll(of('Space'))
    .unionAll(of('Project'))
    .unionAll(of('Avatar'))
    .unionAll(of('Concept'))
    .unionAll(
      db
        .selectFrom('Memory')
        .select(['id', 'title as name'])
        .where('accountId', '=', p.accountId)
        .where(isAnyOf('id', p.ids)),
    )
    .unionAll(
      db
        .selectFrom('Generation')
        .select((eb) => ['id', eb.cast<string>('kind', 'text').as('name')])
        .where('accountId', '=', p.accountId)
        .where(isAnyOf('id', p.ids)),
    )
    .unionAll(
      db
        .selectFrom('OAuthGrant as g')
        .innerJoin('OAuthClient as c', 'c.id', 'g.clientId')
        .select(['g.id', 'c.name'])
        .where('g.accountId', '=', p.accountId)
        .where(isAnyOf('g.id', p.ids)),
    );
});

/** Names of the members, keys, Spaces, Memories (until they are erased), projects, avatars, concepts and applications of the account that audit entries tell of, by identifier; of a generation its kind. */
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
  const rows = await findNames.all(ctx.kysely, { accountId: ctx.actor.accountId, ids: [...ids] });
  return new Map(rows.map(({ id, name }) => [id, kindLabel(id, name)]));
}

/** A generation has no name: its kind says what it is. */
function kindLabel(id: string, name: string): string {
  return id.startsWith(`${ID_PREFIXES.generation}_`) && Object.hasOwn(KIND_LABELS, name)
    ? KIND_LABELS[name as GenerationKind]
    : name;
}
