import { describe, expect, test } from 'vitest';
import { json, liveProviders, PNG, scriptedNetwork } from '../calls.ts';

describe('what the gateway says that a request cost', () => {
  const asked = (data: object) => {
    const network = scriptedNetwork(json({ data: { total_cost: 0.03, ...data } }));
    return liveProviders(network.fetch).cost.cost('gen_1');
  };

  test.each([
    ['what was debited', { gateway_cost: 0.031 }, { costMicros: 31_000n, ownKey: false }],
    ['the total, when no debit is told', {}, { costMicros: 30_000n, ownKey: false }],
    [
      'with a key of ours at the provider: its price there, and the gateway’s own',
      { is_byok: true, gateway_cost: 0.001, upstream_inference_cost: 0.04 },
      { costMicros: 41_000n, ownKey: true },
    ],
    [
      'nothing, with a key of ours whose price there is not told',
      { is_byok: true, gateway_cost: 0, total_cost: 0 },
      { costMicros: 0n, ownKey: true },
    ],
  ])('is %s', async (_, data, expected) => {
    expect(await asked(data)).toMatchObject({ outcome: 'success', ...expected });
  });

  test('of another generation is none of the one that was asked about', async () => {
    expect(await asked({ id: 'gen_1' })).toMatchObject({ outcome: 'success', costMicros: 30_000n });
    expect(await asked({ id: 'gen_2' })).toMatchObject({ outcome: 'failed', reason: 'bad-answer' });
  });
});

describe('what an answer of the gateway says of its price', () => {
  const own = { credentialType: 'byok', success: true };
  const failed = { credentialType: 'byok', success: false };
  const system = { credentialType: 'system', success: true };
  test.each<[string, object | undefined, boolean]>([
    ['says nothing of its way', undefined, true],
    ['was served by the gateway’s own key', { modelAttempts: [{ providerAttempts: [system] }] }, true],
    ['fell back on the gateway’s own key', { modelAttempts: [{ providerAttempts: [failed, system] }] }, true],
    ['has a way that cannot be read', { attempts: [7], modelAttempts: 'none' }, true],
    ['was served by a key of ours', { modelAttempts: [null, { providerAttempts: [own] }] }, false],
    ['was served by a key of ours, as older ones say it', { attempts: [failed, own] }, false],
  ])('is its price, where it %s: %j, %s', async (_, routing, isPrice) => {
    const gateway = { generationId: 'gen_1', cost: '0.0001', ...(routing ? { routing } : {}) };
    const answer = { images: [PNG.toString('base64')], providerMetadata: { gateway } };
    const { image: images } = liveProviders(scriptedNetwork(json(answer)).fetch);
    const made = await images.generate({ case: 'image-fast', prompt: 'Un vase', aspectRatio: '1:1' });
    expect(made).toMatchObject({ outcome: 'success', gatewayGenerationId: 'gen_1' });
    expect('costMicros' in made ? made.costMicros : null).toBe(isPrice ? 100n : null);
  });
});
