import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { readableMember } from '../access.ts';
import { spentIn } from '../lines.ts';
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
};

const findWallet = prepared('ledger.wallet', (db, p: Params<{ memberId: string; month: string }>) =>
  db
    .selectFrom('Wallet')
    .innerJoin('Budget as budget', 'budget.accountId', 'Wallet.accountId')
    .select((eb) => [
      'Wallet.id',
      'Wallet.accountId',
      'Wallet.memberId',
      'Wallet.balanceMicros',
      'Wallet.heldMicros',
      'Wallet.perGenerationCapMicros',
      'Wallet.monthlyCapMicros',
      spentIn(p.month).as('monthSpentMicros'),
      'budget.monthlyCeilingMicros as accountCeilingMicros',
      sql<bigint>`${spentIn(p.month, 'budget')} + ${eb.ref('budget.heldMicros')}`.as('accountUsedMicros'),
    ])
    .where('Wallet.memberId', '=', p.memberId),
);

/** A member's wallet now. A member who never had one reads an empty wallet. Own wallet, or any in the account for a founder. */
export async function readWallet(ctx: Context, input: { memberId: string }): Promise<Wallet> {
  const member = await readableMember(ctx, input.memberId);
  const wallet = await findWallet.first(ctx.kysely, {
    memberId: member.memberId,
    month: utcMonth(ctx.clock.now()),
  });
  if (wallet) return { ...wallet, availableMicros: wallet.balanceMicros - wallet.heldMicros };
  return {
    id: '',
    ...member,
    balanceMicros: 0n,
    heldMicros: 0n,
    availableMicros: 0n,
    perGenerationCapMicros: null,
    monthlyCapMicros: null,
    monthSpentMicros: 0n,
    accountCeilingMicros: null,
    accountUsedMicros: 0n,
  };
}
