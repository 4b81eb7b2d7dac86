import { ApiError, type ApiRefusal, refusalOf } from '#app/_ui/api-error.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

export type JournalAnswer = { generations: GenerationView[]; nextCursor: string | null };

const LOST: ApiRefusal = {
  code: 'network',
  message:
    'La connexion a été perdue avant la réponse. Rien de ce que vous avez saisi n’est perdu\u00a0: vérifiez votre réseau, puis réessayez.',
};

/** Calls our own API. Throws `ApiError` with the French sentence of the refusal or of the network failure. */
export async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { Accept: 'application/json', ...init.headers } });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, LOST);
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  throw refusalOf(response, body, 'Une erreur interne est survenue\u00a0: rien n’a été débité.');
}

/** Sends a JSON body. Throws as `call` does. */
export function post<T>(path: string, body: unknown, init: RequestInit = {}): Promise<T> {
  return call<T>(path, {
    ...init,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...init.headers },
    body: JSON.stringify(body),
  });
}

export const readRow = (id: string, signal?: AbortSignal) =>
  call<GenerationView>(`/api/generations/${id}`, signal ? { signal } : {});

/**
 * Whether the session or the permission is gone, so that every further request would be refused. A page of another account is reported by the frame
 * instead.
 */
export const isOut = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (error.status === 401 || error.status === 403) &&
  error.refusal.detail !== 'other-account';

/** Called when a list can no longer be kept up to date, with the reason, and with null once it can again. */
export type OnStopped = (error: ApiError | null) => void;
