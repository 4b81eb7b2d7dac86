import { headers } from 'next/headers';
import { unstable_rethrow } from 'next/navigation';
import type { AnonymousActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import { toServiceError } from '../responses/respond.ts';
import { createContext } from '../runtime/context.ts';
import { isSameOrigin } from '../security/same-origin.ts';
import type { ActionState } from './action-state.ts';

export type Outcome<Data> = { message?: string; data?: Data };

/**
 * Runs the work of a server action: refuses another site's call, and turns whatever is thrown into the answer that the page
 * shows. `redirect()` and its kin pass through.
 */
export async function guardAction<Data>(
  // biome-ignore lint/suspicious/noConfusingVoidType: an action with nothing to say returns nothing
  work: (ctx: Context<AnonymousActor>) => Promise<Outcome<Data> | void>,
): Promise<ActionState<Data>> {
  const ctx = createContext({ type: 'anonymous' as const });
  try {
    if (!isSameOrigin({ headers: await headers() }))
      throw new ServiceError('forbidden', { message: 'Cette demande ne vient pas de la page d’Atelier.' });
    return { status: 'done', ...(await work(ctx)) };
  } catch (thrown) {
    unstable_rethrow(thrown);
    return refusal(toServiceError(thrown, ctx.log, ctx.requestId), ctx.requestId);
  }
}

/** What a refused action answers: the French sentence, the fields at fault, and the request's identifier when none is. */
function refusal(error: ServiceError, requestId: string): Extract<ActionState<never>, { status: 'refused' }> {
  const { problems } = error.options;
  const several = error.code === 'invalid_request' && (problems?.length ?? 0) > 0;
  return {
    status: 'refused',
    code: error.code,
    message: several
      ? problems?.length === 1
        ? 'Rien n’a été enregistré\u00a0: un champ est à corriger.'
        : 'Rien n’a été enregistré\u00a0: des champs sont à corriger.'
      : errorMessage(error),
    ...(problems ? { problems } : { requestId }),
  };
}
