'use client';
import { Check, Circle, LoaderCircle } from 'lucide';
import { heldDollars } from '#app/_studio/money-words.ts';
import { useNow } from '#app/_studio/use-now.ts';
import { nextCloser } from '#app/_studio/words.ts';
import { cx } from '#app/_ui/cx.ts';
import { duration } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { ComposerKind } from '../draft/draft.ts';

const WORK: Record<ComposerKind, string> = {
  image: 'Le modèle fait l’image',
  vector: 'Le modèle trace le pictogramme',
  voice: 'La voix dit le texte',
  video: 'Le modèle fait la vidéo',
  lipsync: 'Les lèvres se synchronisent',
  render: 'Le gabarit se remplit',
};

/** The steps of a request: done, current, to come. `row` is null until the request has a generation. */
export function Progress({
  at,
  kind,
  row,
}: {
  at: string;
  kind: ComposerKind | undefined;
  row: GenerationView | null;
}) {
  const now = useNow(at, true);
  const elapsed = duration(Math.max(1000, now - Date.parse(row?.createdAt ?? at)));
  const steps = [
    {
      label: row ? `Demande acceptée, ${heldDollars(row.heldUsd)}` : 'La demande part',
      state: row ? 'done' : 'now',
    },
    { label: kind ? WORK[kind] : 'Le travail se fait', state: row ? 'now' : 'next' },
    { label: 'Le fichier est gardé, et le coût mesuré débité', state: 'next' },
  ] as const;
  return (
    <div className="relative flex size-full min-h-64 flex-col items-center justify-center gap-5 p-6">
      <span aria-hidden className="absolute inset-x-0 top-0 h-0.5 animate-breathe bg-run" />
      <span className="tabular font-mono text-xl">{elapsed}</span>
      <ol role="list" className="space-y-2 text-sm">
        {steps.map(({ label, state }) => {
          const icon = { done: Check, now: LoaderCircle, next: Circle }[state];
          return (
            <li
              key={label}
              {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}
              className={cx('flex items-start gap-2', state === 'now' ? 'font-medium' : 'text-ink-soft')}
            >
              <Icon
                of={icon}
                size={16}
                className={cx(
                  'mt-0.5 shrink-0',
                  state === 'now' && 'animate-turn text-run',
                  state === 'done' && 'text-ok',
                  state === 'next' && 'text-ink-faint',
                )}
              />
              <span>{label}</span>
            </li>
          );
        })}
      </ol>
      <p className="tabular text-balance text-center text-ink-soft text-xs">
        {row ? nextCloser(row, now) : null}
        {row ? '. ' : ''}Vous pouvez quitter cette page&nbsp;: le journal la suit.
      </p>
    </div>
  );
}
