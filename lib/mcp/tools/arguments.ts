import { z } from 'zod';
import { pillarRole } from '#lib/brain/schemas/fields.ts';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';

export const spaceIdArgument = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Identifiant de l’espace, donné par brain_list_spaces' });

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
