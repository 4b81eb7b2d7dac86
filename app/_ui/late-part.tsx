'use client';
import { type ComponentProps, type ComponentType, type ReactNode, useRef, useSyncExternalStore } from 'react';
import { type Leave, lazyPart } from './lazy-part.ts';

/**
 * A part of a page that the server draws and whose script follows the page's own. Until that is there, what the server drew stays as it
 * is and takes no press: what is chosen in a field that nothing listens to would be lost. `fallback` keeps its place where no server
 * drew it, `leave` is what a `lazyPart` is told. Around it stands an element without a box (`data-late`).
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
        // Once React has it too: notified sooner, it would not find the part yet.
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
    // An update of what React cannot draw yet would have it draw the fallback over the server's drawing: none passes before.
    const drawn = useRef<ReactNode>(null);
    if (isAlive || !drawn.current) drawn.current = <Part {...props} />;
    return (
      <div data-late className="contents" inert={!isAlive}>
        {drawn.current}
      </div>
    );
  };
}
