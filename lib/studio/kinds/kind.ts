import type { AccountActor } from '#lib/core/actor.ts';
import type { Micros } from '#lib/core/money.ts';
import type { AssetType, GenerationKind } from '#lib/db/generated/prisma/client.ts';
import type { Product } from '#lib/products/types.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Failed, Outcome, Submission } from '../generation/outcome.ts';
import type { Params, References } from '../generation/params.ts';
import type { GenerationRequest, RequestOf } from '../request.ts';
import type { NewConsent } from './consent.ts';

/** A request that was checked, read and priced: nothing is written or debited yet. */
export type Prepared = {
  kind: GenerationKind;
  assetType: AssetType;
  provider: string;
  modelId: string;
  params: Params;
  references: References;
  estimateMicros: Micros;
  /** The model that is asked where the first is unavailable: the estimate covers the dearer of the two. */
  fallbackModelId?: string;
  /** The prompt has a Space's context: a read of the Brain is consumed with the reserve. */
  readsContext?: boolean;
  /** The signed consent that came with the request: written with the row, or not at all. */
  consent?: NewConsent;
} & (
  | {
      /** The work is done within the request. Never throws for what a provider did. */
      run(row: Generation): Promise<Outcome>;
    }
  | {
      /** The work goes on outside; somebody closes the row later. */
      start(row: Generation): Promise<{ result: 'started'; submission: Submission } | Failed>;
    }
);

/** One kind of generation: validate → price, with every refusal before any row, reserve or call. */
export type PrepareKind<K extends GenerationRequest['kind']> = (
  ctx: StudioContext<AccountActor>,
  request: RequestOf<K>,
  product: Product,
) => Promise<Prepared>;
