import { z } from 'zod';
import { type CredentialActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { DISPLAYED_STATUSES } from '#lib/studio/generation/status-labels.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

/** The Studio's context of a call, which the endpoint made; throws `forbidden` when the member behind it has no right to the Studio. */
export function studioOf(ctx: Context<CredentialActor>): StudioContext<CredentialActor> {
  if (!('studio' in ctx)) throw new Error('this call reached a tool of the Studio without its ports');
  if (!hasPermission(ctx.actor, 'generate')) throw new ServiceError('forbidden');
  return ctx as StudioContext<CredentialActor>;
}

/** The fields of a generation that are useful to an assistant. */
export const generationSummary = z.object({
  id: z.string(),
  status: z.enum(DISPLAYED_STATUSES),
  label: z.string().meta({ description: 'Le statut, en français' }),
  kind: z.string(),
  code: z.string().nullable(),
  message: z.string().nullable().meta({ description: 'Phrase à lire sur un échec' }),
  heldUsd: z.number().meta({ description: 'Retenu d’abord, en dollars' }),
  costUsd: z
    .number()
    .nullable()
    .meta({ description: 'Débité, en dollars\u00a0; nul tant que rien ne l’est' }),
  files: z.array(
    z.object({ contentType: z.string(), width: z.int().nullable(), height: z.int().nullable() }),
  ),
  openUrl: z.string().meta({ description: 'Où la personne la voit, dans le cockpit' }),
  createdAt: z.string(),
});

/** The `generationSummary` of a generation as the routes show it. */
export function summaryOf(view: GenerationView, origin: string): z.output<typeof generationSummary> {
  const { id, status, label, kind, code, message, heldUsd, costUsd, createdAt } = view;
  return {
    id,
    status,
    label,
    kind,
    code,
    message,
    heldUsd,
    costUsd,
    createdAt,
    files: view.files
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ contentType, width, height }) => ({ contentType, width, height })),
    openUrl: `${origin}/journal/${id}`,
  };
}
