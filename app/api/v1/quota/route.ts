import { quotaRead } from '#lib/brain/quota/get-quota.ts';
import { quotaSchema } from '#lib/brain/schemas/account.ts';
import { noQuery } from '#lib/brain/schemas/fields.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'getQuota',
      summary: 'Lire le quota de lectures du mois',
      description: 'Mois civil UTC. Ne coûte aucune lecture.',
      tag: 'Compte',
      scope: 'brain:read',
      query: noQuery,
      answers: { 200: { description: 'Le quota', schema: quotaSchema } },
    },
    { read: quotaRead, handle: (_ctx, { read }) => ({ body: read }) },
  ),
});
