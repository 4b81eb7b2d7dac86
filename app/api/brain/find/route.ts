import { findAnything } from '#lib/brain/queries/find-anything.ts';
import { findQuery, foundSchema } from '#lib/brain/schemas/find.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'findAnything',
      summary: 'Ce que la palette trouve du compte',
      description:
        'Quelques éléments de chaque famille, selon les droits de la session. Ne coûte aucune lecture.',
      tag: 'Recherche',
      dialect: 'brain',
      query: findQuery,
      answers: { 200: { description: 'Ce qui correspond', schema: foundSchema } },
    },
    async (ctx, { query }) => ({ body: await findAnything(ctx, query) }),
  ),
});
