import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { readFileFacts } from '../file-facts.ts';
import { type FileRetention, fileRetention, type KeptReason, lastingReason } from '../keep-reason.ts';

export type ShownRetention = FileRetention & {
  assetId: string;
  /** What keeps it for as long as it lasts; null: only its age does, or nothing. */
  lasting: KeptReason | null;
};

/** Why each of these files is kept and when it expires, by the rule that retention applies. Strangers' files are left out. */
export async function readFileRetention(
  ctx: Context<AccountActor>,
  input: { assetIds: readonly string[] },
): Promise<ShownRetention[]> {
  const now = ctx.clock.now();
  const facts = await readFileFacts(ctx.sql, input.assetIds, now);
  return facts
    .filter((file) => file.accountId === ctx.actor.accountId)
    .map((file) => ({ assetId: file.id, ...fileRetention(file, now), lasting: lastingReason(file) }));
}
