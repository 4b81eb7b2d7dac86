import { z } from 'zod';
import { ServiceError } from '#lib/core/errors.ts';
import { idempotencyKey } from '#lib/core/input/idempotency-key.ts';
import { formatUsd, microsFromUsd, usdFromMicros } from '#lib/core/money.ts';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { readWallet, type Wallet } from '#lib/ledger/reads/read-wallet.ts';
import type { Generation } from '#lib/studio/generation/generation.ts';
import { viewRow } from '#lib/studio/journal/view-rows.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { type GenerationRequest, generationRequest } from '#lib/studio/request.ts';
import { findReplay, fingerprintOf } from '#lib/studio/submission/find-replay.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { withProgress } from '../protocol/with-progress.ts';
import { namedSpace, spaceArgument, wholeNumber } from './arguments.ts';
import { contentKey, LATE_MS, lateContentKey } from './content-key.ts';
import { generationSummary, studioOf, summaryOf } from './studio-call.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  brief: z
    .string()
    .trim()
    .min(1)
    .max(8_000, { abort: true })
    .refine(...atMostUnits(8_000))
    .meta({ description: 'Ce que l’image doit montrer' }),
  case: z
    .enum(['image-fast', 'image-best'])
    .default('image-fast')
    .meta({ description: '`image-fast`, ou `image-best`, plus soignée et plus chère' }),
  aspectRatio: z
    .string()
    .max(8)
    .optional()
    .meta({ description: 'Par exemple 1:1, 16:9\u00a0; par défaut 1:1' }),
  spaceId: spaceArgument.optional().meta({
    description:
      'Un espace, par son identifiant ou son nom, dont le contexte se joint à la demande\u00a0: coûte une lecture, et demande brain:read',
  }),
  confirmCostMicros: wholeNumber().min(1).max(1_000_000_000_000).optional().meta({
    description:
      'Le `costMicros` d’un premier appel, une fois que la personne l’a accepté\u00a0: l’image est alors faite. Sans lui, rien n’est fait ni débité.',
  }),
  idempotencyKey: idempotencyKey.optional().meta({
    description:
      'Clé choisie par vous, une par image, reprise telle quelle si vous réessayez. Sans elle, la demande elle-même sert de clé pour la journée.',
  }),
});

const output = z.object({
  made: z.boolean().meta({ description: 'Faux\u00a0: ce n’est que le prix' }),
  costMicros: z.int().meta({ description: 'Ce qui serait, ou a été, retenu, en millionièmes de dollar' }),
  costUsd: z.number(),
  availableUsd: z.number().meta({ description: 'Le crédit disponible du membre' }),
  capUsd: z.number().nullable().meta({ description: 'Plafond par mois de cette clé ou application' }),
  capLeftUsd: z.number().nullable().meta({ description: 'Ce qu’il en reste ce mois-ci' }),
  refusal: z.string().nullable().meta({ description: 'Pourquoi la demande serait refusée, en une phrase' }),
  generation: generationSummary.nullable(),
  next: z.string().meta({ description: 'Ce qu’il convient de faire ensuite' }),
});

export const studioGenerateImageTool = defineTool({
  name: 'studio_generate_image',
  title: 'Faire une image',
  description:
    'Fait une image au Studio, débitée du crédit de la personne. Deux temps\u00a0: un premier appel sans confirmCostMicros dit le prix et ce qui reste du plafond, et ne fait rien\u00a0; montrez-les, puis, si la personne accepte, rappelez avec les mêmes arguments et confirmCostMicros. Un prix qui a monté depuis est refusé. Rappeler avec les mêmes arguments ne débite qu’une fois.',
  scope: 'studio:generate',
  isWrite: true,
  isLong: true,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input,
  output,
  async run(ctx, { confirmCostMicros, idempotencyKey: given, spaceId: named, ...rest }, call) {
    const studio = studioOf(ctx);
    const { origin } = call;
    const asked = named === undefined ? rest : { ...rest, spaceId: await namedSpace(ctx, named) };
    const request = generationRequest.parse({ kind: 'image', ...asked });
    const now = ctx.clock.now();
    const key = given ?? contentKey(now, asked);
    const keys = { key, late: given ? null : lateContentKey(now, asked) };
    if (confirmCostMicros === undefined) {
      // Reads only, so the three run in parallel.
      const [made, { heldUsd, refusal }, wallet] = await Promise.all([
        findMade(studio, request, keys),
        previewGeneration(studio, { request }),
        ownWallet(studio),
      ]);
      const told = { origin, wallet, refusal: refusal?.message ?? null, before: made?.id ?? null };
      return answer(studio, microsFromUsd(heldUsd), told);
    }
    // A repeated request is answered with what it made the first time, whatever it would cost now.
    const made = await findMade(studio, request, keys);
    if (made) return answer(studio, made.heldMicros, { row: made, origin, before: made.id });
    const costMicros = microsFromUsd((await previewGeneration(studio, { request })).heldUsd);
    if (costMicros > BigInt(confirmCostMicros)) throw dearer(costMicros);
    const { row, outcome } = await withProgress(call, 'L’image est en cours', () =>
      submitGeneration(studio, { request, idempotencyKey: key }),
    );
    return answer(studio, row.heldMicros, { row, origin, before: outcome === 'replayed' ? row.id : null });
  },
});

