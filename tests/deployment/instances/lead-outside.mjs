// Preloaded into a server of the tree, copied beside it: what it sends to the AI Gateway and to subscribers reaches the test's own (outside.ts),
// which have no public address. Adapters, signatures and marks are the live ones; it imports nothing, since the server's user may read the tree alone.
const { ATELIER_OUTSIDE = '', ATELIER_INSTANCE = '' } = process.env;
const GATEWAY = 'https://ai-gateway.vercel.sh';
const real = globalThis.fetch;

globalThis.fetch = (input, init) =>
  typeof input === 'string' && input.startsWith(`${GATEWAY}/`)
    ? real(`${ATELIER_OUTSIDE}/gateway${input.slice(GATEWAY.length)}`, init)
    : real(input, init);

// Under the lease of an event, above its five seconds: on a busy machine a slow answer is no second sending.
const PATIENCE_MS = 30_000;

globalThis.atelierWebhookPost = async (address, { headers, body }) => {
  const answer = await real(`${ATELIER_OUTSIDE}/subscriber${new URL(address).pathname}`, {
    method: 'POST',
    headers: { ...headers, 'x-instance': ATELIER_INSTANCE },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await answer.arrayBuffer();
  return { status: answer.status };
};
