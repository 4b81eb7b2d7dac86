import { z } from 'zod';
import { MAX_QUESTION_LENGTH } from '#lib/brain/limits.ts';
import { findSpace } from '#lib/brain/queries/find-space.ts';
import { pillarRole } from '#lib/brain/schemas/fields.ts';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';
import type { CredentialActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';

/** A Space as an assistant names it: the longest name has 120 characters. */
export const spaceArgument = z.string().min(1).max(200);

export const spaceIdArgument = spaceArgument.meta({
  description: 'L’espace\u00a0: son identifiant, donné par brain_list_spaces, ou son nom',
});

/**
 * The identifier of the Space that an argument names: an identifier is returned unchecked, a name is looked up for callers who may read the
 * Brain. Consumes no read. Errors: those of `findSpace`; `not_found` for a name from a caller who may not.
 */
export async function namedSpace(ctx: Context<CredentialActor>, named: string): Promise<string> {
  const given = named.trim();
  if (isId('space', given)) return given;
  if (ctx.actor.scopes.includes('brain:read')) return (await findSpace(ctx, given, 'spaceId')).id;
  throw new ServiceError('not_found', {
    message:
      'Cet espace est introuvable dans ce compte\u00a0: sans le droit de lire (brain:read), il se donne par son identifiant.',
  });
}

/** The pillar of a Memory, described by its role: the label in the cockpit depends on the type of the Space. */
export const pillarArgument = pillarRole.meta({
  override: { type: 'string', enum: [...PILLAR_ROLES] },
  description:
    'Le rôle du pilier, le même pour tous les espaces\u00a0: IDENTITY (qui l’on est, mission), GUIDELINES (ton, charte, règles), KNOWLEDGE (connaissances, documents), ITEMS (offre, fonctions, projets), PEOPLE (publics, équipe, proches)',
});

/** What a search takes, in the words of its argument. */
export const SEARCHED = `Ce qui est cherché, en mots ou en question, en ${MAX_QUESTION_LENGTH} caractères au plus, dans la langue des mémoires (le plus souvent le français) et avec le nom de ce dont il s’agit\u00a0: l’outil ne voit pas la conversation. Les 30 premiers mots différents comptent.`;

export const pillarsArgument = z
  .array(pillarRole)
  .min(1)
  .max(20)
  .meta({
    override: { type: 'array', minItems: 1, items: { type: 'string', enum: [...PILLAR_ROLES] } },
    description: 'Piliers voulus\u00a0; par défaut les cinq',
  });

/** A whole number, with one message for a value that is not one, and another that names the bound. */
export const wholeNumber = () =>
  z.int({ error: ({ code }) => (code === 'invalid_type' ? 'Il faut un nombre entier.' : undefined) });
