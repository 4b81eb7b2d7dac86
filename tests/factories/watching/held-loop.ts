const BLOCK = new Uint8Array(2 ** 20);
/** What `measureSpeed` takes on a quiet AMD EPYC (2026-11-27: 13 to 15 ms). */
const REFERENCE_MS = 15;
/** Long enough to be measured: the kernel counts a thread's processor in ticks of some milliseconds. */
const ROUNDS = 40;

function compute(): number {
  let sum = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const copy = BLOCK.fill(round).slice();
    for (let at = 0; at < copy.length; at += 4) sum = (Math.imul(sum, 31) + (copy[at] as number)) | 0;
  }
  return sum;
}

/** Milliseconds of processor for one fixed piece of arithmetic and copying: a shared core or cache makes it longer, as it does `work`. */
function measureSpeed(): number {
  const before = process.threadCpuUsage();
  const sum = compute();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 + (sum & 0);
}

// Compiled before it counts, by a thread that others may keep waiting: interpreted it takes ten times as long.
const interpretedMs = measureSpeed();
for (let run = 0; run < 12 && measureSpeed() > interpretedMs / 3; run++);

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
    const slowness = Math.max(1, (speedBefore + measureSpeed()) / 2 / REFERENCE_MS);
    // Beyond four times slower, the measure itself is not to be believed.
    return { result, heldMs: heldMs / Math.min(4, slowness) };
  } finally {
    clearInterval(timer);
  }
}
