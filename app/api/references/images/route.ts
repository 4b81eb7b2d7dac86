import { withMember } from '#lib/http/middleware/with-member.ts';
import { withLargeBody } from '#lib/http/requests/large-body.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { imageBytes, imageQuery, uploadSchema, viewUpload } from '#lib/storage/uploads/schemas.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'uploadImage',
      summary: 'Envoyer une image de référence',
      description:
        'Le corps est l’image elle-même\u00a0: PNG, JPEG, WebP ou GIF, 4 Mo au plus. Son identifiant sert de référence dans une demande.',
      tag: 'Références',
      dialect: 'studio',
      scope: 'studio:generate',
      permission: 'generate',
      query: imageQuery,
      body: {
        type: 'bytes',
        contentType: 'image/*',
        schema: imageBytes,
        maxBytes: MEDIA_LIMITS.uploadedImageBytes,
      },
      answers: { 201: { description: 'L’image, gardée', schema: uploadSchema } },
      errors: ['reference-refused', 'not_configured', 'conflict', 'rate_limited'],
    },
    async (ctx, { query, request }) => {
      const declaredType = request.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
      const sent = { accountId: ctx.actor.accountId, maxBytes: MEDIA_LIMITS.uploadedImageBytes };
      const record = await withLargeBody(request, sent, (bytes) =>
        uploadImage(withFiles(ctx), {
          productId: query.productId,
          bytes,
          ...(declaredType.startsWith('image/') ? { declaredType } : {}),
        }),
      );
      return { status: 201, body: viewUpload(record) };
    },
  ),
});
