type BeforeRouter = {
  /** Hears « back » and « forward » before the router does. */
  onPop: ((event: PopStateEvent) => void) | null;
  /** Whether the router set out for another address, and no page has taken it for its own yet. */
  isLed: boolean;
};

/** Between `instrumentation-client.ts`, which runs before the router exists, and the page that writes its address beside it. */
export const beforeRouter: BeforeRouter = { onPop: null, isLed: false };
