import { previewContext } from '#lib/brain/queries/preview-context.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';

/** The Space's text for a prompt, at the usual length: what « Copier le contexte » copies. */
export const GET = withMember({
  async handle(ctx, { path }) {
    const { payload } = await previewContext(ctx, { spaceId: path.id ?? '' });
    return { body: { context: payload.context, truncated: payload.truncated } };
  },
});
