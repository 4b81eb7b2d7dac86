import type { AccountActor } from '#lib/core/actor.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import { judgeReserve } from '#lib/ledger/judge-reserve.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { type Purse, viewPurse } from '#lib/ledger/reads/schemas.ts';
import { requireGenerate, requireProduct } from '#lib/storage/refusals.ts';
import type { StudioContext } from '../context.ts';
import type { Params, ReferenceFile, References } from '../generation/params.ts';
import type { GenerationRequest } from '../request.ts';
import { prepare } from '../submission/prepare.ts';
import { refusalSentence } from '../submission/refusal-sentence.ts';
import { refuseIdenticalVariants } from '../submission/refuse-identical-variants.ts';
import { withCachedReads } from './cache-reads.ts';
import { priceBasis, priceSource } from './price-basis.ts';

/** What a request would do if it were sent now. */
export type GenerationPreview = {
  /** Exactly what would be sent; null for a kind that sends none. */
  prompt: string | null;
  ignoredLayers: string[];
  case: string | null;
  provider: string;
  modelId: string;
  /** The model that is asked where the first is unavailable; what is held covers the dearer of the two. */
  fallbackModelId: string | null;
  heldUsd: number;
  /** Of one generation, where several are asked. */
  eachUsd: number;
  /** What the price is made of, in words. */
  basis: string | null;
  /** Where the price was read: the provider's own page, a third party's, or nowhere. */
  priceSource: string | null;
  wallet: Purse;
  /** Available once it is held; below zero when it would be refused. */
  afterUsd: number;
  /** Why the wallet would refuse it now, or null. */
  refusal: { code: 'balance' | 'cap'; message: string } | null;
  /** The references as they were read: type, measured duration. */
  references: Pick<ReferenceFile, 'ref' | 'contentType' | 'durationMs'>[];
};

/**
 * Prepares a request by the very code of its submission and says what would happen: prompt, ignored layers, amount, balance.
 * Writes no row, holds nothing, spends no read of the Brain, calls nobody who bills. Throws the refusals of a submission.
 */
export async function previewGeneration(
  ctx: StudioContext<AccountActor>,
  input: { request: GenerationRequest; variants?: number },
): Promise<GenerationPreview> {
  requireGenerate(ctx);
  const { request, variants = 1 } = input;
  refuseIdenticalVariants(request, variants);
  const { accountId, memberId } = ctx.actor;
  const product = requireProduct(ctx, request.productId);
  const studio = withCachedReads(ctx, accountId);
  const [prepared, wallet] = await Promise.all([
    prepare({ ...ctx, studio }, request, product),
    readWallet(ctx, { memberId }),
  ]);
  const each = prepared.estimateMicros;
  const amount = each * BigInt(variants);
  const refusal = judgeReserve(
    { ...wallet, monthUsedMicros: wallet.monthSpentMicros + wallet.heldMicros },
    amount,
    each,
  );
  const { params } = prepared;
  return {
    prompt: promptOf(request, params),
    ignoredLayers: params.ignoredLayers ?? [],
    case: params.case ?? null,
    provider: prepared.provider,
    modelId: prepared.modelId,
    fallbackModelId: prepared.fallbackModelId ?? null,
    heldUsd: usdFromMicros(amount),
    eachUsd: usdFromMicros(each),
    basis: priceBasis(params.pricing),
    priceSource: priceSource(params.case),
    wallet: viewPurse(wallet),
    afterUsd: usdFromMicros(wallet.availableMicros - amount),
    refusal: refusal && { code: refusal.code, message: refusalSentence(refusal, each, variants) },
    references: filesOf(prepared.references).map(({ ref, contentType, durationMs }) => ({
      ref,
      ...(contentType === undefined ? {} : { contentType }),
      ...(durationMs === undefined ? {} : { durationMs }),
    })),
  };
}

const promptOf = (request: GenerationRequest, params: Params) =>
  'brief' in request || request.kind === 'voice' ? (params.prompt ?? null) : null;

/** Every file that a row's references name, whatever its role. */
function filesOf(references: References): ReferenceFile[] {
  const { roles } = references;
  if (!roles) return [];
  const single = [roles.startImage, roles.endImage, roles.product, roles.mask].filter(
    (file) => file !== undefined,
  );
  return [
    ...single,
    ...(roles.images ?? []),
    ...(roles.character ?? []),
    ...(roles.clips ?? []),
    ...Object.values(roles.fields ?? {}),
  ];
}
