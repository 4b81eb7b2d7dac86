/** The result of `work`, or `otherwise` once `waitMs` are over: `work` then goes on unobserved, and its failure is ignored here. */
export async function waitAtMost<T>(work: Promise<T>, waitMs: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), waitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
