import { count, number, percent } from '#app/_ui/format.ts';
import type { ContextExplanation, ContextPayload } from '#lib/brain/context/types.ts';
import { LEAST_SLICE, MOST_NAMED, partsOf, type ShownMemory } from './parts.ts';

/** The Memories to draw, in reading order: some hundreds at most, even for a context of two thousand. */
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

/** The counts of the whole context, in words. */
export type PreviewWords = {
  /** How much of the allowed length is used. */
  length: string;
  /** The same, as the label of the bar for assistive technology. */
  bar: string;
  /** How many Memories were shortened or omitted; null if none was. */
  cut: string | null;
  /** How many of those are not named; null if all are. */
  others: string | null;
};

/** The counts of a context, in words. The server computes them, because the browser receives a part of the Memories only. */
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
