import type { CallOptions, ProviderFailure } from './ports-call.ts';

export type RenderDispatch = {
  /** Inputs of the workflow: at most 25, all text. */
  inputs: Record<string, string>;
};

export type RenderDispatched = {
  outcome: 'dispatched';
  /** Absent when the server does not say (older GitHub Enterprise): then only callback and sweep close the row. */
  runId?: string;
  runUrl?: string;
};

export type RenderStatus =
  | { outcome: 'running'; runUrl?: string }
  | { outcome: 'succeeded'; runUrl?: string }
  | {
      outcome: 'run-failed';
      runUrl?: string;
      /** GitHub's conclusion: failure, cancelled, timed_out… */
      conclusion: string;
      /** Every job failed in seconds without a step: the CI's quota is spent. */
      blackout: boolean;
    };

/** Starts the outside job that draws a template, and says how it goes. */
export interface RenderRunner {
  /** Budget `renderDispatch`. Sent once. */
  dispatch(request: RenderDispatch, options?: CallOptions): Promise<RenderDispatched | ProviderFailure>;
  status(runId: string, options?: CallOptions): Promise<RenderStatus | ProviderFailure>;
  /**
   * Whether the workflow that draws can be read under its key; absent where none is asked. `not-found` says no more than it does: what a key
   * may not see is answered like what is not there.
   */
  workflow?(options?: CallOptions): Promise<{ outcome: 'found' } | ProviderFailure>;
}
