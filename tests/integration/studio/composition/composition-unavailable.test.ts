import { expect, it, vi } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

// A machine on which the native library does not load.
vi.mock('sharp', () => {
  throw new Error('cannot open shared object file');
});

const service = useTestService();

it('a composition is refused before any row or call where the library does not load: nothing is held', async () => {
  const { ctx, owner, with: withPorts } = await studioScene(service);
  const { providers } = ctx.studio;
  let calls = 0;
  const generate: typeof providers.image.generate = (...given) => {
    calls += 1;
    return providers.image.generate(...given);
  };
  const watched = withPorts({ providers: { ...providers, image: { generate } } });
  const composition = { product: createId('upload'), mask: createId('upload') };
  await expect(
    submitGeneration(watched, { request: request({ ...IMAGE, composition }) }),
  ).rejects.toMatchObject({ code: 'composition-unavailable', status: 503 });
  expect(calls).toBe(0);
  const { memberId } = owner;
  expect(await service.db.generation.count({ where: { memberId } })).toBe(0);
  expect(await service.db.ledgerLine.count({ where: { memberId, kind: 'RESERVE' } })).toBe(0);
});
