import type { AccountActor } from '#lib/core/actor.ts';
import type { StudioContext } from '../context.ts';
import { generationColumns, readGeneration } from '../generation/generation.ts';
import { type GenerationView, viewGeneration } from './view.ts';

/** Some rows of the account, in the order asked; those that are not its own are left out. Asks no provider. At most 100. */
export async function listGenerationsById(
  ctx: StudioContext<AccountActor>,
  input: { generationIds: readonly string[] },
): Promise<GenerationView[]> {
  const ids = input.generationIds.slice(0, 100);
  const rows = await ctx.sql.rows<Record<string, unknown>>(
    'studio.rows_by_id',
    `SELECT ${generationColumns('g')} FROM "Generation" g WHERE g."accountId" = $1 AND g."id" = ANY($2::text[])`,
    [ctx.actor.accountId, ids],
  );
  const now = ctx.clock.now();
  const views = new Map(rows.map((row) => [row.id as string, viewGeneration(readGeneration(row), now)]));
  return ids.flatMap((id) => views.get(id) ?? []);
}
