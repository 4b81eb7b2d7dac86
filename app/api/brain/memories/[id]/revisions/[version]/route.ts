import { getRevision } from '#lib/brain/memories/history.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';

/** One version of a Memory and the one before, to be compared. */
export const GET = withMember({
  async handle(ctx, { path }) {
    if (!/^\d{1,9}$/.test(path.version ?? ''))
      throw new ServiceError('not_found', { message: 'Cette version est introuvable.' });
    return { body: await getRevision(ctx, { memoryId: path.id ?? '', version: Number(path.version) }) };
  },
});
