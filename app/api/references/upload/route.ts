import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { readJson } from '#lib/http/requests/read-body.ts';
import { baseHeaders, errorResponse, jsonResponse, toServiceError } from '#lib/http/responses/respond.ts';
import { createContext } from '#lib/http/runtime/context.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import {
  CallbackRejected,
  completeDirectUpload,
  grantDirectUpload,
} from '#lib/storage/uploads/direct-upload.ts';

const MAX_BODY = 64 * 1024;
const TOKEN_REQUEST = 'blob.generate-client-token';

type Body = { type?: unknown; payload?: { pathname?: unknown; clientPayload?: unknown } };

/**
 * Both ends of a direct upload, as the store's SDK speaks it: a signed-in member asks for a client token; the store says, under
 * its signature, that the file is there. What is not its word is 401 and records nothing; a fault of ours is 5xx: the store
 * calls again.
 */
export async function POST(request: Request): Promise<Response> {
  const body = await readJson(request, MAX_BODY, 'invalid').then(
    (read) => read as Body | null,
    () => null,
  );
  return body?.type === TOKEN_REQUEST ? grant(request, body) : complete(request, body);
}

function grant(request: Request, body: Body): Promise<Response> {
  const { pathname, clientPayload } = body.payload ?? {};
  return withMember({
    permission: 'generate',
    async handle(ctx) {
      const { clientToken } = await grantDirectUpload(withFiles(ctx), {
        pathname: String(pathname ?? ''),
        clientPayload: typeof clientPayload === 'string' ? clientPayload : null,
        callbackUrl: `${serviceOrigin(request)}/api/references/upload`,
        request,
      });
      return { body: { type: TOKEN_REQUEST, clientToken } };
    },
  })(request, { params: Promise.resolve({}) });
}

async function complete(request: Request, body: Body | null): Promise<Response> {
  const requestId = createId('request');
  const headers = baseHeaders(requestId);
  const ctx = withFiles(createContext({ type: 'anonymous' }, requestId));
  try {
    const record = await completeDirectUpload(ctx, { body, request });
    return jsonResponse(200, { type: 'blob.upload-completed', response: record ? 'ok' : 'refused' }, headers);
  } catch (error) {
    if (!(error instanceof CallbackRejected))
      return errorResponse(toServiceError(error, ctx.log, requestId, 'internal-error'), headers);
    const reason = error.cause instanceof Error ? error.cause.name : 'unknown';
    ctx.log.warn('upload.callback.rejected', { requestId, reason });
    return errorResponse(
      new ServiceError('unauthenticated', { message: sentences.callbackUnsigned }),
      headers,
    );
  }
}
