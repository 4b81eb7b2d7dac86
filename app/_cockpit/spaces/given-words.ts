import { count } from '#app/_ui/format.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';

/** The Spaces that were given, as a count, and by name for the tooltip. Those missing from `spaces`, such as archived ones, are left out. */
export function givenWords(
  given: SpaceRights | null,
  spaces: readonly { id: string; name: string }[],
): { label: string; tip: string } {
  if (given === null) return { label: 'Tous les espaces', tip: 'Ceux à venir compris' };
  const named = spaces.filter(({ id }) => Object.hasOwn(given, id));
  if (named.length === 0) return { label: 'Aucun espace', tip: 'Rien n’est ouvert' };
  const words = named.map(({ id, name }) => `${name} (${given[id] === 'write' ? 'écriture' : 'lecture'})`);
  return { label: count(named.length, 'espace'), tip: words.join(', ') };
}
