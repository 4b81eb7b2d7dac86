type Leaving = {
  tell: ((path: string) => void) | null;
  /** While a page is on its way: shows the one at hand again, whose reader stays with what was typed there. */
  stay?: (() => void) | null;
  /** The address that the router last set out for. */
  to?: string;
  /** The one at which its reader stayed: the router waits for a document there, and never asks for it again. */
  calledOff?: string | undefined;
};

/** Between `instrumentation-client.ts`, which hears the router set out, and the frame of the cockpit, which shows what is on its way. */
export const leaving: Leaving = { tell: null };
