import { MIN_CONTEXT_CHARS } from '#lib/brain/limits.ts';
import { previewContext } from '#lib/brain/queries/preview-context.ts';
import { type AccountActor, readsBrain } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Product } from '#lib/products/types.ts';
import type { StudioContext } from '../context.ts';
import type { Skill } from './skills.ts';
import { type StackedPrompt, stackPrompt } from './stack-prompt.ts';

/** The largest part of a prompt that the Brain may fill. */
const CONTEXT_SHARE = 0.6;
const NO_ROOM =
  'Cette demande ne laisse pas de place au contexte de l’espace\u00a0: raccourcissez-la, ou retirez l’espace. Rien n’a été débité.';

/**
 * The prompt of a request, with the Brain's context in what room is left when a Space was chosen. `readsContext`: it has one, and the
 * row's creation consumes a read for it (`createGeneration`). Errors: `invalid` when the brief alone is too long for the model, or leaves
 * the Space's context no room (`spaceId`: it is never left out unsaid), `insufficient_scope` for a key or an application that may not read
 * the Brain, which the prompt would show; those of `previewContext`.
 */
export async function preparePrompt(
  ctx: StudioContext<AccountActor>,
  input: {
    kind: Skill['kinds'][number];
    request: { brief: string; spaceId?: string | undefined } & Record<string, unknown>;
    product: Product;
    maxCharacters: number;
  },
): Promise<StackedPrompt & { readsContext: boolean }> {
  const { kind, request, product, maxCharacters } = input;
  const layers = request as Parameters<typeof stackPrompt>[0]['layers'];
  const bare = { ...stackPrompt({ kind, layers, product }), readsContext: false };
  if (bare.prompt.length > maxCharacters)
    throw new ServiceError('invalid', {
      detail: 'brief',
      problems: [
        {
          field: 'brief',
          message: `La demande, ses savoir-faire et la marque comptent ${bare.prompt.length.toLocaleString('fr-FR')} caractères\u00a0: il en faut au plus ${maxCharacters.toLocaleString('fr-FR')}.`,
        },
      ],
    });
  if (request.spaceId === undefined) return bare;
  requireContextScope(ctx.actor);
  const heading = stackPrompt({ kind, layers, product, brainContext: 'x' }).prompt.length - 1;
  const room = Math.min(maxCharacters - heading, Math.floor(maxCharacters * CONTEXT_SHARE));
  if (room < MIN_CONTEXT_CHARS)
    throw new ServiceError('invalid', {
      detail: 'spaceId',
      message: NO_ROOM,
      problems: [{ field: 'spaceId', message: NO_ROOM }],
    });
  const { payload } = await previewContext(ctx, { spaceId: request.spaceId, maxChars: room });
  return { ...stackPrompt({ kind, layers, product, brainContext: payload.context }), readsContext: true };
}

function requireContextScope(actor: AccountActor): void {
  if (readsBrain(actor)) return;
  throw new ServiceError('insufficient_scope', {
    message:
      'Ces identifiants n’ont pas le droit brain:read, qu’il faut pour joindre le contexte d’un espace.',
  });
}
