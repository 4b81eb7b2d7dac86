'use client';
import { type ReactNode, useEffect, useRef, useState } from 'react';

const MARGIN = '1500px 0px';

type Props = {
  as?: 'div' | 'tbody';
  /** Height kept while it has never been drawn, in pixels. */
  estimate: number;
  /** Drawn at once: what the server sends. */
  eager?: boolean;
  children: ReactNode;
};

/**
 * A stretch of a long list that exists only near the screen; elsewhere an empty place of the same height stands for it. A
 * stretch that holds the focus is never taken away.
 */
export function Chunk({ as = 'div', estimate, eager = false, children }: Props) {
  const place = useRef<HTMLElement | null>(null);
  const height = useRef(estimate);
  const [near, setNear] = useState(eager);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        // A busy page tells several changes at once: the last one holds.
        const entry = entries.at(-1);
        if (!entry) return;
        if (!entry.isIntersecting) {
          if (element.contains(document.activeElement)) return;
          if (entry.boundingClientRect.height > 0) height.current = entry.boundingClientRect.height;
        }
        setNear(entry.isIntersecting);
      },
      { rootMargin: MARGIN },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const set = (element: HTMLElement | null) => {
    place.current = element;
  };
  if (as === 'tbody')
    return (
      <tbody ref={set} className="divide-y divide-line border-line border-b">
        {near ? (
          children
        ) : (
          <tr aria-hidden style={{ height: height.current }}>
            <td />
          </tr>
        )}
      </tbody>
    );
  return (
    <div ref={set} style={near ? undefined : { height: height.current }}>
      {near ? children : null}
    </div>
  );
}
