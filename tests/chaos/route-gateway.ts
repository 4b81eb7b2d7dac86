/**
 * Preloaded into a server under chaos: what it sends to the AI Gateway reaches the run's own provider (outside.ts), with the name of the
 * instance that sent it. The adapter, its transport and its retries are the live ones.
 */
const { CHAOS_OUTSIDE = '', CHAOS_INSTANCE = '' } = process.env;
const GATEWAY = 'https://ai-gateway.vercel.sh';
const real = globalThis.fetch;

globalThis.fetch = (input, init) => {
  if (typeof input !== 'string' || !input.startsWith(`${GATEWAY}/`)) return real(input, init);
  const headers = new Headers(init?.headers);
  headers.set('x-chaos-instance', CHAOS_INSTANCE);
  return real(CHAOS_OUTSIDE + input.slice(GATEWAY.length), { ...init, headers });
};
