import { call, post } from '#app/_studio/journal/api.ts';
import { ApiError, type ApiRefusal } from '#app/_ui/api-error.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

/** A request and the number of its generations. */
export type Body = { request: Record<string, unknown>; variants: number };

export const readBody = (body: string) => JSON.parse(body) as Body;

/** Sends a request under its idempotency key, and returns its generations. Throws `ApiError`. */
export async function ask(key: string, { request, variants }: Body): Promise<GenerationView[]> {
  const headers = { 'Idempotency-Key': key };
  if (variants === 1) return [await post<GenerationView>('/api/generations', request, { headers })];
  const several = { request, variants };
  return (await post<{ generations: GenerationView[] }>('/api/generations/variants', several, { headers }))
    .generations;
}

/** The generations that were made under a key; none if the request did not arrive. Throws `ApiError`. */
export async function findAsked(key: string): Promise<GenerationView[]> {
  return (await call<{ generations: GenerationView[] }>(`/api/generations/variants?key=${key}`)).generations;
}

/** Whether any of these generations was or will be paid, whatever became of its files. */
export const isPaid = (rows: readonly Pick<GenerationView, 'status' | 'charge'>[]) =>
  rows.some(({ status, charge }) => status === 'running' || status === 'done' || charge === 'settled');

/** No answer (0), or one given before the key is read: neither says what became of an earlier sending. */
const BEFORE_THE_KEY = [0, 401, 403, 408, 429];
/** Faults of the service, such as a lost database: the generation may exist, and its provider be paid. A conflict means that it exists. */
const OUR_FAULTS = ['internal-error', 'unavailable', 'idempotency_conflict'];

/** Whether an error leaves the outcome of the request unknown. */
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
