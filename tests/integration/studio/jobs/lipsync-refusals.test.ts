import { describe, expect, it } from 'vitest';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

const ask = async ({ ctx }: StudioScene, body: Record<string, unknown>) =>
  (await submitGeneration(ctx, { request: request(body) })).row;

/** A voice and a face of the journal, and the lipsync that asks for both. */
async function asked(scene: StudioScene) {
  const voice = await ask(scene, {
    kind: 'voice',
    text: 'Bonjour à tous.',
    voiceId: 'Camille0Recorded0001',
  });
  const face = await ask(scene, { kind: 'image', brief: 'Un visage' });
  const body = { kind: 'lipsync', voiceGenerationId: voice.id, character: { generationId: face.id } };
  return { voice, body };
}

describe('a lipsync that the service takes, then refuses', () => {
  it.each<[Scenario, RegExp]>([
    ['input-unreadable', /n’a pas pu lire l’un des fichiers/],
    ['input-too-long', /trop longue pour lui/],
    ['no-face', /pas trouvé de visage/],
    ['video-cancelled', /a refusé cette demande sans la traiter/],
    ['video-failed', /n’a pas livré/],
  ])('« %s » is told as what it is, and nothing is debited', async (scenario, words) => {
    const scene = await studioScene(service, { scenario });
    const { body } = await asked(scene);
    const before = await readWallet(scene.ctx, { memberId: scene.owner.memberId });
    const row = await ask(scene, body);
    expect(row.state).toBe('SUBMITTED');
    scene.clock.advance(60_000);
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'failed', code: 'provider-failure', charge: 'refunded' });
    expect(view.message).toMatch(words);
    expect(view.message).toContain('a été remboursé');
    expect(view.message).not.toContain('règles de contenu');
    const after = await readWallet(scene.ctx, { memberId: scene.owner.memberId });
    expect(after.balanceMicros).toBe(before.balanceMicros);
    expect(await bookFaults(service)).toEqual([]);
  });
});

it('a voice longer than the service takes is refused by its name before anything is held', async () => {
  const scene = await studioScene(service);
  const { voice, body } = await asked(scene);
  const lasting = (ms: number) =>
    service.pool.query(
      `UPDATE "Generation" SET "params" = jsonb_set("params", '{voiceMs}', to_jsonb($2::int)) WHERE "id" = $1`,
      [voice.id, ms],
    );
  await lasting(300_001);
  await expect(ask(scene, body)).rejects.toMatchObject({
    code: 'invalid',
    options: { detail: 'voiceGenerationId', problems: [{ field: 'voiceGenerationId' }] },
  });
  expect(await service.db.generation.count({ where: { kind: 'LIPSYNC', ...scene.owner } })).toBe(0);
  await lasting(300_000);
  expect((await ask(scene, body)).state).toBe('SUBMITTED');
});
