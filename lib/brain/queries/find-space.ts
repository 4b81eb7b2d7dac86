import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { foldAccents } from '#lib/core/text/fold.ts';
import { withoutInvisible } from '#lib/core/text/invisible.ts';
import { plural } from '#lib/core/text/plural.ts';
import { spaceNotFound } from '../not-found.ts';
import { listSpaceNames } from './list-space-names.ts';

/** A name as whoever reads it types it: without what nobody sees, and with the apostrophe of a keyboard. */
const asTyped = (name: string) =>
  foldAccents(withoutInvisible(name).trim()).replace(/[\u2018\u2019\u02bc]/g, "'");

/** The same, whatever stands between its words: `Maison-Élan`, `« maison élan »`. Other signs tell names apart (`C++`, `C#`). */
const byWords = (name: string) =>
  asTyped(name)
    .replace(/[\s_"\u00ab\u00bb\u201c-\u201f\p{Pd}]+/gu, ' ')
    .trim();

/** Names that a refusal tells. */
const MAX_TOLD = 10;
/** Identifiers of Spaces of one name that a refusal tells; the list of Spaces has them all. */
const MAX_BEARERS = 5;

/**
 * The live Space of the account that `named` means: by its identifier, or by its name without regard to accents, case, kinds of apostrophes,
 * hyphens and quotation marks; consumes no read. Errors: `not_found`, which lists existing names; `invalid_request` when several have the
 * name, which lists their identifiers and names `field`.
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
  const given = named.trim();
  const exact = spaces.find(({ id }) => id === given);
  if (exact) return exact;
  const [first, ...others] = bearersOf(spaces, given);
  if (!first) throw nameNotFound(spaces, given);
  if (others.length === 0) return first;
  const ids = [first, ...others].slice(0, MAX_BEARERS).map(({ id }) => id);
  const left = others.length + 1 - ids.length;
  const more = left === 0 ? '' : ` et ${left} ${plural(left, 'autre')}`;
  const message = `Plusieurs espaces portent ce nom\u00a0: donnez l’identifiant de l’un d’eux (${ids.join(', ')}${more}).`;
  throw new ServiceError('invalid_request', { message, problems: [{ field, message }] });
}

type Named = { id: string; name: string };

/** The Spaces that bear a name: as it was typed, or else by its words. */
function bearersOf(spaces: readonly Named[], named: string): Named[] {
  const wanted = asTyped(named);
  const bearers = spaces.filter(({ name }) => asTyped(name) === wanted);
  const words = byWords(named);
  if (bearers.length > 0 || words === '') return bearers;
  return spaces.filter(({ name }) => byWords(name) === words);
}

/** The refusal of a name that none of `spaces` bears, with the names that there are, those that share a word first. */
function nameNotFound(spaces: readonly Named[], named: string): ServiceError {
  if (spaces.length === 0) return spaceNotFound();
  const words = byWords(named)
    .split(' ')
    .filter(({ length }) => length > 2);
  const near = ({ name }: Named) => Number(words.some((word) => byWords(name).includes(word)));
  const told = spaces.toSorted((a, b) => near(b) - near(a)).slice(0, MAX_TOLD);
  const shown = (name: string) => withoutInvisible(name).replace(/\s+/gu, ' ').trim();
  const names = told.map(({ name }) => `«\u00a0${shown(name)}\u00a0»`);
  const left = spaces.length - told.length;
  const others = left === 0 ? '' : ` et ${left} ${plural(left, 'autre')}`;
  return new ServiceError('not_found', {
    message: `Cet espace est introuvable dans ce compte. On y trouve\u00a0: ${names.join(', ')}${others}.`,
  });
}

/**
 * What may be typed to name a Space beginning with `typed`, accents and case aside: its name, or its identifier where several bear that name.
 * Names that begin so first, then those that hold it: all of them. Consumes no read.
 */
export async function completeSpace(ctx: Context<AccountActor>, typed: string): Promise<string[]> {
  const wanted = asTyped(typed);
  const spaces = (await listSpaceNames(ctx)).map((space) => ({
    ...space,
    folded: asTyped(space.name),
  }));
  const bearers = Map.groupBy(spaces, ({ folded }) => folded);
  const found = spaces.filter(({ id, folded }) => folded.includes(wanted) || id.startsWith(typed.trim()));
  const begins = ({ folded }: { folded: string }) => Number(folded.startsWith(wanted));
  const ordered = found.toSorted((a, b) => begins(b) - begins(a) || a.folded.localeCompare(b.folded, 'fr'));
  return ordered.map(({ id, name, folded }) => (bearers.get(folded)?.length === 1 ? name : id));
}
