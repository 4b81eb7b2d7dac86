import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { restoreBinned } from '#lib/storage/bin/restore-binned.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { request, START, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** A scene, and a request for a voice with a signed consent whose document lies in it. */
async function asking(creditMicros: bigint, { signedAt = '2026-01-05', at: hour = START } = {}) {
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
  return { scene, document, request: request(said) };
}

async function asked(...given: Parameters<typeof asking>) {
  const { scene, request: wanted } = await asking(...given);
  return { scene, submitted: submitGeneration(scene.ctx, { request: wanted }) };
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

it('the document of a consent that goes to the bin before the row is born is refused as one that is not there, and may be restored', async () => {
  const { scene, document, request: wanted } = await asking(1_000_000n);
  const consents = await service.db.consent.count();
  const { accountId } = scene.owner;
  let isDeleted = false;
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ label }) {
      // Everything was checked: the row is about to be written with its consent.
      if (label !== 'begin' || isDeleted) return;
      isDeleted = true;
      await deleteUpload(scene.ctx, { uploadId: document });
    },
  });
  const submit = () => submitGeneration({ ...scene.ctx, kysely }, { request: wanted });
  await expect(submit()).rejects.toMatchObject({
    code: 'invalid',
    options: { detail: 'consent', problems: [{ field: 'consent.document' }] },
  });
  expect(isDeleted).toBe(true);
  expect(await service.db.consent.count()).toBe(consents);
  expect(await service.db.generation.count({ where: { accountId } })).toBe(0);
  await restoreBinned(scene.ctx, { kind: 'upload', id: document });
  expect((await submit()).row.state).toBe('COMPLETED');
  expect(await bookFaults(service)).toEqual([]);
});

it('the document of a consent that is being written waits for no bin: who deletes it meanwhile is told that the consent keeps it', async () => {
  const { scene, document, request: wanted } = await asking(1_000_000n);
  let deleted: Promise<unknown> = Promise.resolve();
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ label }) {
      if (label === 'studio.consent')
        deleted = deleteUpload(scene.ctx, { uploadId: document }).catch((error: unknown) => error);
      // The row is written once the deletion has either gone through or waited.
      if (label === 'studio.create') await Promise.race([deleted, untilBlocked(service)]);
    },
  });
  const { row } = await submitGeneration({ ...scene.ctx, kysely }, { request: wanted });
  expect(row.state).toBe('COMPLETED');
  expect(await deleted).toMatchObject({ code: 'conflict', options: { detail: 'consent' } });
  expect(await service.db.upload.findUniqueOrThrow({ where: { id: document } })).toMatchObject({
    deletedAt: null,
    binnedBy: null,
  });
});

it('a consent is signed by today, wherever the member’s day has begun: one of a later day is refused', async () => {
  // Half past midnight in Paris.
  const at = '2026-11-10T23:30:00Z';
  const { row } = await (await asked(1_000_000n, { at, signedAt: '2026-11-11' })).submitted;
  expect(row.state).toBe('COMPLETED');
  const later = await asked(1_000_000n, { at, signedAt: '2026-11-12' });
  await expect(later.submitted).rejects.toMatchObject({ code: 'invalid', options: { detail: 'consent' } });
});
