/** Calls `poll` every `everyMs` while the page is visible, and at once when it becomes visible again. Returns what stops it. */
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
