import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared as statement } from '#lib/db/prepared.ts';
import { requireProduct } from '#lib/storage/refusals.ts';
import type { StudioContext } from '../context.ts';
import type { Prepared } from '../kinds/kind.ts';
import type { GenerationRequest } from '../request.ts';
import type { NewGeneration } from './create-generation.ts';
import type { Idempotency } from './find-replay.ts';
import { prepare } from './prepare.ts';

/** What the span of a generation says of its request. */
export function spanFacts(ctx: StudioContext<AccountActor>, request: GenerationRequest) {
  return {
    'member.id': ctx.actor.memberId,
    'product.id': request.productId === 'libre' ? 'free' : request.productId,
    'generation.kind': request.kind,
  };
}

/** Checks, reads and prices a request: the row that it wants, and how it is made. Every refusal but the ledger's comes from here; nothing is written. */
export async function planGeneration(
  ctx: StudioContext<AccountActor>,
  input: {
    request: GenerationRequest;
    idempotency?: Idempotency | undefined;
    relaunchOfId?: string | undefined;
  },
): Promise<{ wanted: NewGeneration; prepared: Prepared }> {
  const { request, idempotency, relaunchOfId } = input;
  const product = requireProduct(ctx, request.productId);
  if (!ctx.studio.store)
    throw new ServiceError('not_configured', {
      message: 'Le magasin de fichiers n’est pas configuré\u00a0: rien n’a été débité.',
    });
  await checkAncestor(ctx, request.ancestorId);
  const prepared = await prepare(ctx, request, product);
  const wanted: NewGeneration = {
    productId: product.id,
    kind: prepared.kind,
    assetType: prepared.assetType,
    params: prepared.params,
    references: prepared.references,
    provider: prepared.provider,
    modelId: prepared.modelId,
    heldMicros: prepared.estimateMicros,
    ...(prepared.readsContext ? { readsContext: true } : {}),
    ...(idempotency ? { idempotency } : {}),
    ...(relaunchOfId ? { relaunchOfId } : {}),
    ...(request.ancestorId ? { ancestorId: request.ancestorId } : {}),
    ...(prepared.consent ? { consent: prepared.consent } : {}),
  };
  return { wanted, prepared };
}

const findAncestor = statement('studio.ancestor', (db, p: Params<{ id: string; accountId: string }>) =>
  db.selectFrom('Generation').select('id').where('id', '=', p.id).where('accountId', '=', p.accountId),
);

/** A variant names a generation of the same account. */
async function checkAncestor(
  ctx: StudioContext<AccountActor>,
  ancestorId: string | undefined,
): Promise<void> {
  if (ancestorId === undefined) return;
  const { accountId } = ctx.actor;
  if (await findAncestor.first(ctx.kysely, { id: ancestorId, accountId })) return;
  throw new ServiceError('invalid', {
    detail: 'ancestorId',
    problems: [{ field: 'ancestorId', message: 'Cette génération n’existe pas dans le journal.' }],
  });
}
