import { describe, expect, it } from 'vitest';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { generationRequest } from '#lib/studio/request.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function made(scene: StudioScene, body: Record<string, unknown> = IMAGE): Promise<string> {
  return (await submitGeneration(scene.ctx, { request: request(body) })).row.id;
}

const asks = (scene: StudioScene, body: Record<string, unknown>) =>
  submitGeneration(scene.ctx, { request: request(body) });
const rows = () => service.db.generation.count();

describe('a file of the journal, by its row and its place', () => {
  it('is read as a reference, kept with its pathname, held for retention, and can be asked again', async () => {
    const scene = await studioScene(service);
    const generationId = await made(scene);
    const asset = await service.db.asset.findFirstOrThrow({ where: { generationId } });
    const body = { ...IMAGE, brief: 'La même, le soir', references: [{ generationId, file: 0 }] };
    const { row, outcome } = await asks(scene, body);
    expect(outcome).toBe('delivered');
    expect(row.references.roles?.images).toMatchObject([
      { ref: `${generationId}#0`, pathname: asset.pathname },
    ]);
    expect((await service.db.asset.findFirstOrThrow({ where: { generationId } })).usedAt).not.toBeNull();
    // What the row keeps of its request is a request.
    const again = await submitGeneration(scene.ctx, {
      request: generationRequest.parse(row.params.request),
    });
    expect(again.row.references).toEqual(row.references);
  });

  it('serves where a video starts, and in the fields of a template', async () => {
    const scene = await studioScene(service);
    const generationId = await made(scene);
    const video = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
    const last = await made(scene, { ...IMAGE, brief: 'La même, le soir' });
    const { row } = await asks(scene, {
      ...video,
      startImage: { generationId },
      endImage: { generationId: last },
    });
    expect(row.references.roles?.startImage?.ref).toBe(`${generationId}#0`);
    expect(row.references.roles?.endImage?.ref).toBe(`${last}#0`);
    const parsed = generationRequest.parse({
      kind: 'render',
      template: 'product-card',
      size: 'square',
      fields: { photo: { generationId, file: 0 }, title: 'Bougie', lines: [{ image: { generationId } }] },
    });
    expect(parsed).toMatchObject({
      fields: { photo: `${generationId}#0`, title: 'Bougie', lines: [{ image: `${generationId}#0` }] },
    });
  });

  it.each([
    ['a place that the row has not', (id: string) => ({ generationId: id, file: 7 })],
    ['a row that is not', () => ({ generationId: 'gen_00000000000000000000000000', file: 0 })],
  ])('refuses %s before any row or reserve', async (_, reference) => {
    const scene = await studioScene(service);
    const id = await made(scene);
    const before = await rows();
    await expect(asks(scene, { ...IMAGE, references: [reference(id)] })).rejects.toMatchObject({
      code: 'reference-refused',
      options: { detail: 'not-found' },
    });
    expect(await rows()).toBe(before);
  });

  it('refuses the file of another account as one that is not', async () => {
    const generationId = await made(await studioScene(service));
    const stranger = await studioScene(service);
    await expect(asks(stranger, { ...IMAGE, references: [{ generationId }] })).rejects.toMatchObject({
      code: 'reference-refused',
      options: { detail: 'not-found', subject: `${generationId}#0` },
    });
  });

  it('refuses a file that was deleted, a sound where an image goes, and what is no place', async () => {
    const scene = await studioScene(service);
    const generationId = await made(scene);
    await deleteGenerationFiles(scene.ctx, { generationId });
    await expect(asks(scene, { ...IMAGE, references: [{ generationId }] })).rejects.toMatchObject({
      options: { detail: 'not-found' },
    });
    const voiceId = 'Camille0Recorded0001';
    const voice = await made(scene, { kind: 'voice', text: 'Bonjour à tous, et bienvenue.', voiceId });
    await expect(asks(scene, { ...IMAGE, references: [{ generationId: voice }] })).rejects.toMatchObject({
      code: 'reference-refused',
    });
    for (const file of [-1, 1.5, '0', 100])
      expect(generationRequest.safeParse({ ...IMAGE, references: [{ generationId, file }] }).success).toBe(
        false,
      );
  });
});
