'use client';
import type { CSSProperties, DragEvent, KeyboardEvent, MouseEvent } from 'react';
import { SOURCE_LABELS } from '#app/_cockpit/brain-words.ts';
import { cx } from '#app/_ui/cx.ts';
import { Time } from '#app/_ui/text/time.tsx';
import type { SpaceRowView } from '#lib/brain/queries/view-space.ts';
import { useHasDraft } from '../_memory/has-draft.ts';

/** In pixels; the same for every row, so that thousands can be positioned without measuring. */
export const ROW_HEIGHT = 76;

/** Deeper rows are not indented further: the guide lines would leave no room for the text. */
const DEEPEST_SHOWN = 5;

export type RowHandlers = {
  onOpen: (id: string, event: MouseEvent) => void;
  onKey: (id: string, event: KeyboardEvent) => void;
  onFocus: (id: string) => void;
  /** Called with the row's identifier when the pointer enters it, with null when it leaves. */
  onNear: (id: string | null) => void;
  /** Absent if rows cannot be moved. */
  drag?: {
    start: (id: string, event: DragEvent) => void;
    over: (id: string, event: DragEvent) => void;
    leave: (id: string) => void;
    drop: (id: string, event: DragEvent) => void;
    end: () => void;
  };
};

type RowProps = RowHandlers & {
  memberId: string;
  row: SpaceRowView;
  now: Date;
  current: boolean;
  /** Whether this row is the tab stop of its pillar; arrow keys reach the others. */
  isStop: boolean;
  /** Whether a row is dragged over this one: dropped here, it would be nested in it. */
  target: boolean;
  dragged: boolean;
};

/**
 * A Memory as a row: title, excerpt, size, age, source, and whether it has a draft. It stands in an item of `.memory-rows` (`app/_ui/styles`),
 * which draws the guide lines of nested rows.
 */
export function Row({
  memberId,
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
  const hasDraft = useHasDraft(memberId, row.id);
  const depth = Math.min(row.depth, DEEPEST_SHOWN);
  const title = <span className="truncate font-medium text-sm">{row.title}</span>;
  return (
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
      style={depth > 0 ? ({ '--depth': depth } as CSSProperties) : undefined}
      className={
        cx(
          depth > 0 && 'nested',
          current && 'bg-accent-soft',
          target && 'outline-2 outline-accent-ink',
          dragged && 'opacity-55',
        ) || undefined
      }
    >
      {depth > 0 ? <span className="sr-only">{`Niveau ${row.depth + 1}\u00a0: `}</span> : null}
      {hasDraft ? (
        <span className="flex min-w-0 items-baseline gap-2">
          {title}
          <span
            data-tip="Ce que vous y avez écrit n’est pas enregistré."
            className="ml-auto shrink-0 text-warn text-xs"
          >
            Brouillon
          </span>
        </span>
      ) : (
        title
      )}
      <span className="truncate text-ink-soft text-xs">{row.excerpt}</span>
      <span data-facts>
        {`${row.cu} CU`}
        <Time at={row.updatedAt} now={now} short />
        <span>{SOURCE_LABELS[row.source]}</span>
      </span>
    </a>
  );
}
