'use client';
import { toast } from '#app/_ui/overlay/toast.ts';
import type { ActionState } from '#lib/http/action-state.ts';

const LOST = 'La connexion a été perdue avant la réponse. Vérifiez votre réseau, puis réessayez.';

/**
 * Awaits a server action called without a form. Done: its data (or true). Refused or lost: says why in a toast and gives null, so
 * that the caller only has to leave everything as it was.
 */
export async function act<Data>(
  call: Promise<ActionState<Data>>,
): Promise<{ data?: Data; message?: string } | null> {
  const state = await call.catch((): ActionState<Data> => ({ status: 'refused', message: LOST }));
  if (state.status === 'done') return state;
  if (state.status === 'refused')
    toast({ title: state.problems?.[0]?.message ?? state.message, tone: 'fail' });
  return null;
}

/** Reads JSON from one of our routes; a refusal is thrown with the sentence to show. */
export async function readJson<T>(address: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(address, { credentials: 'same-origin', ...init }).catch(() => {
    throw new Error(LOST);
  });
  const body = (await answer.json().catch(() => null)) as { error?: { message?: string } } | null;
  if (!answer.ok) throw new Error(body?.error?.message ?? 'Cette lecture a échoué. Réessayez.');
  return body as T;
}
