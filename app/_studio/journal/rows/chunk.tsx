'use client';
import { type ReactNode, useEffect, useRef, useState } from 'react';

const MARGIN = '1500px 0px';

type Props = {
  as?: 'div' | 'tbody';
  /** The height in pixels of a chunk that was never drawn. */
  estimate: number;
  /** Whether the chunk is drawn at once, also by the server. */
  eager?: boolean;
  children: ReactNode;
};

/**
 * A part of a long list that is drawn only near the screen; elsewhere an empty element keeps its height. A chunk that holds the focus is never
 * removed.
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
        // A busy browser reports several changes together: only the last one counts.
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
