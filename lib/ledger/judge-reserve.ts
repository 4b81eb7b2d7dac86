import type { Micros } from '#lib/core/money.ts';

/** Why a reserve was refused: `balance`, which of the member's two caps, the ceiling of the account, or the cap of the key or application that asks. */
export type ReserveRefusal =
  | { code: 'balance'; detail: 'balance'; availableMicros: Micros }
  | {
      code: 'cap';
      detail: 'per-generation' | 'monthly' | 'account' | 'credential';
      capMicros: Micros;
      /** What the month already counts: settled plus held. */
      usedMicros: Micros;
    };

/**
 * Why a wallet would refuse an amount, or null, without reserving anything: the rule of `withReserve` outside the database. Of several
 * reserves asked together, `amountMicros` is their sum and `eachMicros` one of them: the cap of one generation is held against that.
 */
export function judgeReserve(
  wallet: {
    availableMicros: Micros;
    perGenerationCapMicros: Micros | null;
    monthlyCapMicros: Micros | null;
    /** Settled in the month, plus held. */
    monthUsedMicros: Micros;
    accountCeilingMicros: Micros | null;
    /** The same over all members of the account. */
    accountUsedMicros: Micros;
    /** Of the key or application that asks: its cap, and what counts against it. null: a session asks. */
    credentialCapMicros: Micros | null;
    credentialUsedMicros: Micros;
  },
  amountMicros: Micros,
  eachMicros: Micros = amountMicros,
): ReserveRefusal | null {
  const { perGenerationCapMicros, monthlyCapMicros, monthUsedMicros: usedMicros, availableMicros } = wallet;
  if (availableMicros < amountMicros) return { code: 'balance', detail: 'balance', availableMicros };
  if (perGenerationCapMicros !== null && eachMicros > perGenerationCapMicros)
    return { code: 'cap', detail: 'per-generation', capMicros: perGenerationCapMicros, usedMicros };
  if (monthlyCapMicros !== null && usedMicros + amountMicros > monthlyCapMicros)
    return { code: 'cap', detail: 'monthly', capMicros: monthlyCapMicros, usedMicros };
  const { accountCeilingMicros: capMicros, accountUsedMicros } = wallet;
  if (capMicros !== null && accountUsedMicros + amountMicros > capMicros)
    return { code: 'cap', detail: 'account', capMicros, usedMicros: accountUsedMicros };
  const { credentialCapMicros, credentialUsedMicros } = wallet;
  if (credentialCapMicros !== null && credentialUsedMicros + amountMicros > credentialCapMicros)
    return {
      code: 'cap',
      detail: 'credential',
      capMicros: credentialCapMicros,
      usedMicros: credentialUsedMicros,
    };
  return null;
}
