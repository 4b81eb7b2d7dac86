import { z } from 'zod';
import { usdFromMicros } from '#lib/core/money.ts';
import { isMonth } from '../month.ts';
import type { Wallet } from './read-wallet.ts';

/** Query of a member's statement. */
export const statementQuery = z.object({
  month: z
    .string()
    .refine(isMonth, 'Le mois s’écrit AAAA-MM, par exemple 2026-11.')
    .optional()
    .meta({ description: 'Mois UTC\u00a0; par défaut le mois courant', example: '2026-11' }),
  memberId: z.string().max(40).optional().meta({ description: 'Par défaut, soi-même' }),
});

export const walletQuery = z.strictObject({
  memberId: z.string().max(40).optional().meta({ description: 'Par défaut, soi-même' }),
});

const usd = z.number().meta({ description: 'En dollars' });

/** A member's wallet as a program reads it. */
export const walletSchema = z
  .object({
    object: z.literal('wallet'),
    memberId: z.string(),
    balanceUsd: usd,
    heldUsd: usd.meta({ description: 'Retenu par des générations en cours, en dollars' }),
    availableUsd: usd.meta({ description: 'Ce qui peut encore être retenu, en dollars' }),
    perGenerationCapUsd: usd.nullable(),
    monthlyCapUsd: usd.nullable(),
    monthUsedUsd: usd.meta({ description: 'Débité dans le mois UTC, et retenu, en dollars' }),
    credentialCapUsd: usd.nullable().meta({
      description:
        'Plafond par mois de la clé ou de l’application qui lit\u00a0; nul pour une session. 0\u00a0: elle ne peut rien demander.',
    }),
    credentialUsedUsd: usd.meta({
      description: 'Débité dans le mois UTC par cette clé ou cette application, et retenu, en dollars',
    }),
  })
  .meta({ id: 'Wallet' });

/** A wallet in the words of its schema. */
export function viewWallet(wallet: Wallet): z.output<typeof walletSchema> {
  const cap = (micros: bigint | null) => (micros === null ? null : usdFromMicros(micros));
  return {
    object: 'wallet',
    memberId: wallet.memberId,
    balanceUsd: usdFromMicros(wallet.balanceMicros),
    heldUsd: usdFromMicros(wallet.heldMicros),
    availableUsd: usdFromMicros(wallet.availableMicros),
    perGenerationCapUsd: cap(wallet.perGenerationCapMicros),
    monthlyCapUsd: cap(wallet.monthlyCapMicros),
    monthUsedUsd: usdFromMicros(wallet.monthSpentMicros + wallet.heldMicros),
    credentialCapUsd: cap(wallet.credentialCapMicros),
    credentialUsedUsd: usdFromMicros(wallet.credentialUsedMicros),
  };
}

/** What a request that is being composed is held against: what is left, and what limits it. */
export const purseSchema = walletSchema.pick({
  availableUsd: true,
  perGenerationCapUsd: true,
  monthlyCapUsd: true,
  monthUsedUsd: true,
});

export type Purse = z.output<typeof purseSchema>;

/** A member's wallet as the composer shows it. */
export function viewPurse(wallet: Wallet): Purse {
  const { availableUsd, perGenerationCapUsd, monthlyCapUsd, monthUsedUsd } = viewWallet(wallet);
  return { availableUsd, perGenerationCapUsd, monthlyCapUsd, monthUsedUsd };
}
