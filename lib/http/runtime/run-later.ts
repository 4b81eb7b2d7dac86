import { after } from 'next/server';
import { faultFields } from '#lib/core/faults.ts';
import { type LogFields, stdoutLogger } from '#lib/core/log.ts';

/**
 * Runs `work` once the answer has left; a failure is logged under `event`, with `fields`. Outside a request it runs at once. The one
 * way to Next's `after`, which would print a failure with its message.
 */
export function runLater(event: string, work: () => Promise<unknown>, fields: LogFields = {}): void {
  const guarded = async () => {
    try {
      await work();
    } catch (error) {
      stdoutLogger.error(event, { ...fields, ...faultFields(error) });
    }
  };
  try {
    after(guarded);
  } catch {
    void guarded();
  }
}