type Studio = ReturnType<typeof studioOf>;

/** The generation already made for this request, under its key or, moments ago, under yesterday's. Errors: `idempotency_conflict`. */
async function findMade(
  ctx: Studio,
  request: GenerationRequest,
  { key, late }: { key: string; late: string | null },
): Promise<Generation | null> {
  const fingerprint = fingerprintOf({ request, relaunchOfId: null });
  const [made, before] = await Promise.all([
    findReplay(ctx, { key, fingerprint }),
    late === null ? null : findReplay(ctx, { key: late, fingerprint }),
  ]);
  if (made) return made;
  return before && ctx.clock.now().getTime() - before.createdAt.getTime() <= LATE_MS ? before : null;
}

const ownWallet = (ctx: Studio) => readWallet(ctx, { memberId: ctx.actor.memberId });

/** `before`: the generation that this request had already made. `wallet`: when already read; otherwise it is read here. */
async function answer(
  ctx: Studio,
  costMicros: bigint,
  given: {
    row?: Generation;
    origin: string;
    wallet?: Wallet;
    refusal?: string | null;
    before: string | null;
  },
): Promise<z.output<typeof output>> {
  const { row, origin, refusal = null, before } = given;
  const wallet = given.wallet ?? (await ownWallet(ctx));
  const { credentialCapMicros: cap, credentialUsedMicros: used } = wallet;
  const left = cap === null ? null : cap > used ? cap - used : 0n;
  const generation = row ? summaryOf(await viewRow(ctx, row), origin) : null;
  return {
    made: generation !== null,
    costMicros: Number(costMicros),
    costUsd: usdFromMicros(costMicros),
    availableUsd: usdFromMicros(wallet.availableMicros),
    capUsd: cap === null ? null : usdFromMicros(cap),
    capLeftUsd: left === null ? null : usdFromMicros(left),
    refusal,
    generation,
    next: nextStep(costMicros, { generation, refusal, before }),
  };
}

type Stand = {
  generation: z.output<typeof generationSummary> | null;
  refusal: string | null;
  before: string | null;
};

function nextStep(costMicros: bigint, { generation, refusal, before }: Stand): string {
  if (!generation && before)
    return `Cette demande a déjà été faite (${before})\u00a0: la confirmer rend la même génération, et ne débite rien de plus. Pour une autre, donnez une autre idempotencyKey dès maintenant.`;
  if (refusal) return 'Dites ce refus à la personne\u00a0: elle seule peut y remédier.';
  if (!generation)
    return `Demandez à la personne si elle accepte ${formatUsd(costMicros)}. Si oui, rappelez avec confirmCostMicros\u00a0: ${costMicros}.`;
  if (generation.status === 'done')
    return before
      ? 'Cette demande avait déjà été faite\u00a0: c’est la même image, rien de plus n’est débité. Donnez openUrl à la personne\u00a0; pour une autre, rappelez avec une autre idempotencyKey.'
      : 'Donnez openUrl à la personne\u00a0: elle y voit l’image.';
  if (generation.status === 'running')
    return 'Elle est en cours. Dans 15 s, rappelez avec les mêmes arguments, ou lisez studio_status\u00a0: rien de plus n’est débité.';
  if (generation.status === 'deleted')
    return 'Ses fichiers ont été supprimés depuis. Pour recommencer, rappelez avec une autre idempotencyKey.';
  return 'Elle n’a rien coûté. Pour recommencer, rappelez avec une autre idempotencyKey.';
}

function dearer(costMicros: bigint): ServiceError {
  const message = `Le prix est maintenant de ${formatUsd(costMicros)} (confirmCostMicros\u00a0: ${costMicros})\u00a0: rien n’a été fait. Demandez d’abord l’accord de la personne.`;
  return new ServiceError('invalid_request', {
    message,
    problems: [{ field: 'confirmCostMicros', message }],
  });
}
