import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, START, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function asked(creditMicros: bigint, { signedAt = '2026-01-05', at: hour = START } = {}) {
  const scene = await studioScene(service, { creditMicros });
  scene.clock.set(hour);
  const document = createId('upload');
  const at = scene.clock.now();
  await service.db.upload.create({
    data: {
      ...scene.owner,
      id: document,
      productId: 'libre',
      kind: 'IMAGE',
      pathname: `references/libre/${scene.owner.accountId}/${document}.png`,
      contentType: 'image/png',
      bytes: 1_000n,
      via: 'server',
      createdAt: at,
      touchedAt: at,
    },
  });
  const consent = { personName: 'Ada Martin', signedAt, document };
  const said = { kind: 'voice', text: 'Bonjour', voiceId: 'Paul0000Recorded0006', consent };
  return { scene, submitted: submitGeneration(scene.ctx, { request: request(said) }) };
}

it('a consent is written with the row that it allows, and not by a request that the wallet refuses', async () => {
  const refused = await asked(1n);
  await expect(refused.submitted).rejects.toMatchObject({ code: 'balance' });
  expect(await service.db.consent.count()).toBe(0);
  expect(await service.db.generation.findFirstOrThrow()).toMatchObject({
    state: 'CANCELLED',
    consentId: null,
  });
  const { row } = await (await asked(1_000_000n)).submitted;
  expect(await service.db.consent.findFirstOrThrow()).toMatchObject({ id: row.consentId });
  expect(await bookFaults(service)).toEqual([]);
});

it('a consent is signed by today, wherever the member’s day has begun: one of a later day is refused', async () => {
  // Half past midnight in Paris.
  const at = '2026-11-10T23:30:00Z';
  const { row } = await (await asked(1_000_000n, { at, signedAt: '2026-11-11' })).submitted;
  expect(row.state).toBe('COMPLETED');
  const later = await asked(1_000_000n, { at, signedAt: '2026-11-12' });
  await expect(later.submitted).rejects.toMatchObject({ code: 'invalid', options: { detail: 'consent' } });
});
