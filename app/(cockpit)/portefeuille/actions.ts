'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { typedAmount, typedAmountOrNone } from '#app/_cockpit/amount.ts';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { usd, usdThat } from '#app/_ui/format.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { creditRequestMail } from '#lib/ledger/budget/credit-request-mail.ts';
import { requestCredit } from '#lib/ledger/budget/request-credit.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';

const memberId = z.string().max(40);

/**
 * Gives credit to a member of the account; its ledger line cannot be removed. Refused with `invalid_request` unless `confirmed` is the amount in
 * micro-dollars. Idempotent by key.
 */
export const giveCredit = memberAction({
  permission: 'ledger.grant',
  schema: z.object({
    memberId,
    amountUsd: typedAmount('Écrivez un montant, par exemple 25 ou 12,50.').refine(
      (micros) => micros > 0n,
      'Le crédit doit être supérieur à 0.',
    ),
    note: z
      .string()
      .trim()
      .refine(...atMostUnits(200, 'La note compte au plus 200 caractères.'))
      .optional(),
    confirmed: z.string().max(20).optional(),
    /** The idempotency key, which the form makes each time it is opened: sent twice, it gives once. */
    key: z.string().min(1).max(64).optional(),
  }),
  async run(ctx, { memberId, amountUsd, note, confirmed, key }) {
    // The amount that the form showed for confirmation.
    if (confirmed !== String(amountUsd))
      throw new ServiceError('invalid_request', {
        message: 'Rien n’a été accordé\u00a0: relisez le montant, puis confirmez-le.',
      });
    const { balanceMicros } = await grantCredit(ctx, {
      memberId,
      amountMicros: amountUsd,
      ...(note ? { note } : {}),
      ...(key ? { idempotencyKey: key } : {}),
    });
    revalidatePath('/portefeuille', 'layout');
    return { message: `${usdThat(amountUsd, 'accordé')}. Nouveau solde\u00a0: ${usd(balanceMicros)}.` };
  },
});

/** Sets the caps of a member. An empty field removes the cap; a field that is not sent is unchanged. */
export const changeCaps = memberAction({
  permission: 'ledger.grant',
  schema: z.object({
    memberId,
    perGenerationUsd: typedAmountOrNone('Écrivez un montant, ou laissez vide.').optional(),
    monthlyUsd: typedAmountOrNone('Écrivez un montant, ou laissez vide.').optional(),
    shown: shownFields,
  }),
  async run(ctx, { memberId, perGenerationUsd, monthlyUsd, shown }) {
    if (perGenerationUsd === undefined && monthlyUsd === undefined) return { message: 'Rien n’a changé' };
    await setCaps(ctx, {
      memberId,
      shown,
      ...(perGenerationUsd === undefined ? {} : { perGenerationCapMicros: perGenerationUsd }),
      ...(monthlyUsd === undefined ? {} : { monthlyCapMicros: monthlyUsd }),
    }).catch(rereadOnConflict('/portefeuille', 'layout'));
    revalidatePath('/portefeuille', 'layout');
    return { message: 'Plafonds enregistrés' };
  },
});

const ask = memberCall({
  permission: 'ledger.grant',
  schema: z.object({}),
  async run(ctx) {
    const { to, request } = await requestCredit(ctx);
    for (const email of to) postLater(creditRequestMail(email, request), ctx.requestId);
    revalidatePath('/portefeuille', 'layout');
  },
});

/** Asks the operator of the service by mail for more credit or a higher ceiling. Refused with `rate_limited` within 24 hours of the last request. */
export async function askForCredit() {
  return ask({});
}
