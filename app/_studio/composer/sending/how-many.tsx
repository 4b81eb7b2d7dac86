'use client';
import type { Draft } from '../draft/draft.ts';
import type { Change } from '../draft/use-draft.ts';
import { onlyOne, VARIANTS } from '../draft/variants.ts';

/** The number of generations, one to four. With a seed a single one, and the reason: all would give the same file. */
export default function HowMany({ draft, change }: { draft: Draft; change: Change }) {
  if (onlyOne(draft) === 'seed')
    return (
      <p className="w-full text-ink-faint text-xs">
        Avec une graine, la même image reviendrait&nbsp;: une seule part.
      </p>
    );
  return (
    <fieldset className="flex items-center gap-2">
      <legend className="sr-only">Nombre de générations</legend>
      <div className="inline-flex gap-0.5 rounded-md border border-line bg-sunken p-0.5">
        {VARIANTS.map((number) => (
          <label key={number} className="segment touch tabular min-w-9">
            <input
              type="radio"
              name="variants"
              value={number}
              checked={draft.variants === number}
              onChange={() => change({ variants: number })}
            />
            <span aria-hidden>×</span>
            {number}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
