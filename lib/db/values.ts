import { type Expression, type Insertable, type RawBuilder, sql } from 'kysely';
import type { DB } from './generated/tables.ts';

type ArrayType =
  | 'text'
  | 'int'
  | 'bigint'
  | 'timestamptz'
  | 'boolean'
  | '"PillarRole"'
  | '"GenerationState"'
  | '"GenerationKind"'
  | '"AssetState"';

/** `column = any(values)`: one parameter and one text, however many values. */
export function isAnyOf<T>(
  column: Expression<T> | string,
  values: Expression<readonly T[]> | readonly T[],
  type: ArrayType = 'text',
): RawBuilder<boolean> {
  const left = typeof column === 'string' ? sql.ref(column) : column;
  return sql<boolean>`${left} = any(${values}::${sql.raw(type)}[])`;
}

/**
 * `column = any(…)` of the rows that a query locks: all of them, in its order, before the first is written. Who writes several rows takes
 * them so: else two writers could each hold what the other waits for.
 */
export function isAnyLocked(column: string, locked: Expression<{ id: string }>): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(array(${locked}))`;
}

/**
 * `column in ('A', 'B')` with words of ours written as constants, never data: a partial index serves a generic plan only when the
 * plan itself says what the index says.
 */
export function isOneOf<T extends string>(
  column: Expression<T | null> | string,
  words: readonly T[],
): RawBuilder<boolean> {
  const left = typeof column === 'string' ? sql.ref(column) : column;
  return sql<boolean>`${left} in (${sql.join(words.map((word) => sql.lit(word)))})`;
}

/**
 * Beyond the row `last` in the order of two columns of `table` (`>` in rising order, `<` in falling): the next page of a list by
 * keyset; every row when `last` is null. With an account, another account's `last` gives nothing.
 */
export function isBeyond(
  order: '<' | '>',
  table: keyof DB & string,
  [at, id]: readonly [string, string],
  last: Expression<string | null>,
  accountId?: Expression<string>,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`last.${name.split('.').at(-1)}`);
  const own = accountId ? sql` and ${column('accountId')} = ${accountId}` : sql``;
  return sql<boolean>`(${last}::text is null or (${sql.ref(at)}, ${sql.ref(id)}) ${sql.raw(order)} (
    select ${column(at)}, ${column(id)} from ${sql.table(table)} as ${sql.ref('last')} where ${column(id)} = ${last}${own}))`;
}

/** A value of a JSON column. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}

type RowValues<T extends keyof DB> = {
  [K in keyof Insertable<DB[T]>]:
    | Expression<Insertable<DB[T]>[K]>
    | Expression<NonNullable<Insertable<DB[T]>[K]>>;
};

/**
 * A row to insert by `insert into … select … from …`: it exists only if the row that it hangs on does.
 * `insertInto(table).columns(row.columns).expression((eb) => eb.selectFrom(…).select(row.selection))`.
 */
export function selectedRow<T extends keyof DB>(values: RowValues<T>) {
  const entries = Object.entries(values) as [keyof DB[T] & string, Expression<unknown>][];
  return {
    columns: entries.map(([name]) => name),
    selection: entries.map(([name, value]) => sql`${value}`.as(name)),
  };
}

/** What a list shows of a generation's request: the first 140 characters of the brief in its params. */
export function briefOf(params: string): RawBuilder<string | null> {
  return sql<string | null>`left(${sql.ref(params)} ->> 'brief', 140)`;
}

/** `count(*)` of fewer rows than an integer holds. */
export const countRows = sql<number>`count(*)::int`;
