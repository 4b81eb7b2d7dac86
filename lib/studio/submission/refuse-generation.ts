import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { ReserveRefusal } from '#lib/ledger/judge-reserve.ts';
import type { StudioContext } from '../context.ts';
import { type NewGeneration, recordCancelled } from './create-generation.ts';
import { refusalSentence } from './refusal-sentence.ts';

/** The error of a request that the ledger refused, one row or several together: one cancelled row records it, and is its `subject`. */
export async function refuseGeneration(
  ctx: StudioContext<AccountActor>,
  input: { wanted: NewGeneration; refusal: ReserveRefusal; variants?: number },
): Promise<ServiceError> {
  const { wanted, refusal, variants = 1 } = input;
  const message = refusalSentence(refusal, wanted.heldMicros, variants);
  const row = await recordCancelled(ctx, wanted, { code: refusal.code, message });
  return new ServiceError(refusal.code, { message, detail: refusal.detail, subject: row.id });
}
