import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { GenerationKind } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { briefOf, isAnyOf } from '#lib/db/values.ts';
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
        .selectFrom('OAuthGrant as g')
        .innerJoin('OAuthClient as c', 'c.id', 'g.clientId')
        .select(['g.id', 'c.name'])
        .where('g.accountId', '=', p.accountId)
        .where(isAnyOf('g.id', p.ids)),
    )
    .unionAll(
      db
        .selectFrom('MemoryProposal')
        .select(['id', 'title as name'])
        .where('accountId', '=', p.accountId)
        .where(isAnyOf('id', p.ids)),
    )
    .unionAll(
      db
        .selectFrom('CaptureRush')
        .select(['id', 'title as name'])
        .where('accountId', '=', p.accountId)
        .where(isAnyOf('id', p.ids)),
    )
    .unionAll(
      db
        .selectFrom('Lesson')
        .select(['id', sql<string>`left("text", 140)`.as('name')])
        .where('accountId', '=', p.accountId)
        .where(isAnyOf('id', p.ids)),
    )
    .unionAll(
      db
        .selectFrom('ShareLink as l')
        .innerJoin('Space as s', 's.id', 'l.spaceId')
        .select(['l.id', 's.name'])
        .where('l.accountId', '=', p.accountId)
        .where('s.accountId', '=', p.accountId)
        .where(isAnyOf('l.id', p.ids)),
    );
});

type Work = { id: string; ofId: string; kind: GenerationKind; brief: string | null };

/** Generations, their files and the links that show them, with the kind and the brief of each. */
const findWorks = prepared('audit.works', (db, p: Params<{ accountId: string; ids: string[] }>) => {
  const kindAndBrief = [
    sql<GenerationKind>`g."kind"::text`.as('kind'),
    briefOf('g.params').as('brief'),
  ] as const;
  return db
    .selectFrom('Generation as g')
    .select(['g.id as id', 'g.id as ofId', ...kindAndBrief])
    .where('g.accountId', '=', p.accountId)
    .where(isAnyOf('g.id', p.ids))
    .unionAll(
      db
        .selectFrom('Asset as a')
        .innerJoin('Generation as g', 'g.id', 'a.generationId')
        .select(['a.id as id', 'g.id as ofId', ...kindAndBrief])
        .where('a.accountId', '=', p.accountId)
        .where(isAnyOf('a.id', p.ids)),
    )
    .unionAll(
      db
        .selectFrom('ShareLink as l')
        .innerJoin('Asset as a', 'a.id', 'l.assetId')
        .innerJoin('Generation as g', 'g.id', 'a.generationId')
        .select(['l.id as id', 'g.id as ofId', ...kindAndBrief])
        .where('l.accountId', '=', p.accountId)
        .where('a.accountId', '=', p.accountId)
        .where(isAnyOf('l.id', p.ids)),
    );
});

/** The parent Memories, before and after, that an entry records. */
export function parentsIn(data: Readonly<Record<string, unknown>>): string[] {
  return [data.from, data.to].flatMap((place) => {
    const id = place !== null && typeof place === 'object' && 'parentId' in place ? place.parentId : null;
    return typeof id === 'string' ? [id] : [];
  });
}

/**
 * Names of the members, keys, Spaces, Memories (until they are erased), projects, avatars, concepts, applications, proposals, kept files and
 * lessons of the account that audit entries tell of, by identifier; of a generation its kind and what was asked, of its files what was asked,
 * of a link what it shows.
 */
export async function auditNames(
  ctx: Context<AccountActor>,
  entries: readonly {
    actor: string;
    subjectId: string | null;
    data?: Readonly<Record<string, unknown>>;
  }[],
): Promise<Map<string, string>> {
  const ids = new Set<string>();
  for (const { actor, subjectId, data } of entries) {
    const colon = actor.indexOf(':');
    if (colon > 0) ids.add(actor.slice(colon + 1));
    if (subjectId) ids.add(subjectId);
    for (const id of parentsIn(data ?? {})) ids.add(id);
  }
  if (ids.size === 0) return new Map();
  const asked = { accountId: ctx.actor.accountId, ids: [...ids] };
  const [named, works] = await Promise.all([
    findNames.all(ctx.kysely, asked),
    findWorks.all(ctx.kysely, asked),
  ]);
  return new Map([
    ...named.map(({ id, name }) => [id, name] as const),
    ...works.map((work) => [work.id, nameOfWork(work)] as const),
  ]);
}

/** A generation has no name: its kind says what it is, and its brief which. */
function nameOfWork({ id, ofId, kind, brief }: Work): string {
  const label = KIND_LABELS[kind];
  const words = brief?.replace(/\s+/g, ' ').trim();
  if (!words) return label;
  return id === ofId ? `${label}\u00a0: ${words}` : words;
}
