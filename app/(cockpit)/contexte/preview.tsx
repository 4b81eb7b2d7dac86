// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: a scrolling region is not a section of the page
import { Scissors } from 'lucide';
import Link from 'next/link';
import { Fragment } from 'react';
import { cx } from '#app/_ui/cx.ts';
import { pillarHue } from '#app/_ui/data/pillar-hue.ts';
import { count, number, percent } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { inclusionSentence } from '#lib/brain/context/inclusion.ts';
import type { ContextExplanation } from '#lib/brain/context/types.ts';

/** Thinner slices would not be seen: they are drawn together, at the end. */
const LEAST_SLICE = 0.002;
const MOST_NAMED = 60;
/** Marks drawn in the margin; the list above the text counts them all. */
const MOST_MARKS = 120;

/** Each Memory's share of the budget, in reading order, and what is left. */
export function ShareBar({
  memories,
  focused,
  length,
  maxChars,
}: {
  memories: readonly ContextExplanation[];
  focused: boolean;
  length: number;
  maxChars: number;
}) {
  const slices = memories.filter(({ share }) => share >= LEAST_SLICE);
  const drawn = slices.reduce((sum, { share }) => sum + share, 0);
  const rest = Math.max(0, length / maxChars - drawn);
  return (
    <figure>
      <figcaption className="mb-1.5 flex flex-wrap justify-between gap-x-3 text-sm">
        <span className="font-medium">Part de chaque mémoire</span>
        <span className="tabular text-ink-soft">
          {number(length)} sur {count(maxChars, 'caractère')} · {percent(length / maxChars)}
        </span>
      </figcaption>
      <div
        role="img"
        aria-label={`${count(slices.length, 'mémoire occupe', 'mémoires occupent')} ${percent(length / maxChars)} de la longueur`}
        className="flex h-4 overflow-hidden rounded-xs bg-line"
      >
        {slices.map((memory) => (
          <span
            key={memory.id}
            data-tip={`${memory.title}\u00a0: ${percent(memory.share)}\n${inclusionSentence(memory, focused)}`}
            className={cx('h-full min-w-px border-ground border-r', pillarHue(memory.role).fill)}
            style={{ width: `${memory.share * 100}%` }}
          />
        ))}
        {rest > 0 ? (
          <span
            data-tip={`Titres, en-têtes et mémoires très courtes\u00a0: ${percent(rest)}`}
            className="h-full bg-line-strong/60"
            style={{ width: `${rest * 100}%` }}
          />
        ) : null}
      </div>
    </figure>
  );
}

/** The exact text; beside each shortened Memory, a mark in the margin that says where it was cut and why. */
export function ContextText({
  context,
  memories,
  focused,
}: {
  context: string;
  memories: readonly ContextExplanation[];
  focused: boolean;
}) {
  // Between two marks the text is one piece: a context of two thousand Memories stays a light page.
  const parts: { key: string; text: string; memory: ContextExplanation | null }[] = [];
  let at = 0;
  for (const memory of memories) {
    if (!memory.range || memory.inclusion === 'whole' || parts.length === MOST_MARKS) continue;
    parts.push({ key: memory.id, text: context.slice(at, memory.range.end), memory });
    at = memory.range.end;
  }
  parts.push({ key: 'fin', text: context.slice(at), memory: null });
  return (
    <pre
      id="texte-du-contexte"
      role="region"
      aria-label="Texte du contexte"
      tabIndex={0}
      className="wrap-anywhere relative max-h-[70vh] overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-surface py-3 pr-4 pl-9 font-mono text-xs leading-5 focus-visible:-outline-offset-2"
    >
      {parts.map(({ key, text, memory }) => (
        <Fragment key={key}>
          {text}
          {memory ? <CutMark memory={memory} focused={focused} /> : null}
        </Fragment>
      ))}
    </pre>
  );
}

/** In the margin, at the height of the cut: out of the flow, it takes no place in the text. */
function CutMark({ memory, focused }: { memory: ContextExplanation; focused: boolean }) {
  const words = inclusionSentence(memory, focused);
  return (
    <span
      role="img"
      aria-label={words}
      data-tip={words}
      className="absolute left-2 inline-grid size-5 place-items-center rounded-full bg-warn-soft text-warn"
    >
      <Icon of={Scissors} size={12} />
    </span>
  );
}

/** What did not come through whole, and why; each leads to its Memory. */
export function Cuts({
  spaceId,
  memories,
  focused,
}: {
  spaceId: string;
  memories: readonly ContextExplanation[];
  focused: boolean;
}) {
  const cut = memories.filter(({ inclusion }) => inclusion !== 'whole');
  if (cut.length === 0) return null;
  return (
    <details className="rounded-md border border-line bg-surface px-3.5 py-2 text-sm">
      <summary className="flex min-h-8 items-center gap-2 font-medium">
        <Icon of={Scissors} size={16} className="text-warn" />
        {count(cut.length, 'mémoire coupée ou omise', 'mémoires coupées ou omises')}
      </summary>
      <ul className="mt-1 max-h-72 divide-y divide-line overflow-y-auto">
        {cut.slice(0, MOST_NAMED).map((memory) => (
          <li key={memory.id} className="py-2">
            <Link
              href={`/espaces/${spaceId}?memoire=${memory.id}`}
              prefetch={false}
              className="wrap-anywhere font-medium hover:underline"
            >
              {memory.title}
            </Link>
            <p className="text-ink-soft text-xs">{inclusionSentence(memory, focused)}</p>
          </li>
        ))}
      </ul>
      {cut.length > MOST_NAMED ? (
        <p className="py-2 text-ink-faint text-xs">et {count(cut.length - MOST_NAMED, 'autre', 'autres')}.</p>
      ) : null}
    </details>
  );
}
