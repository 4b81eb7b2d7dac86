import { z } from 'zod';
import { findSpace } from '#lib/brain/queries/find-space.ts';
import { pillarRole } from '#lib/brain/schemas/fields.ts';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';
import type { CredentialActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { isId } from '#lib/core/ids.ts';

export const spaceIdArgument = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'L’espace\u00a0: son identifiant, donné par brain_list_spaces, ou son nom' });

/**
 * The Space that an argument means: its identifier as it came, or its name, as resources and prompts take it, to who may read the Brain. Consumes no read. Errors:
 * those of `findSpace`.
 */
export async function namedSpace(ctx: Context<CredentialActor>, named: string): Promise<string> {
  if (isId('space', named) || !ctx.actor.scopes.includes('brain:read')) return named;
  return (await findSpace(ctx, named, 'spaceId')).id;
}

/** What a search takes, in the words of its argument. */
export const SEARCHED =
  'Ce qui est cherché, en mots ou en question\u00a0; les 30 premiers mots différents comptent';

export const pillarsArgument = z
  .array(pillarRole)
  .min(1)
  .max(20)
  .meta({
    override: { type: 'array', minItems: 1, items: { type: 'string', enum: [...PILLAR_ROLES] } },
    description: 'Piliers voulus\u00a0; par défaut les cinq',
  });

/** A whole number; what is none is told so, and one out of its bounds is told the bound. */
export const wholeNumber = () =>
  z.int({ error: ({ code }) => (code === 'invalid_type' ? 'Il faut un nombre entier.' : undefined) });
