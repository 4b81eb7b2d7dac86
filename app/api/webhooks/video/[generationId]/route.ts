import { z } from 'zod';
import { ServiceError } from '#lib/core/errors.ts';
import { withCallback } from '#lib/http/middleware/with-callback.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { runLater } from '#lib/http/runtime/run-later.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { acceptVideoWebhook } from '#lib/studio/webhooks/accept-video-webhook.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

const MAX_BODY = 64 * 1024;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withCallback(
    {
      id: 'receiveVideoWebhook',
      summary: 'Fin d’une vidéo',
      tag: 'Appels signés',
      signature: 'x-ai-gateway-signature, with the secret of the row; sync-signature for a lipsync',
      job: 'video-webhook',
      path: z.object({ generationId: z.string() }),
      body: {
        type: 'bytes',
        schema: z.unknown().meta({ description: 'Événement de la passerelle', override: { type: 'object' } }),
        maxBytes: MAX_BODY,
      },
      answers: { 204: { description: 'Reçu' } },
      errors: ['not_found'],
    },
    async (ctx, { path, rawBody, request }) => {
      const verdict = await acceptVideoWebhook(withStudio(ctx, request), {
        generationId: path.generationId,
        rawBody: new TextDecoder().decode(rawBody),
        signature: request.headers.get('x-ai-gateway-signature') ?? request.headers.get('sync-signature'),
      });
      if (verdict.verdict === 'rejected')
        throw new ServiceError('unauthenticated', {
          message: 'La signature de cet appel n’est pas valable.',
        });
      if (verdict.verdict === 'not-ready') throw new ServiceError('unavailable', { retryAfterSeconds: 5 });
      // The sender waits ten seconds: the file is fetched once it has its answer.
      if (verdict.verdict === 'accepted')
        runLater('video.webhook.settle_failed', verdict.settle, { generationId: path.generationId });
      return { status: 204, body: null };
    },
  ),
});
