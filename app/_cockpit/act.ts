'use client';
import { unstable_rethrow } from 'next/navigation';
import { ApiError, refusalOf } from '#app/_ui/api-error.ts';
import { lostWords } from '#app/_ui/lost-words.ts';
import { toast } from '#app/_ui/toast.ts';
import type { ActionState } from '#lib/http/actions/action-state.ts';

type Refused = Extract<ActionState, { status: 'refused' }>;

/** Awaits a server action called without a form; a lost network counts as a refusal. Null if the action leads to another page. */
export async function answerOf<Data>(call: Promise<ActionState<Data>>): Promise<ActionState<Data> | null> {
  try {
    return await call;
  } catch (error) {
    try {
      unstable_rethrow(error);
    } catch {
      return null;
    }
    return { status: 'refused', message: lostWords(error) };
  }
}

/** Shows a refusal in a toast, with the identifier of the request. `title`: for a sentence that needs a title. */
export function sayRefusal(refused: Refused, title?: string): void {
  const sentence = refused.problems?.[0]?.message ?? refused.message;
  toast({
    title: title ?? sentence,
    ...(title ? { description: sentence } : {}),
    tone: 'fail',
    requestId: refused.requestId,
  });
}

/**
 * Awaits a server action called without a form and returns its answer. If it was refused or lost, a toast says why and the result is null: the caller
 * leaves everything as it was.
 */
export async function act<Data>(
  call: Promise<ActionState<Data>>,
): Promise<{ data?: Data; message?: string } | null> {
  const state = await answerOf(call);
  if (state?.status === 'done') return state;
  if (state?.status === 'refused') sayRefusal(state);
  return null;
}

/** Reads JSON from one of our routes. Throws `ApiError` for a refusal or a lost network. */
export async function readJson<T>(address: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(address, { credentials: 'same-origin', ...init }).catch(() => {
    throw new ApiError(0, { code: 'network', message: lostWords() });
  });
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw refusalOf(answer, body, 'Cette lecture a échoué. Réessayez.');
  return body as T;
}
