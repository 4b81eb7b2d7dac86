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

/** Less than any test asks for: a loop that was not held so long on this machine needs no measure of the machine. */
const LEAST_ASKED_MS = 40;
/** A measure of the machine counts for so long before the next piece of work begins: it costs as much as many of those do. */
const MEASURE_HOLDS_MS = 10_000;
let measured = { ms: 0, at: Number.NEGATIVE_INFINITY };

/** What `measureSpeed` says now, or said no longer ago than this. */
function speedWithin(ms: number): number {
  if (performance.now() - measured.at >= ms) measured = { ms: measureSpeed(), at: performance.now() };
  return measured.ms;
}

/** How many times slower than the reference: beyond four times, the measure itself is not to be believed. */
const slownessOf = (ms: number) => Math.min(4, Math.max(1, ms / REFERENCE_MS));

/** How many times slower than the reference machine this one computes now. */
export const slownessNow = () => slownessOf(speedWithin(0));

/**
 * Watches this thread's event loop while `work` runs: the longest time that it computed between two turns, in milliseconds of its own
 * processor at the reference machine's speed, so that a busy or slow machine does not count as a held loop (less than 40: as this machine took).
 */
export async function longestHold<T>(work: () => Promise<T>): Promise<{ result: T; heldMs: number }> {
  const speedBefore = speedWithin(MEASURE_HOLDS_MS);
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
    if (heldMs < LEAST_ASKED_MS) return { result, heldMs };
    // The slower of the two: a machine that was held for a moment is told by one of them alone.
    return { result, heldMs: heldMs / slownessOf(Math.max(speedBefore, speedWithin(0))) };
  } finally {
    clearInterval(timer);
  }
}
