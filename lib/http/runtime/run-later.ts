import { after } from 'next/server';
import { faultFields } from '#lib/core/faults.ts';
import { type LogFields, stdoutLogger } from '#lib/core/log.ts';

type Work = () => Promise<unknown>;

/**
 * Runs `work` once the answer has left; a failure is logged under `event`, with `fields`. Returns false outside a request, where nothing
 * runs. The one way to Next's `after`, which would print a failure with its message.
 */
export function afterAnswer(event: string, work: Work, fields: LogFields = {}): boolean {
  try {
    after(guarded(event, work, fields));
    return true;
  } catch {
    return false;
  }
}

/** The same, at once outside a request. */
export function runLater(event: string, work: Work, fields: LogFields = {}): void {
  if (!afterAnswer(event, work, fields)) void guarded(event, work, fields)();
}

const guarded = (event: string, work: Work, fields: LogFields) => async (): Promise<void> => {
  try {
    await work();
  } catch (error) {
    stdoutLogger.error(event, { ...fields, ...faultFields(error) });
  }
};
