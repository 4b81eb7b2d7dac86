declare global {
  /** What Next does one after the other before it starts React (`next/dist/client/app-bootstrap.js`): it asks for the end of it all. */
  var __next_s: { length: number; reduce: () => Promise<void> } | undefined;
}

/** A browser that draws nothing, or does not say so, is not left without React for longer. */
const LONGEST_WAIT_MS = 3_000;

const listen = (type: string) =>
  new Promise((resolve) => document.addEventListener(type, resolve, { once: true }));

/** Once the whole document is there, the browser has drawn of it, and the frame after that has begun. */
async function isDrawn(): Promise<void> {
  if (document.readyState === 'loading') await listen('DOMContentLoaded');
  // An empty document, as Next sends it for an unknown address, has nothing to draw before React.
  if (!document.querySelector('main')) return;
  await new Promise<void>((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
    }).observe({ type: 'paint', buffered: true });
  });
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/**
 * React starts only once the browser has drawn what the server wrote: its start took the processor from the drawing (docs/page-speed.md). A tab that
 * is hidden draws nothing: React starts there at once.
 */
export function paintFirst(): void {
  if (document.visibilityState === 'hidden') return;
  const waited = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  const over = Promise.race([isDrawn(), listen('visibilitychange'), waited]).then(() => undefined);
  globalThis.__next_s = { length: 1, reduce: () => over };
}
