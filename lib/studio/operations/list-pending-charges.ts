import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { requireOperations } from './require-operations.ts';

export type PendingCharge = {
  id: string;
  kind: GenerationKind;
  brief: string | null;
  memberName: string;
  heldMicros: Micros;
  /** The measured cost that the sweep will debit; null: what was held. */
  pendingMicros: Micros | null;
  createdAt: Date;
  /** When the sweep looks at it next. */
  dueAt: Date;
};

/** Delivered files of the account whose debit is still to be written, the oldest first, at most 100: read from the open rows. Founders. */
export async function listPendingCharges(ctx: Context<AccountActor>): Promise<PendingCharge[]> {
  requireOperations(ctx);
  return ctx.sql.rows<PendingCharge>(
    'operations.pending_charges',
    `SELECT g."id", g."kind", left(g."params" ->> 'brief', 140) AS "brief", g."heldMicros", g."createdAt", g."dueAt",
       (g."params" ->> 'pendingCostMicros')::bigint AS "pendingMicros", COALESCE(NULLIF(m."name", ''), m."email", '') AS "memberName"
     FROM "Generation" g LEFT JOIN "Member" m ON m."id" = g."memberId"
     WHERE g."accountId" = $1 AND g."state" IN ('STARTING', 'SUBMITTED') AND g."chargePending"
     ORDER BY g."createdAt", g."id" LIMIT 100`,
    [ctx.actor.accountId],
  );
}
