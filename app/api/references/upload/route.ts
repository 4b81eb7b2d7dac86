import { ServiceError } from '#lib/core/errors.ts';
import { bearerToken } from '#lib/http/middleware/credentials.ts';
import { withCallback } from '#lib/http/middleware/with-callback.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { eitherCaller } from '#lib/http/routes/either-caller.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import {
  CallbackRejected,
  completeDirectUpload,
  grantDirectUpload,
} from '#lib/storage/uploads/direct-upload.ts';
import {
  uploadCompletedBody,
  uploadCompletedSchema,
  uploadTokenBody,
  uploadTokenSchema,
} from '#lib/storage/uploads/schemas.ts';

export const maxDuration = 60;

const MAX_BODY = 64 * 1024;

/** A signed-in member asks for a client token, in the words of the store's SDK. */
const grantToken = withMember(
  {
    id: 'grantDirectUpload',
    summary: 'Demander un jeton d’envoi',
    tag: 'Références',
    dialect: 'studio',
    scope: 'studio:generate',
    permission: 'generate',
    body: { type: 'json', schema: uploadTokenBody, maxBytes: MAX_BODY },
    answers: { 200: { description: 'Le jeton ou l’adresse, valable 15 minutes', schema: uploadTokenSchema } },
    errors: ['not_configured', 'unavailable', 'conflict', 'rate_limited'],
  },
  async (ctx, { body: { payload }, request }) => {
    const granted = await grantDirectUpload(withFiles(ctx), {
      ...payload,
      callbackUrl: `${serviceOrigin(request)}/api/references/upload`,
      request,
    });
    return { body: granted };
  },
);

/**
 * The store says, under its signature, that the file is there. What is not its word is 401 and records nothing; a fault of ours
 * is 5xx: the store calls again.
 */
const recordUpload = withCallback(
  {
    id: 'completeDirectUpload',
    summary: 'Fin d’un envoi direct',
    tag: 'Références',
    signature: 'x-vercel-signature',
    job: 'upload-callback',
    body: { type: 'bytes', schema: uploadCompletedBody, maxBytes: MAX_BODY },
    answers: { 200: { description: 'Le fichier est enregistré, ou refusé', schema: uploadCompletedSchema } },
    errors: ['not_found'],
  },
  async (ctx, { rawBody, request }) => {
    try {
      const record = await completeDirectUpload(withFiles(ctx), { rawBody, request });
      return { body: { type: 'blob.upload-completed', response: record ? 'ok' : 'refused' } };
    } catch (error) {
      if (!(error instanceof CallbackRejected)) throw error;
      const reason = error.cause instanceof Error ? error.cause.name : 'unknown';
      ctx.log.warn('upload.callback.rejected', { requestId: ctx.requestId, reason });
      throw new ServiceError('unauthenticated', { message: sentences.callbackUnsigned });
    }
  },
);

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: eitherCaller(
    {
      id: 'uploadReference',
      summary: 'Envoyer un rush ou une piste directement au magasin de fichiers',
      description:
        'Les deux bouts d’un envoi direct\u00a0: un membre demande un jeton\u00a0; le magasin annonce, sous sa signature, que le fichier est là.',
      maxBytes: MAX_BODY,
    },
    // Whoever shows a key is no store: what is wrong with its body is told, not that a signature lacks.
    (body, request) =>
      uploadTokenBody.safeParse(body).success || bearerToken(request) !== null ? grantToken : recordUpload,
    [grantToken, recordUpload],
  ),
});
