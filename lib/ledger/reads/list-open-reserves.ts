import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { briefOf } from '#lib/db/values.ts';
import { readableMember } from '../access.ts';

type OpenReserve = {
  generationId: string;
  kind: GenerationKind;
  brief: string | null;
  heldMicros: Micros;
  /** When the amount was held. */
  at: Date;
  /** The file is delivered, the debit is still to be written. */
  chargePending: boolean;
};

const LISTED = 12;

const findReserves = prepared(
  'ledger.open_reserves',
  (db, p: Params<{ accountId: string; memberId: string }>) =>
    db
      .selectFrom('Generation as generation')
      .innerJoin('LedgerLine as reserve', (join) =>
        join.onRef('reserve.generationId', '=', 'generation.id').on('reserve.kind', '=', 'RESERVE'),
      )
      .select([
        'generation.id as generationId',
        'generation.kind',
        briefOf('generation.params').as('brief'),
        'reserve.heldMicros',
        'reserve.at',
        'generation.chargePending',
        sql<number>`(count(*) over ())::int`.as('total'),
      ])
      .where('generation.accountId', '=', p.accountId)
      .where('generation.memberId', '=', p.memberId)
      .where(inOpenState('generation.state'))
      .where(({ eb, not, exists }) =>
        not(
          exists(
            eb
              .selectFrom('LedgerLine as closing')
              .select('closing.id')
              .whereRef('closing.reserveId', '=', 'reserve.id')
              .where('closing.kind', 'in', ['SETTLE', 'REFUND']),
          ),
        ),
      )
      .orderBy('generation.createdAt', 'desc')
      .orderBy('generation.id', 'desc')
      .limit(sql.lit(LISTED)),
);

/** The latest of what a member's running generations hold, and how many they are in all. */
export type OpenReserves = { reserves: OpenReserve[]; total: number };

/**
 * What a member's running generations hold now, the latest twelve first, and how many hold something: read from the index of open rows,
 * however long the journal is. One's own, or any member's of the account for a founder; else `not_found`.
 */
export async function listOpenReserves(ctx: Context, input: { memberId: string }): Promise<OpenReserves> {
  const { accountId, memberId } = await readableMember(ctx, input.memberId);
  const rows = await findReserves.all(ctx.kysely, { accountId, memberId });
  return { reserves: rows.map(({ total: _, ...reserve }) => reserve), total: rows[0]?.total ?? 0 };
}
