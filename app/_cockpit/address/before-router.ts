type BeforeRouter = {
  /** Called on « back » and « forward », before the router. */
  onPop: ((event: PopStateEvent) => void) | null;
  /** Whether the router has left for another address that no page has taken as its own yet. */
  isLed: boolean;
};

/** Shared by `instrumentation-client.ts`, which runs before the router exists, and the page that writes its own address. */
export const beforeRouter: BeforeRouter = { onPop: null, isLed: false };
