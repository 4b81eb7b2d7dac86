import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { PENDING_CHARGES_SHOWN } from '../limits.ts';
import { type Followed, followed, type Scope, scopeOf } from './audited-costs.ts';
import { requireOperations } from './require-operations.ts';

export type PendingCharge = Followed & {
  id: string;
  kind: GenerationKind;
  /** Of the account that asks; null for another's. */
  memberName: string | null;
  heldMicros: Micros;
  /** The measured cost that the sweep will debit; null: what was held. */
  pendingMicros: Micros | null;
  createdAt: Date;
  /** When the sweep looks at it next. */
  dueAt: Date;
};

const findCharges = (scope: Scope) =>
  prepared(`operations.pending_charges.${scope}`, (db, p: Params<{ accountId: string }>) => {
    const charges = db
      .selectFrom('Generation as generation')
      .leftJoin('Account as account', 'account.id', 'generation.accountId')
      .leftJoin('Member as member', (join) =>
        join.onRef('member.id', '=', 'generation.memberId').on('member.accountId', '=', p.accountId),
      )
      .select(followed(p.accountId))
      .select((eb) => [
        'generation.id',
        'generation.kind',
        'generation.heldMicros',
        'generation.createdAt',
        'generation.dueAt',
        sql<bigint | null>`(${eb.ref('generation.params')} ->> 'pendingCostMicros')::bigint`.as(
          'pendingMicros',
        ),
        sql<string | null>`coalesce(nullif(${eb.ref('member.name')}, ''), ${eb.ref('member.email')})`.as(
          'memberName',
        ),
      ])
      .where(inOpenState('generation.state'))
      .where('generation.chargePending', '=', true)
      .orderBy('generation.createdAt')
      .orderBy('generation.id')
      .limit(PENDING_CHARGES_SHOWN);
    return scope === 'service' ? charges : charges.where('generation.accountId', '=', p.accountId);
  });
const charges = { account: findCharges('account'), service: findCharges('service') };

/**
 * Delivered files of the account whose debit is still to be written, the oldest first, at most 100: read from the open rows. Founders; the
 * operator's, of every account.
 */
export async function listPendingCharges(ctx: Context<AccountActor>): Promise<PendingCharge[]> {
  requireOperations(ctx);
  return charges[scopeOf(ctx.actor)].all(ctx.kysely, { accountId: ctx.actor.accountId });
}
