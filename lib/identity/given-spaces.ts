import type { Actor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { changedMeanwhile } from '#lib/core/input/as-shown.ts';
import {
  givenWithin,
  givesMore,
  isWithinReach,
  type Reach,
  type SpaceAccess,
  type SpaceRights,
} from '#lib/db/space-rights.ts';
import type { Executor } from '#lib/db/types.ts';
import { isAnyOf, json } from '#lib/db/values.ts';

/** Largest number of Spaces granted individually. */
const MAX_GIVEN_SPACES = 500;

/** Spaces as audit entries record them; null: all. */
type NamedSpaces = readonly { id: string; name: string; access: SpaceAccess }[] | null;

/**
 * The Spaces to grant, with their names. Throws `invalid_request` when one is not in the account or not within the giver's own reach (the same
 * answer for both), or when there are more than 500.
 */
export async function requireGivable(
  on: Executor,
  { actor }: { actor: Actor },
  input: { accountId: string; spaces: SpaceRights | null },
): Promise<NamedSpaces> {
  const { accountId, spaces } = input;
  const asked = Object.keys(spaces ?? {}).length;
  const refuse = (message: string) =>
    new ServiceError('invalid_request', { message, problems: [{ field: 'spaces', message }] });
  if (asked > MAX_GIVEN_SPACES) throw refuse(`Choisissez au plus ${MAX_GIVEN_SPACES} espaces, ou tous.`);
  const named = await nameSpaces(on, { accountId, spaces, within: 'accountId' in actor ? actor : {} });
  if (named !== null && named.length < asked)
    throw refuse('Un de ces espaces est introuvable dans ce compte.');
  return named;
}

/** Spaces that were given, with their names. */
export async function nameSpaces(
  on: Executor,
  input: { accountId: string; spaces: SpaceRights | null; within?: Reach },
): Promise<NamedSpaces> {
  const { spaces } = input;
  if (spaces === null) return null;
  const rows = await on
    .selectFrom('Space')
    .select(['id', 'name'])
    .where('accountId', '=', input.accountId)
    .where(isAnyOf('id', Object.keys(spaces)))
    .where(isWithinReach(input.within ?? {}, 'id'))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(({ id, name }) => ({ id, name, access: spaces[id] ?? 'read' }));
}

/** The value of a column `spaceRights`. */
export function spacesColumn(spaces: SpaceRights | null) {
  return spaces === null ? null : json(spaces);
}

/** Whether two choices are the same. */
export function sameSpaces(a: SpaceRights | null, b: SpaceRights | null): boolean {
  return !givesMore(a, b) && !givesMore(b, a);
}

/**
 * Throws `conflict` when no entry of `given` still equals `shown`, the Spaces that the form showed (within the giver's own reach; null: all):
 * somebody changed them since. Absent: not compared.
 */
export function requireSpacesAsShown(
  { actor }: { actor: Actor },
  given: readonly (SpaceRights | null)[],
  shown: SpaceRights | null | undefined,
): void {
  const reach: Reach = 'accountId' in actor ? actor : {};
  if (shown === undefined || given.some((one) => sameSpaces(givenWithin(reach, one), shown))) return;
  throw changedMeanwhile('Ces espaces ont été changés');
}
