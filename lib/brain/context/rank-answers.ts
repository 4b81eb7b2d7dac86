import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { Pace } from '../search/index/pace.ts';
import { findMatches, rankMemories } from '../search/rank-memories.ts';
import { bodyCharsRead } from './bodies.ts';
import type { FocusInput } from './focus.ts';
import type { ContextInput, ContextRow } from './types.ts';

/** The best answers that were read in part, of which the whole text is looked into. */
const MOST_WHOLE = 16;

/**
 * What `focusContext` needs: how well each Memory of the Space answers `q`, and the whole text of the best ones. Of `memories`, long bodies are read up to what a
 * text of `maxChars` can show.
 */
export async function focusInput(
  ctx: Context<AccountActor>,
  { q, ...input }: ContextInput & { maxChars: number; q: string },
): Promise<FocusInput> {
  const { query, ranked } = await rankMemories(ctx, { q, spaceId: input.space.id, pillars: input.pillars });
  const pace = new Pace();
  return {
    ...input,
    memories: await withWholeBodies(ctx, input, ranked),
    answers: { ranked, matchesOf: (body) => findMatches(query, body) },
    rest: () => (pace.due() ? pace.rest() : undefined),
  };
}

async function withWholeBodies(
  ctx: Context<AccountActor>,
  { memories, maxChars, space }: ContextInput & { maxChars: number },
  ranked: readonly { memoryId: string }[],
): Promise<readonly ContextRow[]> {
  const most = bodyCharsRead(maxChars);
  const cut = new Set(memories.flatMap(({ id, body }) => (body.length >= most ? [id] : [])));
  const ids = ranked.flatMap(({ memoryId }) => (cut.has(memoryId) ? [memoryId] : [])).slice(0, MOST_WHOLE);
  if (ids.length === 0) return memories;
  const rows = await ctx.kysely
    .selectFrom('Memory')
    .select(['id', 'body'])
    .where(isAnyOf('id', ids))
    .where('accountId', '=', ctx.actor.accountId)
    .where('spaceId', '=', space.id)
    .where('deletedAt', 'is', null)
    .execute();
  const bodies = new Map(rows.map(({ id, body }) => [id, body]));
  return memories.map((row) => ({ ...row, body: bodies.get(row.id) ?? row.body }));
}
