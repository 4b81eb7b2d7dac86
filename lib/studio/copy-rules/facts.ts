import type { Finding } from './copy-problem.ts';

const NUMBER =
  /[\p{Nd}\u00bc-\u00be\u2150-\u215e]+(?:[.,:/ \u00a0\u202f][\p{Nd}\u00bc-\u00be\u2150-\u215e]+)*/gu;
const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
const WORD_AFTER = /^(?:[\p{L}\p{N}_]|[.,-]\p{Nd})/u;

type Place = { start: number; end: number };

/**
 * Numbers that rest on nothing. When the product declares facts, a render may write numbers only if the id of one of them
 * (exactly as declared, as a word of its own) is written in one of its fields. Without declared facts, any number may be written.
 */
export function findUnfoundedNumbers(
  fields: Readonly<Record<string, string>>,
  factsDeclared: readonly string[] | null,
): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>();
  const facts = new Set(factsDeclared?.filter((id) => id !== ''));
  if (facts.size === 0) return found;
  const texts = Object.entries(fields);
  if (texts.some(([, text]) => holdsFact(text, facts))) return found;
  for (const [field, text] of texts) {
    const numbers = [...text.matchAll(NUMBER)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
    }));
    found.set(
      field,
      numbers.map((place) => unfounded(text, place)),
    );
  }
  return found;
}

function holdsFact(text: string, facts: ReadonlySet<string>): boolean {
  for (const id of facts) {
    for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
      const before = text.slice(Math.max(0, at - 2), at);
      const after = text.slice(at + id.length, at + id.length + 3);
      if (!WORD_BEFORE.test(before) && !WORD_AFTER.test(after)) return true;
    }
  }
  return false;
}

function unfounded(text: string, place: Place): Finding {
  const number = text.slice(place.start, place.end);
  return {
    rule: 'fact',
    ...place,
    message: `Le nombre « ${number} » ne s’appuie sur aucun fait : écrivez dans un champ l’identifiant d’un fait déclaré du produit.`,
  };
}
