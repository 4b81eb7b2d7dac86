type Handler = (event: PopStateEvent) => void;

let handler: Handler | null = null;

/**
 * Hears « back » and « forward » before the router: called by `instrumentation-client.ts`, before it exists. At the window listeners are
 * called in the order in which they came, capturing or not.
 */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => handler?.(event));
}

/** `next` hears them from now on, in the place of any other; ended by what is returned. */
export function onPopState(next: Handler): () => void {
  handler = next;
  return () => {
    if (handler === next) handler = null;
  };
}
