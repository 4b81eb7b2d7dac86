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

type Load<C> = () => Promise<{ default: C }>;

/**
 * What becomes of a part whose script cannot be fetched. A function closes it: it is a dialog or a menu, and a toast says so. Null: it is
 * little, and nothing is said. Neither: its place says so.
 */
// biome-ignore lint/suspicious/noExplicitAny: any component, whatever its properties
export type Leave<C extends ComponentType<any>> = ((props: ComponentProps<C>) => void) | null;

const never = () => () => {};

type Missing = {
  onceBack<Module>(load: () => Promise<Module>, error: unknown): Promise<Module>;
  missingPart(error: unknown, retry: () => void, leave?: () => void): Promise<ReactNode>;
};

/** What says that a part is missing: given by the toaster, whose machinery it needs too. */
export const missing: { load: () => Promise<Missing> } = {
  load: () => Promise.reject(),
};

/**
 * A part of a page fetched when it is first needed; `waiting` keeps its place until it is there. Needed while the network is lost, it says so
 * and comes once it is back. One that cannot be fetched (its release is no longer served) leaves the page as it is, with what was typed
 * there: it is said as `leave` has it, and asked for again at its next use.
 *
 * Not `React.lazy` in a `Suspense`: React holds a part back until 300 ms after its fallback was drawn, however soon it arrived; and of a long
 * page the server sends the fallback first, then what it drew, to be put in its place. An `Activity` comes alive on its own too.
 */
// biome-ignore lint/suspicious/noExplicitAny: any component, whatever its properties
export function lazyPart<C extends ComponentType<any>>(
  load: Load<C>,
  waiting: ReactNode = null,
  leave?: Leave<C>,
): ComponentType<ComponentProps<C>> {
  let part: C | null = null;
  let coming: Promise<void> | null = null;
  const fetch = () => {
    coming ??= load()
      .catch((error: unknown) => missing.load().then(({ onceBack }) => onceBack(load, error)))
      .then((module) => {
        part = module.default;
      });
    return coming;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for a part, by its module
  // biome-ignore lint/suspicious/noExplicitAny: its properties are checked where it is used
  function Part(props: any) {
    // What the server drew stays as it is until its script is there.
    const isServerDrawn = useSyncExternalStore(
      never,
      () => false,
      () => true,
    );
    const [end, settle] = useState<{ told?: ReactNode }>({});
    const isHere = part !== null;
    // A dialog that was left is asked for again as it opens.
    const isWanted = props.open !== false;
    // biome-ignore lint/correctness/useExhaustiveDependencies: one that is left is left by what closed it as it was asked for
    useEffect(() => {
      // By this drawing: what came between it and now would not be drawn by itself.
      if (isHere || !isWanted || end.told) return;
      let isGone = false;
      fetch().then(
        () => isGone || settle({}),
        (error: unknown) => {
          // Not as it failed: what the server drew, and is drawn anew without it, would ask for it once more.
          coming = null;
          if (leave === null) return;
          missing
            .load()
            .then(
              ({ missingPart }) =>
                isGone || missingPart(error, () => settle({}), leave && (() => leave(props))),
              () => 'Rechargez la page.',
            )
            .then((told) => isGone || !told || settle({ told }));
        },
      );
      return () => {
        isGone = true;
      };
    }, [isHere, isWanted, end]);
    if (part) return createElement(part, props);
    if (end.told) return end.told;
    if (isServerDrawn) use(fetch());
    return waiting;
  }
  // biome-ignore lint/correctness/noComponentHookFactories: as above
  return function LazyPart(props: ComponentProps<C>) {
    return createElement(Activity, null, createElement(Part, props));
  };
}

/** Fetches a part ahead of a likely use; a lost network is nothing to say yet. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => {});
}
