import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { readableMember } from './wallet.ts';

export type OpenReserve = {
  generationId: string;
  kind: GenerationKind;
  brief: string | null;
  heldMicros: Micros;
  /** When the amount was held. */
  at: Date;
  /** The file is delivered, the debit is still to be written. */
  chargePending: boolean;
};

/**
 * What a member's running generations hold now, the latest first, at most 200: read from the index of open rows, however long the
 * journal is. One's own, or any member's of the account for a founder; else `not_found`.
 */
export async function listOpenReserves(ctx: Context, input: { memberId: string }): Promise<OpenReserve[]> {
  const { accountId, memberId } = await readableMember(ctx, input.memberId);
  return ctx.sql.rows<OpenReserve>(
    'ledger.open_reserves',
    `SELECT g."id" AS "generationId", g."kind", left(g."params" ->> 'brief', 140) AS "brief", r."heldMicros", r."at", g."chargePending"
     FROM "Generation" g
     JOIN "LedgerLine" r ON r."generationId" = g."id" AND r."kind" = 'RESERVE'
     WHERE g."accountId" = $1 AND g."memberId" = $2 AND g."state" IN ('STARTING', 'SUBMITTED')
       AND NOT EXISTS (SELECT 1 FROM "LedgerLine" c WHERE c."reserveId" = r."id" AND c."kind" IN ('SETTLE', 'REFUND'))
     ORDER BY g."createdAt" DESC, g."id" DESC LIMIT 200`,
    [accountId, memberId],
  );
}
