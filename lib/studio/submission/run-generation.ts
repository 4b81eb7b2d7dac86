import type { AccountActor } from '#lib/core/actor.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Failed, Outcome } from '../generation/outcome.ts';
import { stepFailed } from '../kinds/failures.ts';
import type { Prepared } from '../kinds/kind.ts';
import { advanceGeneration } from '../lifecycle/advance-generation.ts';
import { markSubmitted } from './mark-submitted.ts';

export type RunResult = { row: Generation; outcome: 'delivered' | 'running' | 'failed' };

/** Calls the provider once for a row whose amount is held, and ends the row; or leaves its job running. A failure of the provider is recorded in the row. */
export async function runGeneration(
  ctx: StudioContext<AccountActor>,
  row: Generation,
  prepared: Prepared,
): Promise<RunResult> {
  if ('run' in prepared) {
    const closed = await end(ctx, row, await attempt(() => prepared.run(row)));
    return { row: closed, outcome: closed.state === 'FAILED' ? 'failed' : 'delivered' };
  }
  const started = await attempt(() => prepared.start(row));
  if (started.result === 'failed') return { row: await end(ctx, row, started), outcome: 'failed' };
  const submitted = await markSubmitted(ctx, row, started.submission);
  return { row: submitted ?? row, outcome: 'running' };
}

async function end(ctx: StudioContext, row: Generation, outcome: Outcome): Promise<Generation> {
  return (await advanceGeneration(ctx, row, { type: 'outcome', outcome }, 'request')).row;
}

/** Our own faults end the row too. */
async function attempt<T extends Outcome | { result: 'started' }>(
  run: () => Promise<T>,
): Promise<T | Failed> {
  try {
    return await run();
  } catch (error) {
    return stepFailed(error);
  }
}
