'use client';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '../cx.ts';

type VirtualListProps<Item> = {
  items: readonly Item[];
  /** Height of every row, in pixels. */
  rowHeight: number;
  itemKey: (item: Item, index: number) => string;
  render: (item: Item, index: number) => ReactNode;
  /** Name of the list for assistive technology, which also gets the full count. */
  label: string;
  /** The number of rows drawn by the server, before the browser has measured. */
  initial?: number;
  overscan?: number;
  /** Index of a row that is always drawn: the one that the Tab key reaches. */
  keep?: number;
  className?: string;
};

/**
 * A long list that draws only the rows near the visible part of the page, so that thousands of rows stay smooth. The row that holds the focus is
 * always drawn.
 */
export function VirtualList<Item>({
  items,
  rowHeight,
  itemKey,
  render,
  label,
  initial = 30,
  overscan = 8,
  keep = -1,
  className,
}: VirtualListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState<[number, number]>([0, initial]);
  const [focused, setFocused] = useState<number | null>(null);

  useLayoutEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (!list.current) return;
      const top = list.current.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(-top / rowHeight) - overscan);
      // A list below the screen keeps its first rows, so that the browser's search and its print-outs include them.
      const last = Math.max(initial, Math.ceil((window.innerHeight - top) / rowHeight) + overscan);
      setRange((now) => (now[0] === first && now[1] === last ? now : [first, last]));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    // Captured, because the scroll of any container counts, not only that of the window.
    window.addEventListener('scroll', soon, { passive: true, capture: true });
    window.addEventListener('resize', soon, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', soon, { capture: true });
      window.removeEventListener('resize', soon);
    };
  }, [rowHeight, overscan, initial]);

  const [first, last] = range;
  const shown = new Set<number>();
  for (let index = first; index < Math.min(last, items.length); index++) shown.add(index);
  if (focused !== null && focused < items.length) shown.add(focused);
  if (keep >= 0 && keep < items.length) shown.add(keep);
  return (
    <ul
      role="list"
      ref={list}
      aria-label={label}
      className={cx('relative', className)}
      style={{ height: items.length * rowHeight }}
      onFocus={(event) => {
        const row = event.target.closest<HTMLElement>('[data-index]');
        setFocused(row ? Number(row.dataset.index) : null);
      }}
      onBlur={() => setFocused(null)}
    >
      {[...shown]
        .sort((a, b) => a - b)
        .map((index) => {
          const item = items[index] as Item;
          return (
            <li
              key={itemKey(item, index)}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0"
              style={{ top: index * rowHeight, height: rowHeight }}
            >
              {render(item, index)}
            </li>
          );
        })}
    </ul>
  );
}
