type Leaving = {
  tell: ((path: string) => void) | null;
  /** While a page loads: shows the current page again, for a reader who chose to stay with what they typed there. */
  stay?: (() => void) | null;
  /** The address of the router's last navigation. */
  to?: string;
  /** The address whose loading the reader called off: the router still waits for its document, and never requests it again. */
  calledOff?: string | undefined;
};

/** Shared by `instrumentation-client.ts`, which learns of each navigation, and the cockpit's frame, which shows that a page is loading. */
export const leaving: Leaving = { tell: null };
