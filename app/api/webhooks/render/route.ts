import { env } from '#lib/core/env.ts';
import { withCallback } from '#lib/http/middleware/with-callback.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { renderReceiptSchema } from '#lib/studio/schemas.ts';
import { renderCallbackBody } from '#lib/studio/webhooks/callback-body.ts';
import { receiveRenderCallback } from '#lib/studio/webhooks/receive-render-callback.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

/** Room for a manifest of ten thousand files, which is then refused for what it is. */
const MAX_BODY = 4 * 1024 * 1024;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withCallback(
    {
      id: 'receiveRenderCallback',
      summary: 'Fin d’un rendu',
      tag: 'Appels signés',
      signature: 'Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature)',
      job: 'render-callback',
      body: { type: 'bytes', schema: renderCallbackBody, maxBytes: MAX_BODY },
      answers: { 200: { description: 'Ce qui est enregistré', schema: renderReceiptSchema } },
      errors: ['invalid', 'not_found', 'conflict'],
    },
    async (ctx, { rawBody, request }) => ({
      body: await receiveRenderCallback(withStudio(ctx, request), {
        rawBody,
        headers: request.headers,
        secret: env().CALLBACK_SECRET,
      }),
    }),
  ),
});
