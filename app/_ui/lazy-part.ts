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
 * What happens if the script of a part cannot be loaded. A function closes the part (a dialog or a menu), and a toast says so. Null: the part is
 * minor, and nothing is said. Undefined: a message stands in its place.
 */
// biome-ignore lint/suspicious/noExplicitAny: any component, whatever its properties
export type Leave<C extends ComponentType<any>> = ((props: ComponentProps<C>) => void) | null;

const never = () => () => {};

/** Where even the code that handles a missing part is missing: what was lost without network is loaded once it is back. */
const onceHeard =
  <Module>(load: () => Promise<Module>, wasOnline: boolean) =>
  async (lost: unknown): Promise<Module> => {
    if (!navigator.onLine)
      await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    else if (wasOnline) throw lost;
    return load();
  };

type Missing = {
  onceBack<Module>(load: () => Promise<Module>, error: unknown, wasOnline: boolean): Promise<Module>;
  missingPart(error: unknown, retry: () => void, leave?: () => void): Promise<ReactNode>;
};

/** The code that handles a missing part; set by the toaster, which that code needs. */
export const missing: { load: () => Promise<Missing> } = {
  load: () => Promise.reject(),
};

/**
 * A part of a page that is loaded at its first use; `waiting` is shown until then. Without network, it says so and loads once the network is
 * back. If its script cannot be loaded (the release is no longer served), the page and what was typed stay, `leave` decides what is said, and
 * the next use loads again.
 */
// Not `React.lazy` in a `Suspense`: React delays content until 300 ms after its fallback, and the server sends the fallback of a
// long page before its content. An `Activity` also hydrates by itself.
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
      .catch((error: unknown) => {
        // As it failed: the network may be back before the code for missing parts is there.
        const wasOnline = navigator.onLine;
        return missing
          .load()
          .then(({ onceBack }) => onceBack(load, error, wasOnline), onceHeard(load, wasOnline));
      })
      .then((module) => {
        part = module.default;
      });
    return coming;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for a part, by its module
  // biome-ignore lint/suspicious/noExplicitAny: its properties are checked where it is used
  function Part(props: any) {
    // What the server rendered stays until the script is there.
    const isServerDrawn = useSyncExternalStore(
      never,
      () => false,
      () => true,
    );
    const [end, settle] = useState<{ told?: ReactNode }>({});
    const isHere = part !== null;
    // A dialog that failed to load is loaded again when it opens.
    const isWanted = props.open !== false;
    // biome-ignore lint/correctness/useExhaustiveDependencies: `leave` gets the props of the render that asked for the part
    useEffect(() => {
      // As of this render: a part that arrived since then would not cause another one.
      if (isHere || !isWanted || end.told) return;
      let isGone = false;
      fetch().then(
        () => isGone || settle({}),
        (error: unknown) => {
          // Reset here, not in `fetch`: a server-rendered part, rendered again without its script, would load it at once.
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

/** Loads a part ahead of a likely use. A failure is ignored: it is handled at the use. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => {});
}
