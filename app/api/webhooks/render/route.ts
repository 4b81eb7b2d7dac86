import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { readBytes } from '#lib/http/requests/read-body.ts';
import { baseHeaders, errorResponse, jsonResponse, toServiceError } from '#lib/http/responses/respond.ts';
import { createContext } from '#lib/http/runtime/context.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { splitSecrets, verifyCallback } from '#lib/studio/renders/render-signature.ts';
import { readCallbackBody } from '#lib/studio/webhooks/callback-body.ts';
import { handleRenderCallback } from '#lib/studio/webhooks/handle-render-callback.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

/** Room for a manifest of ten thousand files, which is then refused for what it is. */
const MAX_BODY = 4 * 1024 * 1024;

async function receive(request: Request): Promise<Response> {
  const ctx = withStudio(createContext({ type: 'system', job: 'render-callback' }), request);
  const headers = baseHeaders(ctx.requestId);
  try {
    const raw = await readBytes(request, MAX_BODY);
    const verdict = verifyCallback(
      raw,
      request.headers,
      splitSecrets(env().CALLBACK_SECRET),
      ctx.clock.now(),
    );
    if (!verdict.valid) {
      ctx.log.warn('render.callback.rejected', { reason: verdict.reason });
      throw new ServiceError('unauthenticated', { message: 'La signature de cet appel n’est pas valable.' });
    }
    const report = readCallbackBody(new TextDecoder().decode(raw));
    if (!report) {
      ctx.log.warn('render.callback.rejected', { reason: 'malformed' });
      throw new ServiceError('invalid', { message: 'Le compte rendu de ce rendu n’est pas lisible.' });
    }
    const answer = await handleRenderCallback(ctx, report);
    if (answer.result === 'retry') throw new ServiceError('unavailable', { retryAfterSeconds: 5 });
    if (answer.result === 'rejected')
      throw answer.reason === 'unknown-generation'
        ? new ServiceError('not_found')
        : new ServiceError('conflict', { message: 'Ce rendu appartient à une autre exécution.' });
    if (!answer.agrees)
      throw new ServiceError('conflict', {
        message: `Ce rendu est déjà clos, avec l’état ${answer.status}.`,
        detail: answer.status,
        subject: report.generationId,
      });
    const body = {
      generationId: report.generationId,
      status: answer.status,
      recorded: answer.result !== 'told',
    };
    return jsonResponse(200, body, headers);
  } catch (thrown) {
    return errorResponse(toServiceError(thrown, ctx.log, ctx.requestId, 'internal-error'), headers);
  }
}

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({ POST: receive });
