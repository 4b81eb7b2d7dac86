import { call, post } from '#app/_studio/journal/api.ts';
import { ApiError, type ApiRefusal } from '#app/_ui/api-error.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

/** A request and how many generations of it. */
export type Body = { request: Record<string, unknown>; variants: number };

export const readBody = (body: string) => JSON.parse(body) as Body;

/** Sends a request under its key; gives its rows. */
export async function ask(key: string, { request, variants }: Body): Promise<GenerationView[]> {
  const headers = { 'Idempotency-Key': key };
  if (variants === 1) return [await post<GenerationView>('/api/generations', request, { headers })];
  const several = { request, variants };
  return (await post<{ generations: GenerationView[] }>('/api/generations/variants', several, { headers }))
    .generations;
}

/** The rows that a request made under its key, if it arrived. */
export async function findAsked(key: string): Promise<GenerationView[]> {
  return (await call<{ generations: GenerationView[] }>(`/api/generations/variants?key=${key}`)).generations;
}

/** Whether something of these rows was paid, or will be: whatever became of its files since. */
export const isPaid = (rows: readonly Pick<GenerationView, 'status' | 'charge'>[]) =>
  rows.some(({ status, charge }) => status === 'running' || status === 'done' || charge === 'settled');

/** No answer, or one given before the key is looked at: neither says what became of an earlier press. */
const BEFORE_THE_KEY = [0, 401, 403, 408, 429];
/** Faults of ours, a database that went away included: the row may be written, and its provider paid. A conflict: it is. */
const OUR_FAULTS = ['internal-error', 'unavailable', 'idempotency_conflict'];

/** Whether an error leaves unknown what became of the request: no answer, or one that knows nothing of it. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  const { status, refusal } = error;
  if (refusal.subject?.startsWith('gen_')) return false;
  return BEFORE_THE_KEY.includes(status) || OUR_FAULTS.includes(refusal.code);
}

export const UNREADABLE: ApiRefusal = {
  code: 'network',
  message: 'La réponse n’a pas pu être lue. Réessayez\u00a0: la même demande n’est jamais payée deux fois.',
};

export const NEVER_ARRIVED: ApiRefusal = {
  code: 'network',
  message: 'Cette demande n’est pas arrivée au service\u00a0: rien n’a été débité.',
};
