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
 * `column = any(…)` of the rows that a query locks: all are locked, in its order, before the first is written, so that writers of several rows
 * do not deadlock.
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

/** `>`, `>=` in rising order, `<` in falling. */
type Order = '<' | '>' | '>=';

/** The time before which no row of a list comes. */
const startOf = (order: Order) => sql.lit(order === '<' ? 'infinity' : '-infinity');

/**
 * Keyset paging: beyond a position, in the order of two columns; every row when the position is null. One row comparison, never `or`: the plan
 * of a prepared statement then uses the index, and a page begins where the one before ended.
 */
export function isBeyondPlace(
  order: Order,
  [at, id]: readonly [string, string],
  [lastAt, lastId]: readonly [Expression<unknown>, Expression<unknown>],
): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(at)}, ${sql.ref(id)}) ${sql.raw(order)}
    (coalesce((${lastAt})::timestamptz, ${startOf(order)}), coalesce((${lastId})::text, ''))`;
}

/** The same, beyond the row `last` of `table`. With an account, another account's `last` gives nothing. */
export function isBeyond(
  order: Order,
  table: keyof DB & string,
  [at, id]: readonly [string, string],
  last: Expression<string | null>,
  accountId?: Expression<string>,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`last.${name.split('.').at(-1)}`);
  const own = accountId ? sql` and ${column('accountId')} = ${accountId}` : sql``;
  return sql<boolean>`(${sql.ref(at)}, ${sql.ref(id)}) ${sql.raw(order)} (
    select ${column(at)}, ${column(id)} from ${sql.table(table)} as ${sql.ref('last')} where ${column(id)} = ${last}${own}
    union all select ${startOf(order)}::timestamptz, ''::text where ${last}::text is null)`;
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

/**
 * What a list of names is ordered by: whatever the collation of the database, without case and accents, and by the numbers that digits write, so
 * that « Client 6 » comes before « Client 54 ».
 */
export function asCounted(name: Expression<string>): RawBuilder<string> {
  const plain = sql<string>`lower(regexp_replace(normalize(${name}, nfkd), '[\u0300-\u036f]', '', 'g'))`;
  const padded = sql<string>`regexp_replace(${plain}, '(\\d+)', '00000000000000000000\\1', 'g')`;
  return sql<string>`regexp_replace(${padded}, '\\d*(\\d{20})(?!\\d)', '\\1', 'g')`;
}
