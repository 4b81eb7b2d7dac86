import { faultFields } from '#lib/core/faults.ts';
import type { Pass } from './pass.ts';

/**
 * Asks the store about files that an earlier pass claimed and that something keeps by now: which ones still exist, and which are gone. A file
 * without an answer is in neither list and waits for the next pass; the first error is logged (`retention.head_failed`).
 */
export async function askStore<File extends { pathname: string }>(
  pass: Pass,
  files: readonly File[],
): Promise<{ alive: File[]; lost: File[] }> {
  const { budget, store, ctx } = pass;
  let isLogged = false;
  const failed = (error: unknown) => {
    if (!isLogged) ctx.log.warn('retention.head_failed', faultFields(error));
    isLogged = true;
    return undefined;
  };
  const alive: File[] = [];
  const lost: File[] = [];
  for (const file of files) {
    if (budget.isSpent()) break;
    const stored = await budget.inTime(store.head(file.pathname)).catch(failed);
    budget.storeAnswered(stored !== undefined);
    if (stored !== undefined) (stored ? alive : lost).push(file);
  }
  return { alive, lost };
}
