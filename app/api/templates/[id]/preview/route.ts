import { withMember } from '#lib/http/middleware/with-member.ts';
import { privateFile } from '#lib/http/responses/private-file.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { MAX_TEMPLATE_PREVIEW_BYTES, templatePath, templatePreviewBody } from '#lib/studio/schemas.ts';
import { drawPreview } from '#lib/studio/templates/preview/draw-preview.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'drawTemplatePreview',
      summary: 'L’aperçu d’un rendu',
      description: 'L’image qu’un rendu donnerait, en plus petit. Rien n’est gardé ni débité.',
      tag: 'Gabarits',
      dialect: 'studio',
      scope: 'studio:generate',
      permission: 'generate',
      path: templatePath,
      body: { type: 'json', schema: templatePreviewBody, maxBytes: MAX_TEMPLATE_PREVIEW_BYTES },
      answers: { 200: { description: 'L’image', contentType: 'image/png' } },
      errors: ['not_found'],
    },
    async (ctx, { path, body: { page, ...asked }, request }) => {
      const input = { templateId: path.id, ...asked, ...(page === undefined ? {} : { page }) };
      const png = await drawPreview(ctx, input, request.signal);
      return privateFile(png, { contentType: 'image/png', maxAgeSeconds: 0 });
    },
  ),
});
