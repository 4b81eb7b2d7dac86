import { withMember } from '#lib/http/middleware/with-member.ts';
import { readBytes } from '#lib/http/requests/read-body.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { imageBytes, imageQuery, uploadSchema, viewUpload } from '#lib/storage/uploads/schemas.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'uploadImage',
      summary: 'Envoyer une image de référence',
      description:
        'Le corps est l’image elle-même\u00a0: PNG, JPEG, WebP ou GIF, 4 Mo au plus. Son identifiant sert de référence dans une demande.',
      tag: 'Références',
      dialect: 'studio',
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
      const bytes = await readBytes(request, MEDIA_LIMITS.uploadedImageBytes);
      const declaredType = request.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
      const record = await uploadImage(withFiles(ctx), {
        productId: query.productId,
        bytes,
        ...(declaredType.startsWith('image/') ? { declaredType } : {}),
      });
      return { status: 201, body: viewUpload(record) };
    },
  ),
});
