import { getMemory } from '#lib/brain/queries/get-memory.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';

/** One Memory whole, for its panel. */
export const GET = withMember({
  handle: async (ctx, { path }) => ({ body: await getMemory(ctx, { memoryId: path.id ?? '' }) }),
});
