import { z } from 'zod';
import { findPage } from '#app/_docs/pages.ts';
import { markdownOf } from '#app/_docs/render/markdown.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { publicRoute } from '#lib/http/middleware/public-route.ts';
import { published } from '#lib/http/responses/published.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';

// Where proxy.ts sends who asks for `/docs/….md`, or for `/docs/…` as Markdown.
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: publicRoute(
    {
      id: 'readDocumentation',
      summary: 'Une page de la documentation, en Markdown',
      tag: 'Documents',
      dialect: 'brain',
      path: z.object({ slug: z.string().optional() }),
      answers: {
        200: { description: 'La page', contentType: 'text/markdown' },
        304: { description: 'Votre copie (`If-None-Match`) est à jour' },
      },
      errors: ['not_found'],
    },
    async (_ctx, { request }) => {
      // The address that was asked for, or the one that it was led to: both end with the page.
      const slug = new URL(request.url).pathname.replace(/^(?:\/api)?\/docs\/?/, '').replace(/\.md$/, '');
      const page = findPage(slug);
      if (!page)
        throw new ServiceError('not_found', { message: 'Cette page de la documentation n’existe pas.' });
      const text = markdownOf(page, serviceOrigin(request));
      return published(request, { text, contentType: 'text/markdown', vary: 'Accept' });
    },
  ),
});
