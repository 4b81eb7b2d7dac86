/** A member who can be named in a comment. */
export type Mentionable = { id: string; name: string };

const TOKEN = /@\[(mbr_[0-9a-z]{26})\]/g;

/** « @Inès Roy » as `@[mbr_…]`, so that a name that changes, or is erased, changes everywhere. The longest name wins. */
export function withTokens(text: string, members: readonly Mentionable[]): string {
  const known = members.filter(({ name }) => name.trim() !== '');
  if (known.length === 0) return text;
  // Of two with one name, the first.
  const idOf = new Map(known.toReversed().map(({ id, name }) => [name.toLowerCase(), id]));
  const names = known
    .map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .sort((a, b) => b.length - a.length);
  // One pattern of all the names: comparing each of them at each @ of a hostile text would hold the process.
  const named = new RegExp(`@(${names.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return text.replace(named, (typed: string, name: string) => {
    const id = idOf.get(name.toLowerCase());
    return id === undefined ? typed : `@[${id}]`;
  });
}

/** Who a text names, each once. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(TOKEN)].map(([, id]) => id as string))];
}

/** The text as it is read: names in the place of tokens. */
export function withNames(text: string, nameOf: (memberId: string) => string | undefined): string {
  return text.replace(TOKEN, (_, id: string) => `@${nameOf(id) ?? 'membre'}`);
}
