import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { TooManyBytes } from '#lib/core/net/read-capped.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** A scene with one picture of its journal, and what asks for another made of a reference. */
async function withPicture() {
  const scene = await studioScene(service);
  const { row } = await submitGeneration(scene.ctx, { request: request(IMAGE) });
  const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: row.id } });
  const ask = (ref: string, ctx = scene.ctx) =>
    submitGeneration(ctx, { request: request({ ...IMAGE, references: [ref] }) });
  return { scene, asset, ask };
}

it('a face that was forgotten is read no more under its own name, and its file still is', async () => {
  const { scene, asset, ask } = await withPicture();
  const { id: assetId, pathname } = asset;
  const id = createId('avatar');
  const createdAt = scene.clock.now();
  await service.db.avatar.create({
    data: { id, ...scene.owner, productId: 'libre', assetId, name: 'Agnès', pathname, createdAt },
  });
  expect((await ask(id)).outcome).toBe('delivered');
  await service.db.avatar.update({ where: { id }, data: { deletedAt: createdAt } });
  await expect(ask(id)).rejects.toMatchObject({
    code: 'reference-refused',
    options: { detail: 'not-found', subject: id },
  });
  expect((await ask(assetId)).outcome).toBe('delivered');
});

it('a stored image is read up to 8 MB, and a larger one is refused as too large', async () => {
  const { scene, asset, ask } = await withPicture();
  const { store } = scene;
  const limits: number[] = [];
  const read: typeof store.read = async (_, { maxBytes }) => {
    limits.push(maxBytes);
    throw new TooManyBytes(maxBytes);
  };
  await expect(ask(asset.id, scene.with({ store: { ...store, read } }))).rejects.toMatchObject({
    code: 'reference-refused',
    options: { detail: 'too-large', subject: asset.id },
  });
  expect(limits).toEqual([8 * 1024 * 1024]);
});
