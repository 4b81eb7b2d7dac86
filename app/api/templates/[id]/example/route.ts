import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { pngAnswer } from '#lib/http/responses/png-answer.ts';
import { drawExample } from '#lib/studio/templates/preview/draw-preview.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

/** The example of a template, as the gallery shows it. */
export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withMember({
    async handle(_, { path }) {
      return pngAnswer(await drawExample(path.id ?? ''), 'private, max-age=3600');
    },
  }),
});
