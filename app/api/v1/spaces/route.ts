import { noQuery } from '#lib/brain/schemas/fields.ts';
import { spaceListSchema } from '#lib/brain/schemas/spaces.ts';
import { spacesRead } from '#lib/brain/spaces/list-spaces.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { COSTS_ONE_READ } from '#lib/http/openapi/words.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'listSpaces',
      summary: 'Lister les espaces',
      description: `Du plus ancien au plus récent, avec la capacité active du compte. ${COSTS_ONE_READ}`,
      tag: 'Espaces',
      scope: 'brain:read',
      query: noQuery,
      answers: { 200: { description: 'Les espaces du compte', schema: spaceListSchema } },
      errors: ['quota_exceeded'],
    },
    { read: spacesRead, handle: (_ctx, { read }) => ({ body: read }) },
  ),
});
