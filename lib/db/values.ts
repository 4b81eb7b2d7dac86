import { type Expression, type RawBuilder, sql } from 'kysely';

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

/** A value of a JSON column. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}
