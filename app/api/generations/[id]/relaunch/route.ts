import { generationAnswer, idempotencyKeyOf } from '#lib/http/answers/generation-answer.ts';
import { apiPath } from '#lib/http/callers/with-credential.ts';
import { withMember } from '#lib/http/callers/with-member.ts';
import { withStudio } from '#lib/http/process/studio.ts';
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
