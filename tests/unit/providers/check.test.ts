import { expect, test } from 'vitest';
import { checkProviders } from '#lib/providers/wiring/check-providers.ts';
import { json, SECRETS, scriptedNetwork } from './calls.ts';

const KEYS = {
  AI_GATEWAY_API_KEY: SECRETS.gateway,
  ELEVENLABS_API_KEY: SECRETS.elevenlabs,
  LIPSYNC_API_KEY: SECRETS.lipsync,
  SERVICE_RENDER_DISPATCH_TOKEN: SECRETS.github,
  SERVICE_RENDER_REPOSITORY: 'atelier/renders',
};
const sleep = () => Promise.resolve();

test('without a key nothing is sent, and each service says so by the name of what it lacks', async () => {
  const network = scriptedNetwork(json({}));
  const checked = await checkProviders({}, { fetch: network.fetch, sleep });
  expect(network.sent).toEqual([]);
  expect(checked.map(({ said }) => said)).toEqual(Array(4).fill('no-key'));
  expect(checked[0]?.missing).toEqual(['AI_GATEWAY_API_KEY']);
});

test('with keys each service is read once, never asked to make anything; what is not found was looked for', async () => {
  const network = scriptedNetwork(json({ error: { message: 'not found' } }, 404));
  const checked = await checkProviders(KEYS, { fetch: network.fetch, sleep });
  expect(checked.map(({ said }) => said)).toEqual(Array(4).fill('answers'));
  expect(network.sent.map(({ method }) => method)).toEqual(Array(4).fill('GET'));
  expect(new Set(network.sent.map(({ url }) => new URL(url).hostname))).toEqual(
    new Set(['ai-gateway.vercel.sh', 'api.elevenlabs.io', 'api.sync.so', 'api.github.com']),
  );
});

test('a key that is refused is told by its reason, and no key in the answer', async () => {
  const network = scriptedNetwork(json({ error: { message: `no ${SECRETS.gateway}` } }, 401));
  const checked = await checkProviders(KEYS, { fetch: network.fetch, sleep });
  expect(checked.map(({ said }) => said)).toEqual(Array(4).fill('unauthorized'));
  expect(JSON.stringify(checked)).not.toContain('0123456789');
});
