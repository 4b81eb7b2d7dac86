import type { Micros } from '#lib/core/money.ts';
import type { FailureCode } from './failure-codes.ts';
import type { Artifact, Params } from './params.ts';

/** A file ready to be kept; its name is unique within its generation. */
export type DeliveredFile = {
  name: string;
  bytes: Uint8Array;
  contentType: string;
  width?: number;
  height?: number;
  durationMs?: number;
};

/** What is known of a price once the work is done. */
export type CostFacts = {
  /** By the reviewed table, from measured quantities. */
  formulaMicros: Micros;
  /** True when the quantities are what the provider counted (tokens, characters). */
  fromUsage?: boolean;
  /** What the gateway says it debited. */
  gatewayMicros?: Micros;
  gatewayGenerationId?: string;
};

/** The provider was paid and the member gets no file. */
export type PaidNotDelivered = {
  reason: 'svg-unsafe' | 'setting-dropped' | 'composition-failed' | 'step-failed';
  dropped?: string[];
  truncated?: boolean;
  /** What the provider said that it took, when it said so. */
  costMicros?: Micros;
};

export type Delivered = {
  result: 'delivered';
  /** To be stored; empty when `stored` says where they lie already. */
  files: DeliveredFile[];
  stored?: Artifact[];
  cost: CostFacts;
  /** Merged into the row's params. */
  facts?: Partial<Params>;
  gatewayGenerationId?: string;
};

export type Failed = {
  result: 'failed';
  code: FailureCode;
  /** French; default: the sentence of the code. */
  message?: string;
  /** Technical; kept on the row, on no page. */
  errorMessage?: string;
  /** The fault of ours that ended it: logged as any other, kept nowhere. */
  fault?: unknown;
  paid?: PaidNotDelivered;
  facts?: Partial<Params>;
  gatewayGenerationId?: string;
};

export type Outcome = Delivered | Failed;

/** What the provider or the runner answered to the start of a job that goes on outside. */
export type Submission = {
  providerJobId?: string;
  /** Opaque, as given back to the provider. */
  providerOperation?: string;
  webhookSecret?: string;
  gatewayGenerationId?: string;
  modelId?: string;
  facts: Partial<Params>;
  /** Renders: counted from the dispatch. */
  deadlineAt?: Date;
};

/** How a row ends: by its outcome, or by what the ledger and the store already hold. */
export type Ending =
  | Outcome
  /** The ledger has its debit: completed at that amount. */
  | { result: 'charged'; amountMicros: Micros }
  /** Delivered, the debit still to be written: the cost that was measured, or what was held when nobody knows it. */
  | {
      result: 'charge-due';
      costMicros: Micros;
      from: 'pending-cost' | 'estimate';
      artifacts: Artifact[];
    };
