import { describe, expect, it } from 'vitest';
import { closeGeneration } from '#lib/studio/closing/close-generation.ts';
import { storeFiles } from '#lib/studio/closing/store-files.ts';
import { readRow } from '#lib/studio/generation/find-generation.ts';
import type { Generation } from '#lib/studio/generation/generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 4 });
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
/** A box that players pass over: the same clip in other bytes, as a provider that encodes at each read gives it. */
const FREE_BOX = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')]);

/** A video that is ready, and its clip as two reads of it were given. */
async function ready(scene: StudioScene) {
  const { row } = await submitGeneration(scene.ctx, { request: request(VIDEO) });
  scene.clock.advance(60_000);
  const open = (await readRow(scene.ctx, row.id)) as Generation;
  const status = await scene.ctx.studio.providers.video.status({
    operation: JSON.parse(open.providerOperation ?? 'null'),
    modelId: open.modelId ?? '',
  });
  if (status.outcome !== 'completed' || status.file.kind !== 'bytes') throw new Error(status.outcome);
  const { bytes } = status.file;
  const fileOf = (content: Uint8Array) => ({ name: 'video.mp4', bytes: content, contentType: 'video/mp4' });
  return { row: open, first: fileOf(bytes), second: fileOf(Buffer.concat([bytes, FREE_BOX])) };
}

describe('a file that two closers were given in other bytes', () => {
  it('is the one that was written first, for both, with its own ETag and size', async () => {
    const scene = await studioScene(service);
    const { row, first, second } = await ready(scene);
    const [written] = await storeFiles(scene.store, row, [first]);
    const [found] = await storeFiles(scene.store, row, [second]);
    const lying = await scene.store.head(written?.pathname ?? '');
    expect(lying).toMatchObject({ etag: written?.etag, bytes: written?.bytes });
    expect(found).toMatchObject({ pathname: written?.pathname, etag: lying?.etag, bytes: lying?.bytes });
    expect(found?.durationMs).toBeGreaterThan(0);
    expect(await storeFiles(scene.store, row, [first])).toEqual([written]);
  });

  it('lasts in its row as long as the bytes that lie there, whatever the other answer was', async () => {
    const scene = await studioScene(service);
    const { row, first, second } = await ready(scene);
    await storeFiles(scene.store, row, [first]);
    const { row: closed } = await closeGeneration(scene.ctx, {
      row,
      closedBy: 'webhook',
      ending: {
        result: 'delivered',
        files: [{ ...second, durationMs: 60_000 }],
        cost: { formulaMicros: row.heldMicros },
        facts: { durationMs: 60_000 },
      },
    });
    const [lying] = closed.artifacts;
    expect(lying?.durationMs).toBeGreaterThan(0);
    expect(lying?.durationMs).toBeLessThan(60_000);
    expect(closed.params.durationMs).toBe(lying?.durationMs);
  });

  it('has in its row the ETag of the bytes that lie there, whoever closes', async () => {
    const scene = await studioScene(service);
    const { row, first, second } = await ready(scene);
    const close = (file: typeof first, closedBy: 'read' | 'webhook') =>
      closeGeneration(scene.ctx, {
        row,
        closedBy,
        ending: { result: 'delivered', files: [file], cost: { formulaMicros: row.heldMicros } },
      });
    const closed = await Promise.all([close(first, 'read'), close(second, 'webhook')]);
    expect(closed.filter(({ won }) => won)).toHaveLength(1);
    const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: row.id } });
    const lying = await scene.store.head(asset.pathname);
    expect([asset.etag, Number(asset.bytes)]).toEqual([lying?.etag, lying?.bytes]);
    expect(await bookFaults(service)).toEqual([]);
  });
});
