import { type Expression, type RawBuilder, sql } from 'kysely';

/** What may be done in one Space. Writing takes the right `brain.write` (and its scope) besides. */
export type SpaceAccess = 'read' | 'write';

/** The Spaces that a member, a key or an application was given, by identifier. Wherever it is absent or null: all of them. */
export type SpaceRights = Readonly<Record<string, SpaceAccess>>;

/** The Spaces within reach of an actor. */
export type Reach = { readonly spaces?: SpaceRights };

/**
 * The rule of Space access: whether a Space is among those granted. `given` is the JSON of `SpaceRights`, null for all. Every statement that
 * reads a Space or its content applies it: a Space out of reach counts as missing, hence is neither counted nor named.
 */
export function isReached(
  given: Expression<unknown>,
  spaceId: Expression<string | null>,
): RawBuilder<boolean> {
  return sql<boolean>`(${given}::jsonb is null or jsonb_exists(${given}::jsonb, ${spaceId}))`;
}

/** `isReached` for an actor who is known when the statement is written; `column` holds the Space's identifier. `write`: among those to write in. */
export function isWithinReach(
  { spaces }: Reach,
  column: string,
  access: SpaceAccess = 'read',
): RawBuilder<boolean> {
  if (spaces === undefined) return sql<boolean>`true`;
  const given = Object.entries(spaces).filter(([, one]) => access === 'read' || one === 'write');
  return isReached(sql`${JSON.stringify(Object.fromEntries(given))}`, sql.ref<string>(column));
}

/** The actor's Spaces as the parameter of a prepared statement that asks `isReached`. */
export function givenSpaces({ spaces }: Reach): string | null {
  return spaces === undefined ? null : JSON.stringify(spaces);
}

/** The same rule as a condition of Prisma's on the column that holds a Space's identifier: `AND: reachedBy('spaceId', actor)`. */
export function reachedBy<C extends string>(column: C, { spaces }: Reach): { [K in C]?: { in: string[] } } {
  return spaces === undefined
    ? {}
    : ({ [column]: { in: Object.keys(spaces) } } as { [K in C]: { in: string[] } });
}

/** Whether the actor was given this Space, to read or to write in. */
export function reaches({ spaces }: Reach, spaceId: string, access: SpaceAccess = 'read'): boolean {
  if (spaces === undefined) return true;
  const given = Object.hasOwn(spaces, spaceId) ? spaces[spaceId] : undefined;
  return given === 'write' || given === access;
}

/**
 * The Spaces of a credential (`own`) within those of its member (`members`), as SQL on the two columns: both must grant, and the lesser access
 * counts. A founder has all, whatever the row says.
 */
export function commonSpaces(role: string, members: string, own?: string): RawBuilder<SpaceRights | null> {
  const member = sql`case when ${sql.ref(role)} = 'FOUNDER' then null else ${sql.ref(members)} end`;
  if (own === undefined) return sql<SpaceRights | null>`${member}`;
  const credential = sql.ref(own);
  return sql<SpaceRights | null>`case when (${member}) is null then ${credential} when ${credential} is null then ${member}
    else (select coalesce(jsonb_object_agg(mine.key, least(mine.value, theirs.value)), '{}')
      from jsonb_each_text(${member}) as mine join jsonb_each_text(${credential}) as theirs on theirs.key = mine.key) end`;
}

/** Whether `after` gives anything that `before` does not. */
export function givesMore(before: SpaceRights | null, after: SpaceRights | null): boolean {
  if (before === null) return false;
  if (after === null) return true;
  return Object.entries(after).some(([id, access]) => !reaches({ spaces: before }, id, access));
}

/** The `Reach` of these rights; empty where all Spaces are granted. */
export function reachOf(spaces: SpaceRights | null): Reach {
  return spaces === null ? {} : { spaces };
}

/** The part of granted Spaces within the actor's own reach, which they may see and grant again. */
export function givenWithin(actor: Reach, given: SpaceRights | null): SpaceRights | null {
  if (given === null || actor.spaces === undefined) return given;
  return Object.fromEntries(Object.entries(given).filter(([id]) => reaches(actor, id)));
}
