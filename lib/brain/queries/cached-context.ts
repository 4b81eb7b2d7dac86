import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { reachedBy } from '#lib/db/space-rights.ts';
import { clampMaxChars } from '../context/assemble.ts';
import { spaceNotFound } from '../not-found.ts';
import { VersionedCache } from '../versioned-cache.ts';
import { previewContext } from './preview-context.ts';

type KeptContext = { name: string; context: string; truncated: boolean };

const cache = new VersionedCache<KeptContext>(cacheBytes('shownContexts'));

/**
 * A Space's name and its context, of the usual length or of `maxChars`, for pages that show or copy it; consumes no read. Built once for each
 * version of the Space, then cached. Errors: `not_found` (archived Spaces too).
 */
export async function cachedContext(
  ctx: Context<AccountActor>,
  input: { spaceId: string; maxChars?: number },
): Promise<KeptContext> {
  const { spaceId } = input;
  const maxChars = clampMaxChars(input.maxChars);
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
  const key = `${spaceId}|${maxChars}`;
  const known = cache.get(key);
  if (known?.version === space.version) return known.value;
  const { payload } = await previewContext(ctx, { spaceId, maxChars });
  const value = { name: payload.space.name, context: payload.context, truncated: payload.truncated };
  cache.set(key, space.version, value, 2 * value.context.length);
  return value;
}
