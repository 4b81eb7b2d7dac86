/**
 * Calls `poll` every `everyMs` milliseconds while the page is visible, and at once when it becomes visible again. Returns a function that stops it.
 */
export function pollEvery(everyMs: number, poll: () => unknown): () => void {
  const turn = () => {
    if (!document.hidden) poll();
  };
  const timer = setInterval(turn, everyMs);
  document.addEventListener('visibilitychange', turn);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', turn);
  };
}
