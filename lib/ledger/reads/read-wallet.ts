import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Micros } from '#lib/core/money.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { readableMember } from '../access.ts';
import { allowanceColumns, allowanceOf } from '../allowances.ts';
import { spentIn, usedIn } from '../lines.ts';
import { utcMonth } from '../month.ts';

export type Wallet = {
  id: string;
  accountId: string;
  memberId: string;
  balanceMicros: Micros;
  heldMicros: Micros;
  /** Balance minus what open reserves hold: what a reserve may still take. */
  availableMicros: Micros;
  perGenerationCapMicros: Micros | null;
  monthlyCapMicros: Micros | null;
  /** Settled in the current UTC month. */
  monthSpentMicros: Micros;
  /** The ceiling that the operator set over all members of the account, and what counts against it: settled plus held. */
  accountCeilingMicros: Micros | null;
  accountUsedMicros: Micros;
  /** Of the key or application that reads: its own cap, and what counts against it. null: a session, or a credential that does not spend. */
  credentialCapMicros: Micros | null;
  credentialUsedMicros: Micros;
};

const findWallet = prepared(
  'ledger.wallet',
  (db, p: Params<{ accountId: string; memberId: string; month: string; allowanceId: string | null }>) =>
    db
      .selectFrom('Member as m')
      .leftJoin('Wallet', 'Wallet.memberId', 'm.id')
      .leftJoin('Budget as budget', 'budget.accountId', 'm.accountId')
      .leftJoin('CredentialAllowance as allowance', (join) =>
        join.onRef('allowance.memberId', '=', 'm.id').on('allowance.id', '=', p.allowanceId),
      )
      .select((eb) => [
        sql<string>`coalesce(${eb.ref('Wallet.id')}, '')`.as('id'),
        sql<bigint>`coalesce(${eb.ref('Wallet.balanceMicros')}, 0)`.as('balanceMicros'),
        sql<bigint>`coalesce(${eb.ref('Wallet.heldMicros')}, 0)`.as('heldMicros'),
        'Wallet.perGenerationCapMicros',
        'Wallet.monthlyCapMicros',
        spentIn(p.month).as('monthSpentMicros'),
        'budget.monthlyCeilingMicros as accountCeilingMicros',
        sql<bigint>`coalesce(${usedIn(p.month, 'budget')}, 0)`.as('accountUsedMicros'),
        ...allowanceColumns(p),
      ])
      .where('m.id', '=', p.memberId)
      .where('m.accountId', '=', p.accountId),
);

// A founder's own credential has no allowance in another member's wallet.
function ownAllowance({ actor }: Context, memberId: string): string | null {
  return 'memberId' in actor && actor.memberId === memberId ? allowanceOf(actor) : null;
}

/**
 * A member's wallet now. Before anything was given to the member it is an empty one, under the same ceiling and the same caps. Own wallet, or any in
 * the account for a founder. Errors: `not_found`.
 */
export async function readWallet(ctx: Context, input: { memberId: string }): Promise<Wallet> {
  const member = await readableMember(ctx, input.memberId);
  const wallet = await findWallet.first(ctx.kysely, {
    ...member,
    month: utcMonth(ctx.clock.now()),
    allowanceId: ownAllowance(ctx, member.memberId),
  });
  if (!wallet) throw new ServiceError('not_found');
  return { ...wallet, ...member, availableMicros: wallet.balanceMicros - wallet.heldMicros };
}
