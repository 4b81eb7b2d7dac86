/** Calls `look` every `everyMs` while the page is looked at, and at once when one comes back to it. Gives what ends it. */
export function lookEvery(everyMs: number, look: () => unknown): () => void {
  const turn = () => {
    if (!document.hidden) look();
  };
  const timer = setInterval(turn, everyMs);
  document.addEventListener('visibilitychange', turn);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', turn);
  };
}
