import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { generationAnswer, idempotencyKeyOf } from '#lib/http/responses/generation-answer.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { relaunchGeneration } from '#lib/studio/journal/relaunch-generation.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  POST: withMember({
    permission: 'generate',
    async handle(ctx, { path, request }) {
      const key = idempotencyKeyOf(request);
      const submitted = await relaunchGeneration(withStudio(ctx, request), {
        generationId: path.id ?? '',
        ...(key ? { idempotencyKey: key } : {}),
      });
      return generationAnswer(submitted, ctx.clock.now());
    },
  }),
});
