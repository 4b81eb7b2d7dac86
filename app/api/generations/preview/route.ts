import { ServiceError } from '#lib/core/errors.ts';
import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { readJson } from '#lib/http/requests/read-body.ts';
import { validate } from '#lib/http/requests/validate.ts';
import { withDetail } from '#lib/http/responses/generation-answer.ts';
import { errorBody } from '#lib/http/responses/respond.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { generationRequest } from '#lib/studio/request.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

const MAX_BODY = 256 * 1024;

/** Priced before a word is written: a text that is still empty counts as one sign, and no prompt is shown. */
function withPlaceholder(body: unknown): { body: unknown; unwritten: boolean } {
  if (body === null || typeof body !== 'object') return { body, unwritten: false };
  const name = 'text' in body ? 'text' : 'brief';
  const text = (body as Record<string, unknown>)[name];
  const unwritten = typeof text === 'string' && text.trim() === '';
  return { body: unwritten ? { ...body, [name]: '…' } : body, unwritten };
}

/** What `POST /api/generations` would do with the same body: a preview, or `refused` with what it would answer. Writes nothing. */
export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  POST: withMember({
    permission: 'generate',
    async handle(ctx, { request }) {
      try {
        const { body, unwritten } = withPlaceholder(await readJson(request, MAX_BODY, 'invalid'));
        const asked = validate(generationRequest, body, 'invalid');
        const preview = await previewGeneration(withStudio(ctx, request), { request: asked });
        return { body: unwritten ? { ...preview, prompt: null } : preview };
      } catch (thrown) {
        // A draft that is not finished is no error of the page: its refusal is the answer.
        const error = withDetail(thrown);
        if (error instanceof ServiceError && error.status < 500 && error.code !== 'forbidden')
          return { body: { refused: errorBody(error).error } };
        throw error;
      }
    },
  }),
});
