// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: a scrolling region is not a section of the page
'use client';
import { Scissors } from 'lucide';
import Link from 'next/link';
import { Fragment } from 'react';
import { pillarHue } from '#app/_ui/data/pillar-hue.ts';
import { percent } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { outlineOf } from '#app/_ui/icon-outline.ts';
import { useHydrated } from '#app/_ui/use-hydrated.ts';
import { inclusionSentence } from '#lib/brain/context/inclusion.ts';
import { partsOf, type ShownMemory } from './parts.ts';
import type { PreviewWords } from './shown.ts';

type PreviewProps = {
  spaceId: string;
  context: string;
  maxChars: number;
  memories: readonly ShownMemory[];
  /** Whether the context answers a question. */
  focused: boolean;
  words: PreviewWords;
};

/**
 * The make-up of a context, what was cut from it, and its exact text. It is a client component so that the page carries each Memory once as data,
 * not as the elements of its slice, line and mark.
 */
export function Preview({ spaceId, context, maxChars, memories, focused, words }: PreviewProps) {
  const { slices, named, marked } = partsOf(memories, maxChars);
  return (
    <>
      <ShareBar
        slices={slices}
        focused={focused}
        length={context.length}
        maxChars={maxChars}
        said={words.length}
        label={words.bar}
      />
      {words.cut === null ? null : (
        <details className="rounded-md border border-line bg-surface px-3.5 py-2 text-sm">
          <summary className="flex min-h-8 items-center gap-2 font-medium">
            <Icon of={Scissors} size={16} className="text-warn" />
            {words.cut}
          </summary>
          <Cuts spaceId={spaceId} named={named} focused={focused} />
          {words.others === null ? null : <p className="py-2 text-ink-faint text-xs">{words.others}</p>}
        </details>
      )}
      <ContextText context={context} marked={marked} focused={focused} />
    </>
  );
}

type ShareBarProps = {
  slices: readonly ShownMemory[];
  focused: boolean;
  length: number;
  maxChars: number;
  said: string;
  label: string;
};

const widthOf = (share: number) => ({ width: `${(share * 100).toFixed(3)}%` });

/** Each Memory's share of the budget, in reading order, and the space left. */
function ShareBar({ slices, focused, length, maxChars, said, label }: ShareBarProps) {
  const drawn = slices.reduce((sum, { chars }) => sum + chars, 0);
  const rest = Math.max(0, length - drawn) / maxChars;
  return (
    <figure>
      <figcaption className="mb-1.5 flex flex-wrap justify-between gap-x-3 text-sm">
        <span className="font-medium">Part de chaque mémoire</span>
        <span className="tabular text-ink-soft">{said}</span>
      </figcaption>
      <div
        role="img"
        aria-label={label}
        // A gap of one pixel separates slices, and the thinnest slice stays visible.
        className="flex h-4 overflow-hidden rounded-xs bg-line [&>:not(:last-child)]:min-w-px [&>:not(:last-child)]:border-ground [&>:not(:last-child)]:border-r"
      >
        {slices.map((memory) => (
          <span
            key={memory.id}
            data-tip={`${memory.title}\u00a0: ${percent(memory.chars / maxChars)}\n${inclusionSentence(memory, focused)}`}
            className={pillarHue(memory.role).fill}
            style={widthOf(memory.chars / maxChars)}
          />
        ))}
        {rest > 0 ? (
          <span
            data-tip={`Titres, en-têtes et mémoires très courtes\u00a0: ${percent(rest)}`}
            className="bg-line-strong/60"
            style={widthOf(rest)}
          />
        ) : null}
      </div>
    </figure>
  );
}

/** The Memories that were shortened or omitted, with the reason and a link to each. */
function Cuts({
  spaceId,
  named,
  focused,
}: {
  spaceId: string;
  named: readonly ShownMemory[];
  focused: boolean;
}) {
  return (
    <ul role="list" className="mt-1 max-h-72 divide-y divide-line overflow-y-auto">
      {named.map((memory) => (
        <li key={memory.id} className="py-2 text-ink-soft text-xs">
          <Link
            href={`/espaces/${spaceId}?memoire=${memory.id}`}
            prefetch={false}
            className="wrap-anywhere block w-fit font-medium text-ink text-sm hover:underline"
          >
            {memory.title}
          </Link>
          {inclusionSentence(memory, focused)}
        </li>
      ))}
    </ul>
  );
}

/** What the server draws of the text, in characters, to the end of a line: more than its frame shows. */
const DRAWN_FIRST = 8_000;

/** The exact text. A mark in the margin beside each shortened Memory says where and why it was cut. */
function ContextText({
  context,
  marked,
  focused,
}: {
  context: string;
  marked: readonly ShownMemory[];
  focused: boolean;
}) {
  // The rest of a long text follows once the page is drawn.
  const isWhole = useHydrated() || context.length <= DRAWN_FIRST;
  const until = (isWhole ? 0 : context.lastIndexOf('\n', DRAWN_FIRST) + 1) || context.length;
  const shown = marked.filter(({ end }) => (end ?? 0) <= until);
  // The text between two marks is one node: a context of two thousand Memories stays a light page.
  const ends = shown.map(({ end }) => end ?? 0);
  return (
    <pre
      id="texte-du-contexte"
      role="region"
      aria-label="Texte du contexte"
      tabIndex={0}
      className="wrap-anywhere relative max-h-[70vh] overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-surface py-3 pr-4 pl-9 font-mono text-xs leading-5 focus-visible:-outline-offset-2"
    >
      {shown.map((memory, at) => (
        <Fragment key={memory.id}>
          {context.slice(ends[at - 1] ?? 0, ends[at])}
          <CutMark words={inclusionSentence(memory, focused)} />
        </Fragment>
      ))}
      {context.slice(ends.at(-1) ?? 0, until)}
    </pre>
  );
}

/** A mark in the margin, positioned so that it takes no space in the text. */
function CutMark({ words }: { words: string }) {
  return (
    <svg
      role="img"
      aria-label={words}
      data-tip={words}
      viewBox="0 0 24 24"
      width={20}
      height={20}
      strokeWidth={2}
      className="icon absolute left-2 inline rounded-full bg-warn-soft p-1 text-warn"
    >
      <path d={outlineOf(Scissors)} />
    </svg>
  );
}
