import { describe, expect, it } from 'vitest';
import type { MemberActor } from '#lib/core/actor.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros } from '#lib/providers/models/pricing.ts';
import type { VoiceResult } from '#lib/providers/ports.ts';
import { readCaptions } from '#lib/studio/journal/read-captions.ts';
import { viewGeneration } from '#lib/studio/journal/view.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const TEXT = 'Maison Lumen vous salue. À bientôt.';
const VOICE = { kind: 'voice' as const, text: TEXT, voiceId: 'Camille0Recorded0001' };

/** The scene of an account, its voice said through a provider that may be bent. */
async function say(body: object, bend: (result: VoiceResult) => VoiceResult = (result) => result) {
  const scene = await studioScene(service);
  const { providers } = scene.ctx.studio;
  const sent: string[] = [];
  const synthesize: typeof providers.voice.synthesize = async (asked, options) => {
    sent.push(asked.text);
    const result = await providers.voice.synthesize(asked, options);
    return result.outcome === 'success' ? bend(result) : result;
  };
  const ctx = scene.with({ providers: { ...providers, voice: { ...providers.voice, synthesize } } });
  const { row } = await submitGeneration(ctx, { request: request({ ...VOICE, ...body }) });
  return { scene, row, sent };
}

describe('the captions of a voice', () => {
  it('are its words at the provider’s times, in both forms; the answer says where they are and not the times', async () => {
    const { scene, row } = await say({});
    const view = viewGeneration(row, scene.clock.now(), {}, new Map());
    expect(view.captions).toEqual({
      srt: `/api/generations/${row.id}/captions?format=srt`,
      vtt: `/api/generations/${row.id}/captions?format=vtt`,
    });
    expect(view.params).not.toHaveProperty('alignment');
    const srt = await readCaptions(scene.ctx, { generationId: row.id, format: 'srt' });
    expect(srt).toEqual({
      name: `sous-titres-${row.id}.srt`,
      text:
        '1\r\n00:00:00,000 --> 00:00:01,600\r\nMaison Lumen vous salue.\r\n\r\n' +
        '2\r\n00:00:01,666 --> 00:00:02,333\r\nÀ bientôt.\r\n',
    });
    const vtt = await readCaptions(scene.ctx, { generationId: row.id, format: 'vtt' });
    expect(vtt.text).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /);
  });

  it('are another account’s business, and a missing row’s answer; of an image or a voice without times there are none', async () => {
    const { row } = await say({});
    const other = await say({}, ({ alignment: _, ...result }) => result);
    expect(other.row).toMatchObject({ state: 'COMPLETED' });
    for (const generationId of [row.id, 'gen_00000000000000000000000000', other.row.id])
      await expect(readCaptions(other.scene.ctx, { generationId, format: 'srt' })).rejects.toMatchObject({
        code: 'not_found',
      });
    expect(viewGeneration(other.row, other.scene.clock.now(), {}, new Map()).captions).toBeNull();
  });

  it('are none when the times are of other words: the voice is delivered and settled all the same', async () => {
    const { row } = await say({}, (result) => ({
      ...result,
      alignment: { characters: ['x'], startsMs: [0], endsMs: [100] },
    }));
    expect(row).toMatchObject({
      state: 'COMPLETED',
      costMicros: estimateMicros('voice', { characters: TEXT.length }),
    });
    expect(row.params.alignment).toBeUndefined();
  });
});

describe('a brand’s pronunciations', () => {
  it('are sent, held and billed as they sound; the row and its captions keep what was written', async () => {
    const scene = await studioScene(service);
    const now = scene.clock.now();
    await service.db.account.create({
      data: { id: DEMO_ACCOUNT_ID, name: 'Maison Lumen', createdAt: now, updatedAt: now },
    });
    const member = await makeMember(service, DEMO_ACCOUNT_ID, { now });
    const ctx = { ...scene.ctx, actor: memberActor(member) as MemberActor };
    await giveCredit(ctx, member.id, 100_000_000n);
    const { row } = await submitGeneration(ctx, {
      request: request({ ...VOICE, productId: 'lumen-parfums' }),
    });
    const spoken = TEXT.replace('Lumen', 'Lumène');
    expect(row.params).toMatchObject({ prompt: spoken, brief: TEXT, settings: { pronunciations: 1 } });
    expect(row.heldMicros).toBe(estimateMicros('voice', { characters: spoken.length }));
    expect(row.costMicros).toBe(row.heldMicros);
    // And where the provider does not say what it counted.
    const { providers } = ctx.studio;
    const synthesize: typeof providers.voice.synthesize = async (...asked) => {
      const result = await providers.voice.synthesize(...asked);
      if (result.outcome === 'failed') return result;
      const { billedCharacters: _, ...uncounted } = result;
      return uncounted;
    };
    const silent = { ...providers, voice: { ...providers.voice, synthesize } };
    const { row: alike } = await submitGeneration(
      { ...ctx, studio: { ...ctx.studio, providers: silent } },
      { request: request({ ...VOICE, productId: 'lumen-parfums' }) },
    );
    expect(alike).toMatchObject({ costMicros: row.heldMicros, params: { costSource: 'formula' } });
    const { text } = await readCaptions(ctx, { generationId: row.id, format: 'vtt' });
    expect(text).toContain('Maison Lumen vous salue.');
    // What is sent is what is limited: one that fits as it is written may not as it sounds.
    const most = modelFor('voice').limits.textCharacters ?? 0;
    const long = { ...VOICE, text: 'Lumen '.padEnd(most, 'a') };
    await expect(
      submitGeneration(ctx, { request: request({ ...long, productId: 'lumen-parfums' }) }),
    ).rejects.toMatchObject({ code: 'voice-length', options: { problems: [{ field: 'text' }] } });
  });
});
