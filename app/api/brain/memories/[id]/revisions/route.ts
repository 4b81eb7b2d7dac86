import { listRevisions } from '#lib/brain/memories/history.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';

/** What happened to a Memory, latest first; `?before=<version>` for the page after. */
export const GET = withMember({
  async handle(ctx, { path, request }) {
    const before = Number(new URL(request.url).searchParams.get('before'));
    const page = Number.isSafeInteger(before) && before > 0 ? { before } : {};
    return { body: await listRevisions(ctx, { memoryId: path.id ?? '', ...page }) };
  },
});
