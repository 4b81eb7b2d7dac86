import { count, number, percent } from '#app/_ui/format.ts';
import type { ContextExplanation, ContextPayload } from '#lib/brain/context/types.ts';
import { LEAST_SLICE, MOST_NAMED, partsOf, type ShownMemory } from './parts.ts';

/** Those that are drawn at all, in reading order, for the browser to draw: of two thousand Memories some hundreds at most. */
export function shownMemories(memories: readonly ContextExplanation[], maxChars: number): ShownMemory[] {
  const all = memories.map(
    ({ id, role, title, inclusion, cut, range }): ShownMemory => ({
      id,
      role,
      title,
      inclusion,
      cut,
      chars: range ? range.end - range.start : 0,
      end: range?.end ?? null,
    }),
  );
  const drawn = new Set(Object.values(partsOf(all, maxChars)).flat());
  return all.filter((memory) => drawn.has(memory));
}

/** What is counted of the whole context. */
export type PreviewWords = {
  /** How much of the length is taken. */
  length: string;
  /** The same, of the bar, for assistive technology. */
  bar: string;
  /** How many Memories did not come through whole; null when all did. */
  cut: string | null;
  /** How many of those are not named; null when all are. */
  others: string | null;
};

/** What is counted of a context, in words: the browser has but a part of it. */
export function previewWords(
  { context, maxChars }: Pick<ContextPayload, 'context' | 'maxChars'>,
  memories: readonly ContextExplanation[],
): PreviewWords {
  const taken = percent(context.length / maxChars);
  const slices = memories.filter(({ share }) => share >= LEAST_SLICE).length;
  const cut = memories.filter(({ inclusion }) => inclusion !== 'whole').length;
  return {
    length: `${number(context.length)} sur ${count(maxChars, 'caractère')} · ${taken}`,
    bar: `${count(slices, 'mémoire occupe', 'mémoires occupent')} ${taken} de la longueur`,
    cut: cut > 0 ? count(cut, 'mémoire coupée ou omise', 'mémoires coupées ou omises') : null,
    others: cut > MOST_NAMED ? `et ${count(cut - MOST_NAMED, 'autre', 'autres')}.` : null,
  };
}
