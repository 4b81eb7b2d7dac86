import { cachedContext } from '#lib/brain/queries/cached-context.ts';
import { contextTextSchema } from '#lib/brain/schemas/contexts.ts';
import { spacePath } from '#lib/brain/schemas/fields.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'copyContext',
      summary: 'Le texte d’un espace pour un prompt, à la longueur habituelle',
      description: 'Ce que copie «\u00a0Copier le contexte\u00a0». Ne coûte aucune lecture.',
      tag: 'Contexte',
      dialect: 'brain',
      path: spacePath,
      answers: { 200: { description: 'Le texte', schema: contextTextSchema } },
      errors: ['not_found'],
    },
    async (ctx, { path }) => {
      const { context, truncated } = await cachedContext(ctx, { spaceId: path.id });
      return { body: { context, truncated } };
    },
  ),
});
