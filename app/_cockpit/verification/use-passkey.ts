'use client';
import type { ActionState } from '#lib/http/actions/action-state.ts';

/** Why a browser gave no passkey, in words (`otherwise` for an unknown reason); null if the member closed its window. */
export function passkeyProblem(
  error: unknown,
  otherwise = 'Ce navigateur n’a pas pu utiliser de clé d’accès. Demandez un code par e-mail.',
): string | null {
  const { name, code } = error as { name?: string; code?: string };
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError')
    return 'Cet appareil a déjà une clé d’accès pour Atelier.';
  if (name === 'NotAllowedError' || name === 'AbortError') return null;
  return otherwise;
}

/** Loads the code of passkeys. Call it directly from the press, beside the request to the service: Safari forgets a press that waits for a script. */
export function loadPasskeys(): Promise<typeof import('@simplewebauthn/browser')> {
  const loading = import('@simplewebauthn/browser');
  // A failure is reported where the result is awaited; if it is never awaited, the failure is ignored.
  loading.catch(() => {});
  return loading;
}

/** A refusal in the shape of an action's answer, for what the browser itself refused. */
export function browserRefusal(message: string): Extract<ActionState<never>, { status: 'refused' }> {
  return { status: 'refused', message };
}
