import { type Expression, type RawBuilder, sql } from 'kysely';

/** Roles of a row's references that hold one file, and those that hold several. */
const SINGLE_ROLES = ['startImage', 'endImage', 'product', 'mask'] as const;
const LIST_ROLES = ['images', 'character', 'clips'] as const;

/**
 * Whether the generation `g` was given the file of this pathname, in whatever role; `names`: the identifiers under which a template's field
 * may have been given it. Each role is one containment, so that the index of reference paths answers all of them.
 */
export function usesOf(
  pathname: Expression<string>,
  names: readonly Expression<string>[],
): RawBuilder<boolean> {
  const file = sql`jsonb_build_object('pathname', ${pathname})`;
  const roles = [
    ...SINGLE_ROLES.map((role) => sql`jsonb_build_object(${sql.lit(role)}::text, ${file})`),
    ...LIST_ROLES.map((role) => sql`jsonb_build_object(${sql.lit(role)}::text, jsonb_build_array(${file}))`),
    // A template's field is kept under what it was given: an identifier, or the pathname.
    ...[...names, pathname].map(
      (given) => sql`jsonb_build_object('fields', jsonb_build_object(${given}, ${file}))`,
    ),
  ];
  const either = roles.map((role) => sql`g."references" @> jsonb_build_object('roles', ${role})`);
  return sql<boolean>`g."references" <> '{}'::jsonb and (${sql.join(either, sql` or `)})`;
}
