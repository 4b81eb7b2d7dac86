import { llmsIndex } from '#app/_docs/render/markdown.ts';
import { publicRoute } from '#lib/http/middleware/public-route.ts';
import { published } from '#lib/http/responses/published.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: publicRoute(
    {
      id: 'readLlmsIndex',
      summary: 'Le sommaire pour les assistants',
      tag: 'Documents',
      dialect: 'brain',
      answers: {
        200: { description: 'llms.txt', contentType: 'text/plain' },
        304: { description: 'Votre copie (`If-None-Match`) est à jour' },
      },
    },
    async (_ctx, { request }) => published(request, { text: llmsIndex(), contentType: 'text/plain' }),
  ),
});
