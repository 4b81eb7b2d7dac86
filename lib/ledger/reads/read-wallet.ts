import type { Context } from '#lib/core/context.ts';
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
  (db, p: Params<{ memberId: string; month: string; allowanceId: string | null }>) =>
    db
      .selectFrom('Wallet')
      .innerJoin('Budget as budget', 'budget.accountId', 'Wallet.accountId')
      .leftJoin('CredentialAllowance as allowance', (join) =>
        join.onRef('allowance.memberId', '=', 'Wallet.memberId').on('allowance.id', '=', p.allowanceId),
      )
      .select([
        'Wallet.id',
        'Wallet.accountId',
        'Wallet.memberId',
        'Wallet.balanceMicros',
        'Wallet.heldMicros',
        'Wallet.perGenerationCapMicros',
        'Wallet.monthlyCapMicros',
        spentIn(p.month).as('monthSpentMicros'),
        'budget.monthlyCeilingMicros as accountCeilingMicros',
        usedIn(p.month, 'budget').as('accountUsedMicros'),
        ...allowanceColumns(p),
      ])
      .where('Wallet.memberId', '=', p.memberId),
);

// A founder's own credential has no allowance in another member's wallet.
function ownAllowance({ actor }: Context, memberId: string): string | null {
  return 'memberId' in actor && actor.memberId === memberId ? allowanceOf(actor) : null;
}

/** A member's wallet now. A member who never had one reads an empty wallet. Own wallet, or any in the account for a founder. */
export async function readWallet(ctx: Context, input: { memberId: string }): Promise<Wallet> {
  const member = await readableMember(ctx, input.memberId);
  const wallet = await findWallet.first(ctx.kysely, {
    memberId: member.memberId,
    month: utcMonth(ctx.clock.now()),
    allowanceId: ownAllowance(ctx, member.memberId),
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
    credentialCapMicros: null,
    credentialUsedMicros: 0n,
  };
}
