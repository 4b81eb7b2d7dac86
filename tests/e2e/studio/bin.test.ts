import { expect, it } from 'vitest';
import { deleteAvatar, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { deleteConcept } from '#lib/storage/assets/concepts.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import { addAsset } from '#tests/factories/files/files.ts';
import { faults } from '../setup/faults.ts';
import { openFilesOf } from '../setup/scenes/files.ts';
import { generate, IMAGE } from '../setup/scenes/studio.ts';
import { overflow, tile, useStudio } from '../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();

it('files, an avatar and a concept wait in the bin, come back one or all, and are erased by a founder alone', async () => {
  const seat = await founder();
  const files = await openFilesOf(browser.app, seat);
  try {
    const { ctx } = files.scene;
    const file = await addAsset(files.scene);
    const face = await addAsset(files.scene);
    const generationId = file.generationId ?? '';
    const avatar = await saveAvatar(ctx, { assetId: face.id, name: 'Agnès' });
    const concepts = [
      await addConcept(ctx, { productId: 'libre', name: 'Nuit claire' }),
      await addConcept(ctx, { productId: 'libre', name: 'Matin' }),
    ];
    await deleteGenerationFiles(ctx, { generationId });
    await deleteAvatar(ctx, { avatarId: avatar.id });
    for (const { id } of concepts) await deleteConcept(ctx, { conceptId: id });
    const page = await visit(seat, '/corbeille');
    await page.getByText('1 fichier supprimé, 1 avatar supprimé, 2 concepts supprimés').waitFor();
    expect(await faults(page)).toEqual([]);
    const line = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    await line('Matin').getByRole('button', { name: 'Effacer maintenant' }).click();
    await page.getByRole('button', { name: 'Effacer pour toujours' }).click();
    await page.getByText('Effacé pour toujours').waitFor();
    await line('Matin').waitFor({ state: 'detached' });
    expect(await seat.ctx.db.concept.count({ where: { accountId: seat.accountId } })).toBe(1);
    await page.getByRole('button', { name: 'Rétablir «\u00a0Agnès\u00a0»' }).click();
    await page.getByText('Avatar rétabli').waitFor();
    await line('Agnès').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Tout rétablir' }).click();
    await page.locator('[data-panel]').getByRole('button', { name: 'Tout rétablir' }).click();
    await page.getByText('La corbeille est vide').waitFor();
    const { accountId } = seat;
    expect(await seat.ctx.db.asset.count({ where: { accountId, deletedAt: null } })).toBe(2);
    expect(await seat.ctx.db.concept.count({ where: { accountId, deletedAt: null } })).toBe(1);
  } finally {
    await files.close();
  }
  // The scene's files have no bytes in the store.
  browser.forgetErrors();
});

it('a row whose files are in the bin says until when, and gives them back from its page and from its tile', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`, { viewport: { width: 390, height: 844 } });
  const remove = async () => {
    await page.getByRole('button', { name: 'Supprimer le fichier' }).click();
    await page.locator('[data-panel]').getByRole('button', { name: 'Supprimer le fichier' }).click();
    await page.getByText('Le fichier attend dans la').waitFor();
  };
  await remove();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Rétablir' }).click();
  await page.getByText('Fichier rétabli', { exact: true }).waitFor();
  // The message stands five seconds, and the page may take longer to be read again.
  const said = page.getByText('Fichier mis à la corbeille. La ligne et son coût restent.').first();
  await Promise.all([said.waitFor(), remove()]);
  await page.goto('/journal');
  const row = tile(page, id);
  await row.getByText('Dans la corbeille jusqu’au').waitFor();
  await row.getByRole('button', { name: /^Actions sur/ }).click();
  await page.getByRole('menuitem', { name: 'Rétablir de la corbeille' }).click();
  await page.locator(`[data-generation="${id}"][data-status="done"]`).waitFor();
  expect(await seat.ctx.db.asset.count({ where: { accountId: seat.accountId, deletedAt: null } })).toBe(1);
});

it('a member who may not generate sees of the bin what is theirs to see', async () => {
  const seat = await founder();
  await deleteGenerationFiles(seat.ctx, { generationId: await generate(browser.app, seat, IMAGE) });
  const page = await visit(seat, '/corbeille?type=fichiers');
  await page
    .getByRole('button', { name: /^Rétablir/ })
    .first()
    .waitFor();
  await seat.ctx.db.member.update({
    where: { id: seat.ctx.actor.memberId },
    data: { role: 'MEMBER', permissions: [] },
  });
  await page.goto('/corbeille');
  await page.getByText('La corbeille est vide').waitFor();
  expect(await page.getByRole('button', { name: /Rétablir|Effacer/ }).count()).toBe(0);
});
