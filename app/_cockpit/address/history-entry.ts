/** Entries of the history that this document has gone to. */
let gone = 1;

/**
 * Counts them in a browser that does not name them (Firefox before 147, Safari before 26.2). Their number says nothing there: it stays once the
 * history is full, and when a link takes the place of what « back » left ahead. To be called before the router, which keeps `pushState`.
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

/** An entry of the browser's history: another one once a link was followed, most often the same when the page was only read again. */
export const entryNow = (): string | number => window.navigation?.currentEntry?.key ?? gone;
