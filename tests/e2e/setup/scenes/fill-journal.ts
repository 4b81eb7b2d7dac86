import { sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';

/** Adds many generations, one minute apart, each refused for lack of balance: without files or ledger lines. */
export async function fillJournal(ctx: Context<MemberActor>, rows: number): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now().getTime();
  const times = Array.from({ length: rows }, (_, at) => new Date(now - at * 60_000));
  const ids = times.map((at) => createId('generation', at));
  // One statement: one per row would take longer than the test itself.
  await sql`
    INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "params", "references",
      "code", "createdAt", "updatedAt", "deadlineAt", "dueAt", "closedAt", "requestId")
    SELECT row."id", ${accountId}, ${memberId}, 'libre', 'IMAGE', 'IMAGE', 'CANCELLED',
      jsonb_build_object('brief', 'Une bougie, essai ' || row."place"), '{}',
      'balance', row."at", row."at", row."at", row."at", row."at", 'req_scene'
    FROM unnest(${ids}::text[], ${times}::timestamptz[]) WITH ORDINALITY AS row("id", "at", "place")
  `.execute(ctx.kysely);
}
