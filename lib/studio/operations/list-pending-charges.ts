import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { briefOf } from '#lib/db/values.ts';
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

const findCharges = prepared('operations.pending_charges', (db, p: Params<{ accountId: string }>) =>
  db
    .selectFrom('Generation as generation')
    .leftJoin('Member as member', 'member.id', 'generation.memberId')
    .select((eb) => [
      'generation.id',
      'generation.kind',
      briefOf('generation.params').as('brief'),
      'generation.heldMicros',
      'generation.createdAt',
      'generation.dueAt',
      sql<bigint | null>`(${eb.ref('generation.params')} ->> 'pendingCostMicros')::bigint`.as(
        'pendingMicros',
      ),
      sql<string>`coalesce(nullif(${eb.ref('member.name')}, ''), ${eb.ref('member.email')}, '')`.as(
        'memberName',
      ),
    ])
    .where('generation.accountId', '=', p.accountId)
    .where(inOpenState('generation.state'))
    .where('generation.chargePending', '=', true)
    .orderBy('generation.createdAt')
    .orderBy('generation.id')
    .limit(100),
);

/** Delivered files of the account whose debit is still to be written, the oldest first, at most 100: read from the open rows. Founders. */
export async function listPendingCharges(ctx: Context<AccountActor>): Promise<PendingCharge[]> {
  requireOperations(ctx);
  return findCharges.all(ctx.kysely, { accountId: ctx.actor.accountId });
}
