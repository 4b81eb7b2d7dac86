import {
  Activity,
  type ComponentProps,
  type ComponentType,
  createElement,
  type ReactNode,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { toast } from './toast.ts';

type Load<C> = () => Promise<{ default: C }>;

const never = () => () => {};

/**
 * A part of a page fetched when it is first needed; `waiting` keeps its place until it is there. Needed while the network is lost, it says so
 * and comes once it is back, instead of ending the page. One that could not be fetched is asked for again at its next use.
 *
 * Not `React.lazy` in a `Suspense`: React holds a part back until 300 ms after its fallback was drawn, however soon it arrived; and of a long
 * page the server sends the fallback first, then what it drew, to be put in its place. An `Activity` comes alive on its own too.
 */
// biome-ignore lint/suspicious/noExplicitAny: any component, whatever its properties
export function lazyPart<C extends ComponentType<any>>(
  load: Load<C>,
  waiting: ReactNode = null,
): ComponentType<ComponentProps<C>> {
  let part: C | null = null;
  let coming: Promise<void> | null = null;
  const fetch = () => {
    coming ??= load()
      .catch((error: unknown) => afterLostNetwork(load, error))
      .then(
        (module) => {
          part = module.default;
        },
        (error: unknown) => {
          coming = null;
          throw error;
        },
      );
    return coming;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for a part, by its module
  function Part(props: ComponentProps<C>) {
    // What the server drew stays as it is until its script is there.
    const isServerDrawn = useSyncExternalStore(
      never,
      () => false,
      () => true,
    );
    const [end, settle] = useState<{ error?: unknown }>({});
    const isHere = part !== null;
    useEffect(() => {
      // By this drawing: what came between it and now would not be drawn by itself.
      if (isHere) return;
      let isGone = false;
      fetch().then(
        () => isGone || settle({}),
        (error: unknown) => isGone || settle({ error }),
      );
      return () => {
        isGone = true;
      };
    }, [isHere]);
    if ('error' in end) throw end.error;
    if (!part && isServerDrawn) use(fetch());
    return part ? createElement(part, props) : waiting;
  }
  // biome-ignore lint/correctness/noComponentHookFactories: as above
  return function LazyPart(props: ComponentProps<C>) {
    return createElement(Activity, null, createElement(Part, props));
  };
}

function afterLostNetwork<C>(load: Load<C>, error: unknown): Promise<{ default: C }> {
  if (navigator.onLine) throw error;
  toast({
    name: 'lost-network',
    title: 'La connexion a été perdue',
    description: 'Ce que vous ouvriez s’affichera dès qu’elle reviendra.',
    tone: 'fail',
  });
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => load().then(resolve, reject), { once: true });
  });
}

/** Fetches a part ahead of a likely use; a lost network is nothing to say yet. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => {});
}
