/** Changes with each history entry that this document visits. */
let gone = 1;

/**
 * Counts history entries in browsers without the Navigation API (Firefox before 147, Safari before 26.2). `history.length` does not do: it stays the
 * same once the history is full, and when a link replaces what « back » left ahead. Call it before the router, which keeps a reference to
 * `pushState`.
 */
export function countEntries(): void {
  const { history, navigation } = window;
  if (navigation) return;
  const push = history.pushState.bind(history);
  history.pushState = (...made) => {
    push(...made);
    gone += 1;
  };
  window.addEventListener('popstate', () => {
    gone += 1;
  });
}

/** Identifies the current history entry: it changes once a link was followed, and mostly stays the same when the page is only read again. */
export const entryNow = (): string | number => window.navigation?.currentEntry?.key ?? gone;
