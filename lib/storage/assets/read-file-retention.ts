import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { readAssetFacts } from '../facts/asset-facts.ts';
import { type FileRetention, fileRetention } from '../keep-reason.ts';

/** Why each of these assets is kept and when it expires, by the rule that retention applies. Strangers' files are left out. */
export async function readFileRetention(
  ctx: Context<AccountActor>,
  input: { assetIds: readonly string[] },
): Promise<(FileRetention & { assetId: string })[]> {
  const now = ctx.clock.now();
  const facts = await readAssetFacts(ctx.kysely, input.assetIds, now, ctx.actor.accountId);
  return facts.map((file) => ({ assetId: file.id, ...fileRetention(file, now) }));
}
