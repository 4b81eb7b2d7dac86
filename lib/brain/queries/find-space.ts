import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { foldAccents } from '#lib/core/text/fold.ts';
import { spaceNotFound } from '../not-found.ts';
import { withoutInvisible } from '../text/invisible.ts';
import { listSpaceNames } from './list-space-names.ts';

/** A name as whoever reads it types it: without what nobody sees, and with the apostrophe of a keyboard. */
const asTyped = (name: string) =>
  foldAccents(withoutInvisible(name).trim()).replace(/[\u2018\u2019\u02bc]/g, "'");

/**
 * The living Space of the account that `named` means: its identifier, or its name with accents, case and kinds of apostrophes aside; consumes no read. Errors: `not_found`;
 * `invalid_request` when several bear the name, which says their identifiers and `field`, where the name was given.
 */
export async function findSpace(
  ctx: Context<AccountActor>,
  named: string,
  field = 'space',
): Promise<{ id: string }> {
  return spaceNamed(await listSpaceNames(ctx), named, field);
}

/** The same among `spaces`, which `listSpaceNames` gave: for many names at once. Errors: those of `findSpace`. */
export function spaceNamed(
  spaces: readonly { id: string; name: string }[],
  named: string,
  field = 'space',
): { id: string } {
  const exact = spaces.find(({ id }) => id === named);
  if (exact) return exact;
  const wanted = asTyped(named);
  const [first, ...others] = spaces.filter(({ name }) => asTyped(name) === wanted);
  if (!first) throw spaceNotFound();
  if (others.length === 0) return first;
  const ids = [first, ...others].slice(0, 5).map(({ id }) => id);
  const message = `Plusieurs espaces portent ce nom\u00a0: donnez l’identifiant de l’un d’eux (${ids.join(', ')}).`;
  throw new ServiceError('invalid_request', { message, problems: [{ field, message }] });
}

/**
 * What may be typed to name a Space beginning with `typed`, accents and case aside: its name, or its identifier where several bear that name. Names that begin so first,
 * then those that hold it; at most `limit` of `total`. Consumes no read.
 */
export async function completeSpace(
  ctx: Context<AccountActor>,
  typed: string,
  limit: number,
): Promise<{ values: string[]; total: number }> {
  const wanted = asTyped(typed);
  const spaces = (await listSpaceNames(ctx)).map((space) => ({
    ...space,
    folded: asTyped(space.name),
  }));
  const bearers = Map.groupBy(spaces, ({ folded }) => folded);
  const found = spaces.filter(({ id, folded }) => folded.includes(wanted) || id.startsWith(typed.trim()));
  const begins = ({ folded }: { folded: string }) => Number(folded.startsWith(wanted));
  const ordered = found.toSorted((a, b) => begins(b) - begins(a) || a.folded.localeCompare(b.folded, 'fr'));
  const values = ordered
    .slice(0, limit)
    .map(({ id, name, folded }) => (bearers.get(folded)?.length === 1 ? name : id));
  return { values, total: found.length };
}
