import { shorten } from '#lib/brain/text/cut.ts';
import { BANNED_CONSTRUCTIONS } from './banned-constructions.ts';
import type { CopyProblem, Finding } from './copy-problem.ts';
import { decodeEntities } from './entities.ts';
import { findUnfoundedNumbers } from './facts.ts';
import { fold } from './fold.ts';
import { findPlaceholders } from './placeholders.ts';
import { findEmoji, findLongDashes } from './typed-signs.ts';

type CheckCopyInput = {
  /** Every text that the render will show, by field name. */
  fields: Readonly<Record<string, string>>;
  /** Ids of the facts that the product's Knowledge declares; null or empty when it declares none. */
  factsDeclared: readonly string[] | null;
};

/** Enough to correct a text; a hostile one does not get an answer of megabytes. */
const MAX_PROBLEMS = 100;
const MAX_EXCERPT = 80;

/**
 * What must be corrected before the texts are drawn, field by field, in reading order: long dashes, emoji, worn-out
 * constructions, unfilled blanks, and numbers that no declared fact supports; what is written as an HTML entity is read as its sign. Empty
 * when the copy may be rendered. Linear in the text.
 */
export function checkCopy({ fields, factsDeclared }: CheckCopyInput): CopyProblem[] {
  const decoded = Object.entries(fields).map(([field, typed]) => ({
    field,
    typed,
    ...decodeEntities(typed),
  }));
  const texts = Object.fromEntries(decoded.map(({ field, text }) => [field, text]));
  const numbers = findUnfoundedNumbers(texts, factsDeclared);
  const problems: CopyProblem[] = [];
  for (const { field, typed, text, origins } of decoded) {
    const findings = [
      ...findLongDashes(text),
      ...findEmoji(text),
      ...findPlaceholders(text),
      ...findBanned(text),
      ...(numbers.get(field) ?? []),
    ].sort((one, other) => one.start - other.start || one.end - other.end);
    for (const finding of findings) {
      if (problems.length === MAX_PROBLEMS) return problems;
      const place = { start: origins[finding.start]!, end: origins[finding.end]! };
      problems.push({ ...finding, ...place, field, excerpt: excerptOf(typed, place) });
    }
  }
  return problems;
}

function findBanned(text: string): Finding[] {
  const { text: folded, origins } = fold(text);
  return BANNED_CONSTRUCTIONS.flatMap(({ id, pattern, explanation }) =>
    [...folded.matchAll(pattern)].map((match): Finding => {
      const start = origins[match.index]!;
      const end = origins[match.index + match[0].length]!;
      return { rule: 'banned', entry: id, start, end, message: explanation };
    }),
  );
}

function excerptOf(text: string, { start, end }: Pick<Finding, 'start' | 'end'>): string {
  return shorten(text.slice(start, end).trim(), MAX_EXCERPT);
}
