/** What must be on screen: all that is given holds at once; of `gone`, nothing is drawn. */
export type Sight = { selector?: string; text?: string; gone?: string; path?: string };

export type Figures = { lcpMs: number; cls: number; interactionsMs: number[]; keysMs: number[] };

export type Probe = {
  figures(): Figures;
  /** Waits for a sight; `seen` tells how long after the last press it was drawn. */
  expect(sight: Sight): number;
  seen(watch: number): Promise<number>;
};

/** Runs in the page before its own scripts: web vitals by the browser's own entries, and the time from a press to what it draws. */
export function installProbe(): void {
  type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; interactionId: number };
  const held = { lcpMs: 0, cls: 0, interactions: new Map<number, number>(), keysMs: [] as number[] };
  const observe = (type: string, take: (entry: Entry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as Entry);
    }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  observe('largest-contentful-paint', (entry) => {
    held.lcpMs = entry.startTime;
  });
  observe('layout-shift', (entry) => {
    if (!entry.hadRecentInput) held.cls += entry.value;
  });
  observe('event', ({ interactionId, duration }) => {
    if (interactionId)
      held.interactions.set(interactionId, Math.max(duration, held.interactions.get(interactionId) ?? 0));
  });
  const afterPaint = (then: () => void) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = then;
    channel.port2.postMessage(0);
  };
  let pressedAt = 0;
  const press = (event: Event) => {
    pressedAt = event.timeStamp;
    if (event.type !== 'keydown') return;
    requestAnimationFrame(() => afterPaint(() => held.keysMs.push(performance.now() - event.timeStamp)));
  };
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, press, { capture: true });
  const isDrawn = (selector: string, text = '') =>
    [...document.querySelectorAll(selector)].some(
      (one) => one.getClientRects().length > 0 && (one.textContent ?? '').includes(text),
    );
  // A page that is left stays in the document, hidden, behind the skeleton of one that is late.
  const isSeen = ({ selector, text, gone, path }: Sight) =>
    (!selector || isDrawn(selector, text)) &&
    (!gone || !isDrawn(gone)) &&
    (!path || location.pathname === path);
  const watches: Promise<number>[] = [];
  const probe: Probe = {
    figures: () => ({ ...held, interactionsMs: [...held.interactions.values()] }),
    expect(sight) {
      const since = performance.now();
      const seen = new Promise<number>((resolve) => {
        const look = () => {
          if (pressedAt < since || !isSeen(sight)) requestAnimationFrame(look);
          else afterPaint(() => resolve(performance.now() - pressedAt));
        };
        requestAnimationFrame(look);
      });
      return watches.push(seen) - 1;
    },
    seen: (watch) => watches[watch] ?? Promise.reject(new Error(`No watch ${watch}.`)),
  };
  Object.assign(globalThis, { vitalsProbe: probe });
}
