import { describe, expect, it } from 'vitest';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function sweepAt({ ctx, clock }: StudioScene, minutes: number) {
  clock.advance(minutes * 60_000);
  return sweepGenerations({ ...ctx, actor: { type: 'system', job: 'generations-sweep' } });
}

it.each([
  ['its image', 'success', { reason: 'step-failed', costUsd: 0.03 }],
  ['an answer that is none', 'bad-answer', { reason: 'step-failed' }],
] as const)(
  'a request that comes back with %s once the sweep has given it up stays refunded, and the loss is audited',
  async (_, scenario, loss) => {
    const scene = await studioScene(service, { scenario });
    const { providers } = scene.ctx.studio;
    const generate: typeof providers.image.generate = async (...asked) => {
      const answer = await providers.image.generate(...asked);
      expect(await sweepAt(scene, 15)).toMatchObject({ reconciled: 1 });
      return answer;
    };
    const ctx = scene.with({ providers: { ...providers, image: { generate } } });
    const { row } = await submitGeneration(ctx, { request: request(IMAGE) });
    expect(row).toMatchObject({
      state: 'FAILED',
      code: 'internal-error',
      closedBy: 'sweep',
      costMicros: null,
    });
    const told = await service.db.auditEntry.findMany({
      where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
    });
    expect(told.map(({ data }) => data)).toEqual([loss]);
    expect(await bookFaults(service)).toEqual([]);
  },
);

describe('a file that a dead request left in the store', () => {
  const VOICE = { kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' };
  const measures = (id: string) =>
    service.db.asset.findFirstOrThrow({
      where: { generationId: id },
      select: { id: true, width: true, height: true, durationMs: true },
    });

  it.each([
    ['an image', IMAGE, ['studio.close', 'studio.defer', 'ledger.close']],
    [
      'a pictogram',
      { kind: 'vector', brief: 'Une feuille' },
      ['studio.close', 'studio.defer', 'ledger.close'],
    ],
    ['a voice', VOICE, ['studio.close', 'studio.defer', 'ledger.close']],
    ['a voice that was debited', VOICE, ['studio.close', 'studio.defer']],
  ])(
    'is measured again: %s has the size and duration that it was delivered with',
    async (_, body, faults) => {
      const whole = await studioScene(service);
      const { row: usual } = await submitGeneration(whole.ctx, { request: request(body) });
      const scene = await studioScene(service);
      await submitGeneration(broken(service, scene, faults), { request: request(body) }).catch(
        () => undefined,
      );
      await sweepAt(scene, 15);
      const row = await service.db.generation.findFirstOrThrow({ where: { memberId: scene.owner.memberId } });
      const { id: _found, ...recovered } = await measures(row.id);
      const { id: _delivered, ...delivered } = await measures(usual.id);
      expect(recovered).toEqual(delivered);
      expect((row.params as { voiceMs?: number }).voiceMs).toBe(usual.params.voiceMs);
    },
  );

  it('lends its voice to a lipsync at its price; a voice of unknown duration is refused by name', async () => {
    const scene = await studioScene(service);
    await submitGeneration(broken(service, scene, ['studio.close', 'studio.defer']), {
      request: request(VOICE),
    });
    await sweepAt(scene, 15);
    const voice = await service.db.generation.findFirstOrThrow({ where: { memberId: scene.owner.memberId } });
    const face = await submitGeneration(scene.ctx, { request: request(IMAGE) });
    const { id: character } = await measures(face.row.id);
    const ask = request({ kind: 'lipsync', voiceGenerationId: voice.id, character });
    const { row } = await submitGeneration(scene.ctx, { request: ask });
    expect(row.state).toBe('SUBMITTED');
    expect(row.heldMicros).toBeGreaterThan(0n);
    await service.pool.query(
      `UPDATE "Generation" SET "params" = "params" - 'voiceMs', "artifacts" = "artifacts" #- '{0,durationMs}' WHERE "id" = $1`,
      [voice.id],
    );
    await expect(submitGeneration(scene.ctx, { request: ask })).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'voiceGenerationId', problems: [{ field: 'voiceGenerationId' }] },
    });
  });
});
