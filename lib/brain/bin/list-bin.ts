import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { BIN_PAGE, binEnd, erasedBefore } from '#lib/core/bin-time.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { givenSpaces, isReached } from '#lib/db/space-rights.ts';
import { canWriteIn } from '../require-brain-write.ts';
import type { PillarRole, SpaceTemplate } from '../templates.ts';

/** What one gesture deleted. */
export type Deletion = {
  deletionId: string;
  /** Of the Memory that was deleted; what it contained went with it. */
  memoryId: string;
  title: string;
  /** Its first words; empty for who may not write in its Space, as its history is missing for them. */
  excerpt: string;
  memories: number;
  cu: number;
  role: PillarRole;
  spaceId: string;
  spaceName: string;
  template: SpaceTemplate;
  /** An archived Space has to be brought back first. */
  archived: boolean;
  deletedAt: Date;
  erasedAt: Date;
  /** Name of the member or of the key that deleted it; null for another. */
  by: string | null;
};

/** Whether its Space is not archived, and one that the actor may write in. */
const comesBack = (writable: Expression<unknown>) =>
  sql<boolean>`(${sql.ref('s.archivedAt')} is null and ${isReached(writable, sql.ref<string>('s.id'))})`;

const readBin = prepared(
  'bin.list',
  (
    db,
    p: Params<{
      accountId: string;
      given: string | null;
      writable: string | null;
      since: Date;
      skip: number;
    }>,
  ) =>
    db
      .selectFrom('Memory as m')
      .innerJoin('Space as s', 's.id', 'm.spaceId')
      .leftJoin('MemoryRevision as r', (join) =>
        join.onRef('r.memoryId', '=', 'm.id').onRef('r.version', '=', 'm.version'),
      )
      .leftJoin('Member as w', (join) =>
        join.on('w.accountId', '=', p.accountId).on(sql<SqlBool>`r.actor = 'member:' || w.id`),
      )
      .leftJoin('DeveloperKey as k', (join) =>
        join.on('k.accountId', '=', p.accountId).on(sql<SqlBool>`r.actor = 'key:' || k.id`),
      )
      .select((eb) => [
        'm.id as memoryId',
        'm.title',
        sql<string>`case when ${isReached(p.writable, eb.ref('s.id'))} then left(m.body, 200) else '' end`.as(
          'excerpt',
        ),
        'm.role',
        sql<Date>`m."deletedAt"`.as('deletedAt'),
        sql<string>`m."deletionId"`.as('deletionId'),
        's.id as spaceId',
        's.name as spaceName',
        's.template',
        eb('s.archivedAt', 'is not', null).$castTo<boolean>().as('archived'),
        eb.fn.coalesce('w.name', 'k.name').as('by'),
        sql<number>`(select count(*)::int from "Memory" one where one."deletionId" = m."deletionId")`.as(
          'memories',
        ),
        sql<number>`(select sum(one.cu)::int from "Memory" one where one."deletionId" = m."deletionId")`.as(
          'cu',
        ),
        sql<number>`count(*) over ()::int`.as('deletions'),
        sql<number>`(count(*) filter (where ${comesBack(p.writable)}) over ())::int`.as('restorable'),
      ])
      .where('m.accountId', '=', p.accountId)
      .where((eb) => isReached(p.given, eb.ref('s.id')))
      .where('m.deletedAt', '>=', p.since)
      .where('m.deletionId', 'is not', null)
      // The one that was deleted, not what went with it.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('Memory as above')
              .select('above.id')
              .whereRef('above.id', '=', 'm.parentId')
              .whereRef('above.deletionId', '=', 'm.deletionId'),
          ),
        ),
      )
      // Those that can be brought back have the places of the page before the others.
      .orderBy(comesBack(p.writable), 'desc')
      .orderBy('m.deletedAt', 'desc')
      .orderBy('m.id', 'desc')
      .limit(BIN_PAGE)
      .offset(sql<number>`${p.skip}`),
);

/**
 * What was deleted within reach in the last 30 days: 100 of `total` at most, after `skip` others, latest first. Where there are more, those that
 * the actor can bring back, `restorable` in all, come before those of an archived Space or of one that is only read. Both counts are 0 past the end.
 */
export async function listBin(
  ctx: Context<AccountActor>,
  { skip = 0 }: { skip?: number } = {},
): Promise<{ deletions: Deletion[]; total: number; restorable: number }> {
  const rows = await readBin.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    given: givenSpaces(ctx.actor),
    writable: writableSpaces(ctx.actor),
    since: erasedBefore(ctx.clock.now()),
    skip,
  });
  return {
    deletions: rows
      .map(({ deletions: _, restorable: __, ...row }) => ({ ...row, erasedAt: binEnd(row.deletedAt) }))
      .sort((a, b) => b.deletedAt.getTime() - a.deletedAt.getTime() || (a.memoryId < b.memoryId ? 1 : -1)),
    total: rows[0]?.deletions ?? 0,
    restorable: rows[0]?.restorable ?? 0,
  };
}

/** The Spaces that the actor may write in, as the parameter of `isReached`. */
function writableSpaces(actor: AccountActor): string | null {
  if (actor.spaces === undefined && hasPermission(actor, 'brain.write')) return null;
  const ids = Object.keys(actor.spaces ?? {}).filter((id) => canWriteIn(actor, id));
  return JSON.stringify(Object.fromEntries(ids.map((id) => [id, 'write'])));
}
