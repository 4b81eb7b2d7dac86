import { llmsFull } from '#app/_docs/render/markdown.ts';
import { publicRoute } from '#lib/http/middleware/public-route.ts';
import { published } from '#lib/http/responses/published.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: publicRoute(
    {
      id: 'readLlmsFull',
      summary: 'Toute la documentation en un texte',
      tag: 'Documents',
      dialect: 'brain',
      answers: {
        200: { description: 'Les pages, l’une après l’autre', contentType: 'text/plain' },
        304: { description: 'Votre copie (`If-None-Match`) est à jour' },
      },
    },
    async (_ctx, { request }) =>
      published(request, { text: llmsFull(serviceOrigin(request)), contentType: 'text/plain' }),
  ),
});
