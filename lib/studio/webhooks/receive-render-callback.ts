import { ServiceError } from '#lib/core/errors.ts';
import type { StudioContext } from '../context.ts';
import { type DisplayedStatus, STATUS_LABELS } from '../generation/status-labels.ts';
import { splitSecrets, verifyCallback } from '../renders/render-signature.ts';
import { readCallbackBody } from './callback-body.ts';
import { handleRenderCallback } from './handle-render-callback.ts';

/** What the runner is told: the row's status, and whether it is this very call that closed it. */
type RenderReceipt = { generationId: string; status: DisplayedStatus; recorded: boolean };

/**
 * Takes in the callback of a render's run: its signature first, then its report. Errors: `unauthenticated` and `invalid` (both
 * logged), `not_found`, `conflict` when the row is of another run or closed otherwise, `unavailable` when it is to come again.
 */
export async function receiveRenderCallback(
  ctx: StudioContext,
  input: { rawBody: Uint8Array; headers: Headers; secret: string | undefined },
): Promise<RenderReceipt> {
  const { rawBody, headers, secret } = input;
  const signature = verifyCallback(rawBody, headers, splitSecrets(secret), ctx.clock.now());
  if (!signature.valid) {
    ctx.log.warn('render.callback.rejected', { reason: signature.reason });
    throw new ServiceError('unauthenticated', { message: 'La signature de cet appel n’est pas valable.' });
  }
  const report = readCallbackBody(new TextDecoder().decode(rawBody));
  if (!report) {
    ctx.log.warn('render.callback.rejected', { reason: 'malformed' });
    throw new ServiceError('invalid', { message: 'Le compte rendu de ce rendu n’est pas lisible.' });
  }
  const { generationId } = report;
  const verdict = await handleRenderCallback(ctx, report);
  if (verdict.result === 'retry') throw new ServiceError('unavailable', { retryAfterSeconds: 5 });
  if (verdict.result === 'rejected')
    throw verdict.reason === 'unknown-generation'
      ? new ServiceError('not_found')
      : new ServiceError('conflict', { message: 'Ce rendu appartient à une autre exécution.' });
  const { status, agrees, result } = verdict;
  if (!agrees)
    throw new ServiceError('conflict', {
      message: `Ce rendu est déjà clos, avec l’état «\u00a0${STATUS_LABELS[status]}\u00a0».`,
      detail: status,
      subject: generationId,
    });
  return { generationId, status, recorded: result !== 'decided' };
}
