import { getMemory } from '#lib/brain/cockpit/get-memory.ts';
import { withMember } from '#lib/http/callers/with-member.ts';

/** One Memory whole, for its panel. */
export const GET = withMember({
  handle: async (ctx, { path }) => ({ body: await getMemory(ctx, { memoryId: path.id ?? '' }) }),
});
