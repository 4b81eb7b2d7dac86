import { expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { checkPrices, checkProviders } from '#lib/providers/wiring/check-providers.ts';
import { recordedServices } from '#lib/providers/wiring/create-providers.ts';
import { json, NOON, SECRETS, scriptedNetwork } from './calls.ts';

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

test('with keys each service is read once, never asked to make anything; what is asked about nothing is not found, and its key is taken', async () => {
  const network = scriptedNetwork(json({ error: { message: 'not found' } }, 404));
  const checked = await checkProviders(KEYS, { fetch: network.fetch, sleep });
  expect(Object.fromEntries(checked.map(({ service, said }) => [service, said]))).toEqual({
    gateway: 'answers',
    lipsync: 'answers',
    // Asked for what every account has, so that « not found » is no answer.
    elevenlabs: 'not-found',
    // GitHub also says this of a repository that the token may not see.
    github: 'not-found',
  });
  expect(network.sent.map(({ method }) => method)).toEqual(Array(4).fill('GET'));
  expect(new Set(network.sent.map(({ url }) => new URL(url).hostname))).toEqual(
    new Set(['ai-gateway.vercel.sh', 'api.elevenlabs.io', 'api.sync.so', 'api.github.com']),
  );
});

test('GitHub answers once it shows the workflow itself: a token that may not see the repository is told as not found', async () => {
  const asked = async (answer: ReturnType<typeof json>) => {
    const network = scriptedNetwork(answer);
    const keys = { ...KEYS, AI_GATEWAY_API_KEY: '', ELEVENLABS_API_KEY: '', LIPSYNC_API_KEY: '' };
    const checked = await checkProviders(keys, { fetch: network.fetch, sleep });
    expect(network.sent.map(({ method, url }) => [method, url])).toEqual([
      ['GET', 'https://api.github.com/repos/atelier/renders/actions/workflows/atelier-render.yml'],
    ]);
    return checked.find(({ service }) => service === 'github')?.said;
  };
  expect(
    await asked(json({ id: 161335, path: '.github/workflows/atelier-render.yml', state: 'active' })),
  ).toBe('answers');
  expect(await asked(json({ message: 'Not Found', status: '404' }, 404))).toBe('not-found');
  expect(await asked(json({ hello: 'there' }))).toBe('bad-answer');
});

test('a key that is refused is told by its reason, and no key in the answer', async () => {
  const network = scriptedNetwork(json({ error: { message: `no ${SECRETS.gateway}` } }, 401));
  const checked = await checkProviders(KEYS, { fetch: network.fetch, sleep });
  expect(checked.map(({ said }) => said)).toEqual(Array(4).fill('unauthorized'));
  expect(JSON.stringify(checked)).not.toContain('0123456789');
});

test('prices that the gateway lists are set beside the table: what is the same, what differs, what it does not say', async () => {
  const compared = await checkPrices(KEYS, { fetch: recordedServices(() => manualClock(NOON).now()), sleep });
  if (compared?.outcome !== 'compared') throw new Error('not compared');
  const said = new Map(compared.prices.map(({ modelId, what, ...price }) => [`${modelId} ${what}`, price]));
  expect(said.get('anthropic/claude-sonnet-5 input')).toMatchObject({
    said: 'same',
    listedMicros: 2_000_000n,
  });
  expect(said.get('klingai/kling-v3.0-t2v 1080p silent')).toMatchObject({
    said: 'same',
    listedMicros: 112_000n,
  });
  expect(said.get('klingai/kling-v3.0-i2v 1080p')).toMatchObject({
    case: 'cinematic',
    said: 'differs',
    oursMicros: 168_000n,
    listedMicros: 180_000n,
  });
  expect(said.get('klingai/kling-v3.0-i2v 720p silent')).toMatchObject({
    said: 'no-price',
    listedMicros: null,
  });
  expect(said.get('bfl/flux-2-pro image')).toMatchObject({ said: 'no-price' });
  expect(said.get('bytedance/seedance-2.5 with a clip')).toMatchObject({ said: 'same' });
  expect(said.get('amazon/nova-reel-v1.1 720p')).toMatchObject({ said: 'no-model' });
  expect(said.get('google/gemini-omni-flash-preview 720p')).toMatchObject({ said: 'no-price' });
});

test('without the gateway’s key no list is read; a list that cannot be read costs the comparison alone, no key sent for it', async () => {
  expect(checkPrices({})).toBeNull();
  const network = scriptedNetwork(json({ hello: 'there' }));
  expect(await checkPrices(KEYS, { fetch: network.fetch, sleep })).toMatchObject({ reason: 'bad-answer' });
  expect(network.sent.length).toBeGreaterThan(0);
  expect(network.sent.filter(({ headers }) => headers.authorization)).toEqual([]);
});
