'use client';
import { type ComponentProps, type ComponentType, type ReactNode, useRef, useSyncExternalStore } from 'react';
import { type Leave, lazyPart } from './lazy-part.ts';

/**
 * A part of a page that the server renders and whose script loads after the page's own. Until then, what the server rendered stays and is inert,
 * because an input without a listener would be lost. `fallback` is shown where no server rendered the part; `leave` is passed to `lazyPart`. The
 * wrapper (`data-late`) has no box.
 */
// biome-ignore lint/suspicious/noExplicitAny: any component, whatever its properties
export function latePart<C extends ComponentType<any>>(
  load: () => Promise<{ default: C }>,
  fallback: ReactNode = null,
  leave?: Leave<C>,
): ComponentType<ComponentProps<C>> {
  let here = false;
  const isHere = () => here;
  const waiting = new Set<() => void>();
  // biome-ignore lint/suspicious/noExplicitAny: its properties are checked where it is used
  const Part: ComponentType<any> = lazyPart(
    () =>
      load().then((part) => {
        // Later than React, which would not find the part yet if it were notified sooner.
        setTimeout(() => {
          here = true;
          for (const notify of waiting) notify();
        });
        return part;
      }),
    fallback,
    leave,
  );
  const watch = (notify: () => void) => {
    waiting.add(notify);
    return () => waiting.delete(notify);
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for a part, by its module
  return function LatePart(props: ComponentProps<C>) {
    const isAlive = useSyncExternalStore(watch, isHere, () => false);
    // The same element is reused until the script is there: an update would make React show the fallback instead.
    const drawn = useRef<ReactNode>(null);
    if (isAlive || !drawn.current) drawn.current = <Part {...props} />;
    return (
      <div data-late className="contents" inert={!isAlive}>
        {drawn.current}
      </div>
    );
  };
}
