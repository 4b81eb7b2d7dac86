/**
 * Watches this thread's event loop while `work` runs: the longest time that it computed between two turns, in milliseconds of its own
 * processor, so that a busy machine does not count as a held loop.
 */
export async function longestHold<T>(work: () => Promise<T>): Promise<{ result: T; heldMs: number }> {
  let heldMs = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const spent = process.threadCpuUsage(last);
    heldMs = Math.max(heldMs, (spent.user + spent.system) / 1000);
    last = process.threadCpuUsage();
  }, 1);
  try {
    const result = await work();
    // One more turn: what held the loop last is counted too.
    await new Promise((turn) => setTimeout(turn, 5));
    return { result, heldMs };
  } finally {
    clearInterval(timer);
  }
}
