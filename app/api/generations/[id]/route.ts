import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withMember({
    permission: 'generate',
    async handle(ctx, { path, request }) {
      return { body: await getGeneration(withStudio(ctx, request), { generationId: path.id ?? '' }) };
    },
  }),
});
