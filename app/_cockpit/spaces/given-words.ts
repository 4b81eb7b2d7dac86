import { count } from '#app/_ui/format.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';

/** Which Spaces were given, in a few words, and each by name for whoever asks. Those that have no name here were put away. */
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
