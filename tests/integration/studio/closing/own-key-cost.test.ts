import { describe, expect, it } from 'vitest';
import type { GatewayCharge } from '#lib/providers/ports.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

const BYOK = { gatewayGenerationId: 'gen_byok' };

/** An image paid with the operator's own key at its provider: the answer says 0, the gateway's account of it may say more. */
async function paidWithOwnKey(upstreamMicros: bigint, id: { gatewayGenerationId?: string } = BYOK) {
  const scene = await studioScene(service);
  const { image, ...others } = scene.ctx.studio.providers;
  const asked: (string | undefined)[] = [];
  const ctx = scene.with({
    providers: {
      ...others,
      image: {
        generate: async (sent, options) => {
          asked.push(options?.accountId);
          const answer = await image.generate(sent, options);
          if (answer.outcome !== 'success') return answer;
          const { gatewayGenerationId: _, ...rest } = answer;
          return { ...rest, costMicros: 0n, ...id };
        },
      },
      cost: { cost: async () => ({ outcome: 'success', costMicros: upstreamMicros, ownKey: true }) },
    },
  });
  const { row } = await submitGeneration(ctx, { request: request(IMAGE) });
  return { row, asked, scene };
}

describe('a generation paid with a key of the operator’s at the provider', () => {
  it('costs what the provider bills there, not the 0 of its answer; the gateway is told whose it is', async () => {
    const { row, asked, scene } = await paidWithOwnKey(31_500n);
    expect(row).toMatchObject({ state: 'COMPLETED', costMicros: 31_500n, params: { costSource: 'gateway' } });
    expect(asked).toEqual([scene.owner.accountId]);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('costs the formula where that price is not told', async () => {
    const { row } = await paidWithOwnKey(0n);
    expect(row).toMatchObject({ state: 'COMPLETED', costMicros: 30_000n, params: { costSource: 'formula' } });
  });

  it('costs the formula where the answer names no generation to ask about', async () => {
    const { row, scene } = await paidWithOwnKey(31_500n, {});
    expect(row).toMatchObject({ state: 'COMPLETED', costMicros: 30_000n, params: { costSource: 'formula' } });
    expect(row.gatewayGenerationId).toBeNull();
    expect(await bookFaults(service)).toEqual([]);
    expect(scene.lines.filter(({ event }) => event === 'generation.close_failed')).toEqual([]);
  });
});

describe('a video whose last answer names no generation', () => {
  it('costs what the gateway says of the one that its start named', async () => {
    const scene = await studioScene(service);
    const { video, ...others } = scene.ctx.studio.providers;
    const asked: string[] = [];
    const ctx = scene.with({
      providers: {
        ...others,
        video: {
          ...video,
          status: async (job, options) => {
            const answer = await video.status(job, options);
            if (answer.outcome !== 'completed') return answer;
            const { gatewayGenerationId: _id, costMicros: _cost, ...rest } = answer;
            return rest;
          },
        },
        cost: {
          cost: async (id) => {
            asked.push(id);
            return { outcome: 'success', costMicros: 312_000n, ownKey: false };
          },
        },
      },
    });
    const body = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
    const { row } = await submitGeneration(ctx, { request: request(body) });
    scene.clock.advance(60_000);
    const view = await getGeneration(ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', costUsd: 0.312, params: { costSource: 'gateway' } });
    expect(asked).toEqual([row.gatewayGenerationId]);
    expect(await bookFaults(service)).toEqual([]);
  });
});

describe('a pictogram whose gateway tells no price', () => {
  /** What the gateway answered, without its price nor the generation to ask about. */
  const unpriced = <T extends object>(answer: T) => {
    const { costMicros: _, gatewayGenerationId: __, ...rest } = answer as T & GatewayCharge;
    return rest as T;
  };

  it('is said to be counted when both sides were: one of which a single side was is settled by the formula', async () => {
    const scene = await studioScene(service);
    const { vector, ...others } = scene.ctx.studio.providers;
    const drawn = async (usage: { inputTokens?: number; outputTokens?: number }) => {
      const generate: typeof vector.generate = async (...asked) => {
        const answer = await vector.generate(...asked);
        return answer.outcome === 'success' ? { ...unpriced(answer), usage } : answer;
      };
      const ctx = scene.with({ providers: { ...others, vector: { generate } } });
      const asked = request({ kind: 'vector', brief: 'Une flamme' });
      return (await submitGeneration(ctx, { request: asked })).row.params.costSource;
    };
    expect(await drawn({ inputTokens: 100, outputTokens: 100 })).toBe('usage');
    expect(await drawn({ outputTokens: 100 })).toBe('formula');
  });
});
