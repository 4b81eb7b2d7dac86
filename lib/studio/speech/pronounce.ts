/** How a brand has one of its words said: `written` in the text, `spoken` to the provider. */
type Pronunciation = { written: string; spoken: string };

/** What the provider is given to say, and for each of its UTF-16 units the place in the text that was written. */
export type SpokenText = { text: string; places: number[]; replaced: number };

/** One form of apostrophe: a keyboard writes « ' » where a registry says « ’ ». Same length. */
const straight = (word: string) => word.replaceAll('’', "'");

/**
 * The text as the provider is to read it: each whole word of the brand that has a pronunciation is written as it sounds, the longest first.
 * Letter case counts, as in the provider's own dictionaries; the form of an apostrophe does not. Without a match, the very text.
 */
export function pronounce(written: string, rules: readonly Pronunciation[] = []): SpokenText {
  const spokenOf = new Map(rules.map((rule) => [straight(rule.written), rule.spoken]));
  const words = [...spokenOf.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "['’]"));
  const result: SpokenText = { text: '', places: [], replaced: 0 };
  const add = (spoken: string, placeOf: (index: number) => number) => {
    for (let index = 0; index < spoken.length; index += 1) result.places.push(placeOf(index));
    result.text += spoken;
  };
  let at = 0;
  const found =
    words.length === 0
      ? []
      : written.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'gu'));
  for (const match of found) {
    const [word] = match;
    const from = at;
    add(written.slice(from, match.index), (index) => from + index);
    // Spread over the word, so that a name of two words keeps two times.
    const spoken = spokenOf.get(straight(word)) ?? word;
    add(spoken, (index) => match.index + Math.floor((index * word.length) / spoken.length));
    at = match.index + word.length;
    result.replaced += 1;
  }
  const from = at;
  add(written.slice(from), (index) => from + index);
  return result;
}
