'use client';
import type { ActionState } from '#lib/http/actions/action-state.ts';

/** Why a browser gave no passkey, in words (`otherwise` when it does not say); null when its holder simply closed its window. */
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

/** The browser's passkeys, asked for at the press itself, beside what the service answers: Safari forgets a press that waits for a script. */
export function loadPasskeys(): Promise<typeof import('@simplewebauthn/browser')> {
  const loading = import('@simplewebauthn/browser');
  // Told where it is awaited; a refusal that comes before leaves it unheard.
  loading.catch(() => {});
  return loading;
}

/** Refusal in the shape of an action's: for what the browser itself refused. */
export function browserRefusal(message: string): Extract<ActionState<never>, { status: 'refused' }> {
  return { status: 'refused', message };
}
