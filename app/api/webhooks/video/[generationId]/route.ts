import { ServiceError } from '#lib/core/errors.ts';
import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { pathValues } from '#lib/http/requests/path-values.ts';
import { readBytes } from '#lib/http/requests/read-body.ts';
import { baseHeaders, errorResponse, toServiceError } from '#lib/http/responses/respond.ts';
import { createContext } from '#lib/http/runtime/context.ts';
import { runLater } from '#lib/http/runtime/run-later.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { acceptVideoWebhook } from '#lib/studio/webhooks/accept-video-webhook.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

const MAX_BODY = 64 * 1024;

async function receive(
  request: Request,
  { params }: { params: Promise<Record<string, string>> },
): Promise<Response> {
  const ctx = withStudio(createContext({ type: 'system', job: 'video-webhook' }), request);
  const headers = baseHeaders(ctx.requestId);
  try {
    const { generationId = '' } = await pathValues(params);
    const verdict = await acceptVideoWebhook(ctx, {
      generationId,
      rawBody: new TextDecoder().decode(await readBytes(request, MAX_BODY)),
      signature: request.headers.get('x-ai-gateway-signature'),
      deliveryKey: request.headers.get('x-ai-gateway-idempotency-key'),
    });
    if (verdict.verdict === 'rejected')
      throw new ServiceError('unauthenticated', { message: 'La signature de cet appel n’est pas valable.' });
    if (verdict.verdict === 'not-ready') throw new ServiceError('unavailable', { retryAfterSeconds: 5 });
    // The sender waits ten seconds: the file is fetched once it has its answer.
    if (verdict.verdict === 'accepted') runLater('video.webhook.settle_failed', verdict.settle);
    headers.delete('Content-Type');
    return new Response(null, { status: 204, headers });
  } catch (thrown) {
    return errorResponse(toServiceError(thrown, ctx.log, ctx.requestId, 'internal-error'), headers);
  }
}

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({ POST: receive });
