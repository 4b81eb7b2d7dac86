import { after } from 'next/server';
import { faultFields } from '#lib/core/faults.ts';
import { stdoutLogger } from '#lib/core/log.ts';

/** Runs `work` once the answer has left; a failure is logged under `event`. Outside a request it runs at once. */
export function runLater(event: string, work: () => Promise<unknown>): void {
  const guarded = async () => {
    try {
      await work();
    } catch (error) {
      stdoutLogger.error(event, { ...faultFields(error) });
    }
  };
  try {
    after(guarded);
  } catch {
    void guarded();
  }
}
