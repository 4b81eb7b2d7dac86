const BLOCK = new Uint8Array(2 ** 20);
/** What `measureSpeed` took, quiet, on the machine that the limits were written on (AMD EPYC, 2026-11-22). */
const REFERENCE_MS = 5;

/** Milliseconds of processor for one fixed piece of arithmetic and copying: a shared core or cache makes it longer, as it does `work`. */
function measureSpeed(): number {
  const before = process.threadCpuUsage();
  let sum = 0;
  for (let round = 0; round < 4; round++) {
    const copy = BLOCK.fill(round).slice();
    for (let at = 0; at < copy.length; at += 4) sum = (sum * 31 + (copy[at] as number)) | 0;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 + (sum & 0);
}

// Compiled before it counts.
for (let run = 0; run < 5; run++) measureSpeed();

/**
 * Watches this thread's event loop while `work` runs: the longest time that it computed between two turns, in milliseconds of its own
 * processor at the reference machine's speed, so that a busy or slow machine does not count as a held loop.
 */
export async function longestHold<T>(work: () => Promise<T>): Promise<{ result: T; heldMs: number }> {
  const speedBefore = measureSpeed();
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
    clearInterval(timer);
    const slowness = Math.max(1, speedBefore / REFERENCE_MS, measureSpeed() / REFERENCE_MS);
    // Beyond four times slower, the measure itself is not to be believed.
    return { result, heldMs: heldMs / Math.min(4, slowness) };
  } finally {
    clearInterval(timer);
  }
}
