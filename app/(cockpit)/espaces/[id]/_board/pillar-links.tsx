import type { ReactNode } from 'react';
import type { PillarView } from '#lib/brain/queries/view-space.ts';

/** On a phone, the links to the five columns, with the number of Memories of each. */
export function PillarLinks({
  pillars,
  icons,
}: {
  pillars: readonly PillarView[];
  icons: Readonly<Record<string, ReactNode>>;
}) {
  return (
    <nav aria-label="Piliers" className="-mx-4 mb-4 flex gap-1.5 overflow-x-auto px-4 md:hidden">
      {pillars.map(({ role, label, memories }) => (
        <a
          key={role}
          href={`#${role.toLowerCase()}`}
          className="touch inline-flex h-8 shrink-0 items-center gap-1.5 rounded-full border border-line px-3 text-sm"
        >
          {icons[role]}
          {label}
          <span className="tabular text-ink-faint text-xs">{memories.length}</span>
        </a>
      ))}
    </nav>
  );
}
