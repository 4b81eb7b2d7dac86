/**
 * The result of `work`, or `otherwise` once `waitMs` are over: `work` then goes on unobserved, and its failure is ignored here. What came
 * while this process was held is taken, though its time is over.
 */
export async function waitAtMost<T>(work: Promise<T>, waitMs: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    // Timers run before what has arrived is read: that is looked at once more.
    timer = setTimeout(() => setImmediate(() => resolve(otherwise)), waitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
