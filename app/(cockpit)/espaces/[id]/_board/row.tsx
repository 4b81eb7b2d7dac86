'use client';
import type { DragEvent, KeyboardEvent, MouseEvent } from 'react';
import { SOURCE_LABELS } from '#app/_cockpit/brain-words.ts';
import { cx } from '#app/_ui/cx.ts';
import { Time } from '#app/_ui/text/time.tsx';
import type { SpaceRowView } from '#lib/brain/queries/view-space.ts';
import { useHasDraft } from '../_memory/has-draft.ts';

/** Every row has this height, so that thousands of them can be placed without measuring. */
export const ROW_HEIGHT = 76;

/** Deeper rows are not pushed further: their guide lines would leave no room for words. */
const DEEPEST_SHOWN = 5;

export type RowHandlers = {
  onOpen: (id: string, event: MouseEvent) => void;
  onKey: (id: string, event: KeyboardEvent) => void;
  onFocus: (id: string) => void;
  /** A pointer is over it, or left it. */
  onNear: (id: string | null) => void;
  /** Absent: nothing can be moved. */
  drag?: {
    start: (id: string, event: DragEvent) => void;
    over: (id: string, event: DragEvent) => void;
    leave: (id: string) => void;
    drop: (id: string, event: DragEvent) => void;
    end: () => void;
  };
};

type RowProps = RowHandlers & {
  row: SpaceRowView;
  now: Date;
  current: boolean;
  /** Whether the tab key stops here: once per pillar, the arrows do the rest. */
  isStop: boolean;
  /** A row is dragged over it: dropped, it would be nested here. */
  target: boolean;
  dragged: boolean;
};

/** A Memory as a quiet row: title, first words, size, age, origin; and that it holds a draft. */
export function Row({
  row,
  now,
  current,
  isStop,
  target,
  dragged,
  onOpen,
  onKey,
  onFocus,
  onNear,
  drag,
}: RowProps) {
  const hasDraft = useHasDraft(row.id);
  const depth = Math.min(row.depth, DEEPEST_SHOWN);
  return (
    <div className="relative h-19 border-line border-b" style={{ paddingLeft: depth * 12 }}>
      {Array.from({ length: depth }, (_, level) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a guide line is its level
          key={level}
          aria-hidden
          className="absolute inset-y-0 border-line-strong/45 border-l"
          style={{ left: level * 12 + 5 }}
        />
      ))}
      <a
        href={`?memoire=${row.id}`}
        data-row={row.id}
        tabIndex={isStop ? 0 : -1}
        aria-current={current ? 'true' : undefined}
        draggable={drag ? true : undefined}
        onClick={(event) => onOpen(row.id, event)}
        onKeyDown={(event) => onKey(row.id, event)}
        onFocus={() => onFocus(row.id)}
        onPointerEnter={() => onNear(row.id)}
        onPointerLeave={() => onNear(null)}
        onDragStart={drag && ((event) => drag.start(row.id, event))}
        onDragOver={drag && ((event) => drag.over(row.id, event))}
        onDragLeave={drag && (() => drag.leave(row.id))}
        onDrop={drag && ((event) => drag.drop(row.id, event))}
        onDragEnd={drag && (() => drag.end())}
        className={cx(
          'flex h-full min-w-0 flex-col justify-center rounded-xs px-2 transition-colors focus-visible:-outline-offset-2',
          current ? 'bg-accent-soft' : 'hover:bg-hover',
          target && 'outline-2 outline-accent-ink -outline-offset-2',
          dragged && 'opacity-55',
        )}
      >
        <span className="flex min-w-0 items-baseline gap-2">
          <span
            data-tip={row.title.length > 24 ? row.title : undefined}
            className="truncate font-medium text-sm"
          >
            {row.depth > 0 ? <span className="sr-only">Niveau {row.depth + 1}&nbsp;: </span> : null}
            {row.title}
          </span>
          {hasDraft ? (
            <span
              data-tip="Ce que vous y avez écrit n’est pas enregistré."
              className="ml-auto shrink-0 text-warn text-xs"
            >
              Brouillon
            </span>
          ) : null}
        </span>
        <span className="truncate text-ink-soft text-xs">{row.excerpt}</span>
        {/* One line: what does not fit wraps below it, out of sight, instead of being cut. */}
        <span
          data-facts
          className="tabular mt-0.5 flex h-4 min-w-0 shrink-0 flex-wrap gap-x-1.5 overflow-hidden whitespace-nowrap text-ink-faint text-xs"
        >
          <span>{row.cu} CU</span>
          <span>
            <span aria-hidden>·&nbsp;</span>
            <Time at={row.updatedAt} now={now} short />
          </span>
          <span>
            <span aria-hidden>·&nbsp;</span>
            {SOURCE_LABELS[row.source]}
          </span>
        </span>
      </a>
    </div>
  );
}
