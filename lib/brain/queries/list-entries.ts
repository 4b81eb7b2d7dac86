import { sql } from 'kysely';
import { z } from 'zod';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { storableInstant } from '#lib/core/input/storable-instant.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { givenSpaces, isReached } from '#lib/db/space-rights.ts';
import { isBeyondPlace } from '#lib/db/values.ts';
import { type PillarRole, type SpaceTemplate, TEMPLATES } from '../templates.ts';

const PAGE_ROWS = 100;

export type Entry =
  | { kind: 'space'; id: string; name: string; memories: number; updatedAt: Date }
  | { kind: 'memory'; id: string; title: string; spaceName: string; pillarLabel: string; updatedAt: Date };

type Place = { spaceCreatedAt: Date; spaceId: string; createdAt: Date | null; memoryId: string | null };

// A Space's Memories are read through its own index, and no further than the page goes.
const readPage = prepared(
  'list-entries',
  (
    db,
    p: Params<
      { accountId: string; given: string | null; rows: number } & { [K in keyof Place]: Place[K] | null }
    >,
  ) =>
    db
      .selectFrom('Space as s')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('Memory as one')
            .select(['one.id', 'one.title', 'one.role', 'one.createdAt', 'one.updatedAt'])
            .whereRef('one.spaceId', '=', 's.id')
            .where('one.deletedAt', 'is', null)
            .where(
              isBeyondPlace(
                '>',
                ['one.createdAt', 'one.id'],
                [
                  sql`case when s.id = ${p.spaceId}::text then ${p.createdAt}::timestamptz end`,
                  sql`case when s.id = ${p.spaceId}::text then ${p.memoryId}::text end`,
                ],
              ),
            )
            .orderBy('one.createdAt')
            .orderBy('one.id')
            .limit(p.rows as never)
            .as('m'),
        (join) => join.onTrue(),
      )
      .select([
        's.id as spaceId',
        's.name as spaceName',
        's.template',
        's.memories',
        's.createdAt as spaceCreatedAt',
        's.updatedAt as spaceUpdatedAt',
        'm.id as memoryId',
        'm.title',
        'm.role',
        'm.createdAt',
        'm.updatedAt',
      ])
      .where('s.accountId', '=', p.accountId)
      .where('s.archivedAt', 'is', null)
      .where((eb) => isReached(p.given, eb.ref('s.id')))
      .where(isBeyondPlace('>=', ['s.createdAt', 's.id'], [p.spaceCreatedAt, p.spaceId]))
      .orderBy('s.createdAt')
      .orderBy('s.id')
      .orderBy('m.createdAt')
      .orderBy('m.id')
      .limit(p.rows as never),
);

/**
 * What an account holds, by name alone: each living Space within reach, oldest first, followed by its Memories; a page of 100 Memories at
 * most, and the cursor of the next. Consumes no read: no text is in it. Errors: `invalid_request` (a cursor that is none of ours).
 */
export async function listEntries(
  ctx: Context<AccountActor>,
  cursor: string | undefined,
): Promise<{ entries: Entry[]; next: string | null }> {
  const after = cursor === undefined ? null : readCursor(cursor);
  const found = await readPage.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    given: givenSpaces(ctx.actor),
    rows: PAGE_ROWS + 1,
    spaceCreatedAt: after?.spaceCreatedAt ?? null,
    spaceId: after?.spaceId ?? null,
    createdAt: after?.createdAt ?? null,
    memoryId: after?.memoryId ?? null,
  });
  const rows = found.slice(0, PAGE_ROWS);
  const entries: Entry[] = [];
  let inSpace = after?.spaceId;
  for (const row of rows) {
    if (row.spaceId !== inSpace) entries.push(spaceEntry(row));
    inSpace = row.spaceId;
    if (row.memoryId !== null) entries.push(memoryEntry(row as MemoryRow));
  }
  const last = rows.at(-1);
  return { entries, next: found.length > PAGE_ROWS && last ? writeCursor(last) : null };
}

type Row = {
  spaceId: string;
  spaceName: string;
  template: SpaceTemplate;
  memories: number;
  spaceUpdatedAt: Date;
};
type MemoryRow = Row & { memoryId: string; title: string; role: PillarRole; updatedAt: Date };

function spaceEntry({ spaceId, spaceName, memories, spaceUpdatedAt }: Row): Entry {
  return { kind: 'space', id: spaceId, name: spaceName, memories, updatedAt: spaceUpdatedAt };
}

function memoryEntry({ memoryId, title, spaceName, template, role, updatedAt }: MemoryRow): Entry {
  const pillarLabel = TEMPLATES[template].pillars[role].label;
  return { kind: 'memory', id: memoryId, title, spaceName, pillarLabel, updatedAt };
}

function writeCursor({ spaceCreatedAt, spaceId, createdAt, memoryId }: Place): string {
  const place = [spaceCreatedAt.toISOString(), spaceId, createdAt?.toISOString() ?? null, memoryId];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

const id = z.string().regex(/^[a-z]{3}_[0-9A-Za-z]{1,60}$/);
const cursorSchema = z.tuple([storableInstant, id, storableInstant.nullable(), id.nullable()]);

function readCursor(cursor: string): Place {
  try {
    const text = Buffer.from(cursor.slice(0, 400), 'base64url').toString();
    const [spaceCreatedAt, spaceId, createdAt, memoryId] = cursorSchema.parse(JSON.parse(text));
    return {
      spaceCreatedAt: new Date(spaceCreatedAt),
      spaceId,
      createdAt: createdAt === null ? null : new Date(createdAt),
      memoryId,
    };
  } catch {
    const message = 'Ce curseur n’est pas de ce service\u00a0: reprenez la liste depuis son début.';
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'cursor', message }] });
  }
}
