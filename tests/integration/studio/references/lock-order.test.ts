import { expect, it } from 'vitest';
import { findOwnFiles } from '#lib/studio/references/find-files.ts';
import { addAsset, addUpload, filesScene } from '#tests/factories/files/files.ts';
import { takenInOrder } from '#tests/factories/statements/taken-in-order.ts';
import { studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 6 });

it.each([
  ['Asset', addAsset],
  ['Upload', addUpload],
] as const)('references of a request (%s) are touched in the order of identifiers', async (table, add) => {
  const scene = await filesScene(service);
  const { studio } = (await studioScene(service)).ctx;
  // In the table, and by date, the other way round.
  const last = await add(scene, { ageDays: 1 });
  const first = await add(scene, { ageDays: 2 });
  const named = { ids: [last.id], pathnames: [first.pathname] };
  const found = await takenInOrder(service, { table, ids: [first.id, last.id] }, () =>
    findOwnFiles({ ...scene.ctx, studio }, named),
  );
  expect(found.map(({ id }) => id).sort()).toEqual([first.id, last.id]);
});
