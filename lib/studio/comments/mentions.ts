/** A member who can be named in a comment. */
export type Mentionable = { id: string; name: string };

const TOKEN = /@\[(mbr_[0-9a-z]{26})\]/g;
const LETTER = /[\p{L}\p{N}]/u;

/** « @Inès Roy » as `@[mbr_…]`, so that a name that changes, or is erased, changes everywhere. The longest name wins. */
export function withTokens(text: string, members: readonly Mentionable[]): string {
  const byLength = members
    .filter(({ name }) => name.trim() !== '')
    .sort((a, b) => b.name.length - a.name.length);
  let out = '';
  for (let at = 0; at < text.length; ) {
    const named =
      text[at] === '@' &&
      byLength.find(({ name }) => {
        const end = at + 1 + name.length;
        return (
          text.slice(at + 1, end).localeCompare(name, 'fr', { sensitivity: 'accent' }) === 0 &&
          !LETTER.test(text[end] ?? '')
        );
      });
    out += named ? `@[${named.id}]` : text[at];
    at += named ? 1 + named.name.length : 1;
  }
  return out;
}

/** Who a text names, each once. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(TOKEN)].map(([, id]) => id as string))];
}

/** The text as it is read: names in the place of tokens. */
export function withNames(text: string, nameOf: (memberId: string) => string | undefined): string {
  return text.replace(TOKEN, (_, id: string) => `@${nameOf(id) ?? 'membre'}`);
}
