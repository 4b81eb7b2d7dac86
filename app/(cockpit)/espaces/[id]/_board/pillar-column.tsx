'use client';
import { Plus } from 'lucide';
import { type DragEvent, type ReactNode, useState } from 'react';
import { cx } from '#app/_ui/cx.ts';
import { Ring } from '#app/_ui/data/gauges.tsx';
import { pillarHue } from '#app/_ui/data/pillar-hue.ts';
import { VirtualList } from '#app/_ui/data/virtual-list.tsx';
import { count } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import type { PillarView, SpaceRowView } from '#lib/brain/queries/view-space.ts';
import { ROW_HEIGHT } from './row.tsx';

/** Above this number of rows, only the visible ones are drawn. */
const DRAW_ALL = 40;

type PillarColumnProps = {
  pillar: PillarView;
  icon: ReactNode;
  /** The identifier of the row that is the tab stop. */
  stop: string | undefined;
  render: (row: SpaceRowView) => ReactNode;
  /** Absent if the member may not edit. */
  edit?: {
    add: () => void;
    /** Whether a row is being dragged: the foot of the pillar then accepts it at top level. */
    dragging: boolean;
    over: (event: DragEvent) => void;
    drop: (event: DragEvent) => void;
  };
};

/** One pillar: its purpose, its coverage, its Memories, and « + » at its foot. */
export function PillarColumn({ pillar, icon, stop, render, edit }: PillarColumnProps) {
  const [target, setTarget] = useState(false);
  const { role, label, note, quality, memories } = pillar;
  return (
    <section
      id={role.toLowerCase()}
      aria-labelledby={`${role}-title`}
      // All headers share a height, so that the first rows are aligned.
      className="row-span-2 grid min-w-0 scroll-mt-20 grid-cols-[minmax(0,1fr)] grid-rows-subgrid gap-y-0"
    >
      <header className="border-line border-b pb-2">
        <div className="flex min-w-0 items-center gap-2">
          {icon}
          <h2
            id={`${role}-title`}
            className="truncate font-semibold text-sm"
            data-tip={label.length > 14 ? label : undefined}
          >
            {label}
          </h2>
          <span
            className="tabular ml-auto shrink-0 text-ink-faint text-xs"
            data-tip={count(memories.length, 'mémoire')}
          >
            {memories.length}
            <span className="sr-only"> {memories.length > 1 ? 'mémoires' : 'mémoire'}</span>
          </span>
          <Ring value={quality} label={`Couverture du pilier ${label}`} className={pillarHue(role).text} />
        </div>
        <p className="mt-1 text-ink-faint text-xs">{note}</p>
      </header>
      <div className="flex min-w-0 flex-col">
        {memories.length === 0 ? (
          <p className="px-2 py-3 text-ink-faint text-xs">Rien encore dans ce pilier.</p>
        ) : memories.length <= DRAW_ALL ? (
          <ul role="list" aria-label={label} className="memory-rows">
            {memories.map((row) => (
              <li key={row.id}>{render(row)}</li>
            ))}
          </ul>
        ) : (
          <VirtualList
            className="memory-rows"
            label={`${label}, ${count(memories.length, 'mémoire')}`}
            items={memories}
            rowHeight={ROW_HEIGHT}
            initial={20}
            keep={memories.findIndex(({ id }) => id === stop)}
            itemKey={(row) => row.id}
            render={render}
          />
        )}
        {edit ? (
          <button
            type="button"
            data-add={role}
            onClick={edit.add}
            onDragOver={(event) => {
              edit.over(event);
              setTarget(true);
            }}
            onDragLeave={() => setTarget(false)}
            onDrop={(event) => {
              setTarget(false);
              edit.drop(event);
            }}
            className={cx(
              'touch mt-1 flex h-9 items-center gap-2 rounded-md border px-2 text-left text-ink-soft text-sm transition-colors hover:bg-hover hover:text-ink',
              edit.dragging ? 'border-line-strong border-dashed' : 'border-transparent',
              target && edit.dragging && 'bg-accent-soft text-accent-ink',
            )}
          >
            <Icon of={Plus} size={16} className="shrink-0" />
            <span className="truncate">{edit.dragging ? 'À la racine du pilier' : 'Ajouter'}</span>
            <span className="sr-only"> une mémoire dans {label}</span>
          </button>
        ) : null}
      </div>
    </section>
  );
}
