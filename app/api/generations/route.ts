import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { readJson } from '#lib/http/requests/read-body.ts';
import { queryObject, validate } from '#lib/http/requests/validate.ts';
import { generationAnswer, idempotencyKeyOf, withDetail } from '#lib/http/responses/generation-answer.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { generationRequest } from '#lib/studio/request.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

const MAX_BODY = 256 * 1024;

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withMember({
    permission: 'generate',
    async handle(ctx, { request }) {
      const query = validate(journalQuery, queryObject(new URL(request.url)), 'invalid');
      return { body: await listGenerations(withStudio(ctx, request), query) };
    },
  }),
  POST: withMember({
    permission: 'generate',
    async handle(ctx, { request }) {
      const key = idempotencyKeyOf(request);
      try {
        const body = validate(generationRequest, await readJson(request, MAX_BODY, 'invalid'), 'invalid');
        const submitted = await submitGeneration(withStudio(ctx, request), {
          request: body,
          ...(key ? { idempotencyKey: key } : {}),
        });
        return generationAnswer(submitted, ctx.clock.now());
      } catch (error) {
        throw withDetail(error);
      }
    },
  }),
});
