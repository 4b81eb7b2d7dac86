import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { reachedBy } from '#lib/db/space-rights.ts';
import { spaceNotFound } from '../not-found.ts';
import { VersionedCache } from '../versioned-cache.ts';
import { previewContext } from './preview-context.ts';

/** The longest text that a context may be. */
const WHOLE_CONTEXT_CHARS = 200_000;

type WholeContext = { name: string; context: string };

const cache = new VersionedCache<WholeContext>(cacheBytes('wholeContexts'));

/**
 * A Space's name and the longest context of it, for whoever only looks at it; consumes no read. Put together once for each version of the Space, however often it
 * is looked at. Errors: `not_found` (archived Spaces too).
 */
export async function wholeContext(
  ctx: Context<AccountActor>,
  input: { spaceId: string },
): Promise<WholeContext> {
  const { spaceId } = input;
  const space = await ctx.db.space.findFirst({
    where: {
      id: spaceId,
      accountId: ctx.actor.accountId,
      archivedAt: null,
      AND: reachedBy('id', ctx.actor),
    },
    select: { version: true },
  });
  if (!space) throw spaceNotFound();
  const known = cache.get(spaceId);
  if (known?.version === space.version) return known.value;
  const { payload } = await previewContext(ctx, { spaceId, maxChars: WHOLE_CONTEXT_CHARS });
  const value = { name: payload.space.name, context: payload.context };
  cache.set(spaceId, space.version, value, 2 * value.context.length);
  return value;
}
