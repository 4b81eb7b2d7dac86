import { expect, it } from 'vitest';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { goOffline, keepUndos } from '../../setup/brain-page.ts';
import { faults } from '../../setup/faults.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { tile, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, founder, visit } = useStudio();
const states = async (seat: Awaited<ReturnType<typeof founder>>) =>
  (
    await seat.ctx.db.asset.findMany({
      where: { accountId: seat.accountId },
      orderBy: { id: 'asc' },
      select: { state: true },
    })
  ).map(({ state }) => state);

it('the queue is in the rail with its count; several rows are rejected with a reason, taken back at once, and a rejected tile says so', async () => {
  const seat = await founder();
  const ids = [await generate(browser.app, seat, IMAGE), await generate(browser.app, seat, IMAGE)] as const;
  const page = await visit(seat, '/journal');
  const queue = page.getByRole('link', { name: /À vérifier/ }).first();
  await queue.getByText('2', { exact: true }).waitFor();
  await queue.click();
  await page.waitForURL('**/journal?review=to-review');
  for (const id of ids) {
    await tile(page, id).getByText('À vérifier').waitFor();
    await tile(page, id).getByRole('checkbox').check();
  }
  await keepUndos(page);
  await page.getByRole('button', { name: 'Rejeter', exact: true }).click();
  const dialog = page.locator('[data-panel]');
  await dialog.getByRole('button', { name: 'Rejeter les fichiers' }).click();
  await dialog.getByText('Dites pourquoi').waitFor();
  await dialog.getByText('Hors charte').click();
  expect(await faults(page, { impacts: 'all' })).toEqual([]);
  await dialog.getByRole('button', { name: 'Rejeter les fichiers' }).click();
  await page.getByRole('heading', { name: 'Tout est vérifié' }).waitFor();
  await expect.poll(() => states(seat)).toEqual(['REJECTED', 'REJECTED']);
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  for (const id of ids) await tile(page, id).getByText('À vérifier').waitFor();
  await expect.poll(() => states(seat)).toEqual(['GENERATED', 'GENERATED']);
  // What was decided and left the queue is not acted on by the next gesture.
  await tile(page, ids[0]).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Approuver', exact: true }).click();
  await tile(page, ids[0]).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Ne plus choisir' }).waitFor({ state: 'detached' });
  await page.waitForFunction(
    (id) => document.activeElement?.closest<HTMLElement>('[data-generation]')?.dataset.generation === id,
    ids[1],
  );
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  await tile(page, ids[0]).waitFor();
  await expect.poll(() => tile(page, ids[0]).getByRole('checkbox').isChecked()).toBe(true);
  await page.goto('/journal');
  await tile(page, ids[0]).hover();
  await tile(page, ids[0])
    .getByRole('button', { name: /Actions sur/ })
    .click();
  await page.getByRole('menuitem', { name: 'Rejeter' }).click();
  await dialog.getByText('Doublon').click();
  await dialog.getByRole('button', { name: 'Rejeter le fichier' }).click();
  await tile(page, ids[0]).getByText('Rejeté', { exact: true }).waitFor();
  await queue.getByText('1', { exact: true }).waitFor();
});

it('an approved file is rejected only after the loss of its approval was said, and the reason stays beside the file', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`);
  await page.getByRole('button', { name: 'Approuver et garder' }).click();
  await page.getByText('approuvé ou livré').waitFor();
  await page.getByRole('button', { name: 'Rejeter', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Rejeter un fichier approuvé' });
  await dialog.getByText('un fichier est supprimé 30 jours après sa création').waitFor();
  // A reason chosen in a cancelled dialog is not kept for the next rejection.
  await dialog.getByText('Doublon').click();
  await dialog.getByRole('button', { name: 'Ne rien changer' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Rejeter', exact: true }).click();
  await dialog.waitFor();
  expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0);
  // A text above the limit is reported while it is typed, and refused beside its field.
  await dialog.getByLabel(/Précision/).fill('x'.repeat(401));
  await dialog.getByText('401 / 400').waitFor();
  await dialog.getByRole('button', { name: 'Rejeter le fichier' }).click();
  await dialog.getByText('Écrivez au plus 400 caractères.').waitFor();
  await dialog.getByLabel(/Précision/).fill('La mèche est floue');
  await dialog.getByRole('button', { name: 'Rejeter le fichier' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('La mèche est floue').waitFor();
  await expect.poll(() => states(seat)).toEqual(['REJECTED']);
});

it('the reason of a rejection whose answer was lost is there again, however its dialog was left, until the file is rejected', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`);
  const held = Promise.withResolvers<void>();
  await page.route(`**/journal/${id}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await held.promise;
    await route.abort();
  });
  const dialog = page.getByRole('dialog', { name: 'Rejeter ce fichier' });
  const open = () => page.getByRole('button', { name: 'Rejeter', exact: true }).click();
  const reject = dialog.getByRole('button', { name: 'Rejeter le fichier' });
  const written = dialog.getByLabel(/Précision/);
  const isThere = async () => {
    await expect.poll(() => written.inputValue()).toBe('La mèche est floue');
    expect(await dialog.getByRole('radio', { name: 'Hors charte' }).isChecked()).toBe(true);
  };
  await open();
  await dialog.getByText('Hors charte').click();
  await written.fill('La mèche est floue');
  await reject.click();
  // The dialog is closed before the answer, which is lost.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  held.resolve();
  await page.getByText('La connexion a été perdue').first().waitFor();
  await open();
  await isThere();
  // The dialog is closed after the answer was lost, and the page is reloaded.
  await reject.click();
  await dialog.getByText('En cours…').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Ne rien changer' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.unrouteAll();
  await page.reload();
  await open();
  await isThere();
  await reject.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('La mèche est floue').waitFor();
  await expect.poll(() => states(seat)).toEqual(['REJECTED']);
  // Decided, it is no reason of the next one.
  await page.getByRole('button', { name: 'Approuver et garder' }).click();
  await page.getByText('approuvé ou livré').waitFor();
  await open();
  const again = page.getByRole('dialog', { name: 'Rejeter un fichier approuvé' });
  expect(await again.getByLabel(/Précision/).inputValue()).toBe('');
  browser.forgetErrors();
});

it('several rows are downloaded as one zip, and their files go to the bin unless it is taken back', async () => {
  const seat = await founder();
  const ids = [await generate(browser.app, seat, IMAGE), await generate(browser.app, seat, IMAGE)] as const;
  const page = await visit(seat, '/journal');
  const live = () => seat.ctx.db.asset.count({ where: { accountId: seat.accountId, deletedAt: null } });
  for (const id of ids) await tile(page, id).getByRole('checkbox').check();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Télécharger' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^atelier-.*\.zip$/);
  await keepUndos(page);
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click();
  const deleted = page.locator(`[data-generation="${ids[0]}"][data-status="deleted"]`);
  await deleted.waitFor();
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  await deleted.waitFor({ state: 'detached' });
  await expect.poll(live).toBe(2);
  await tile(page, ids[0]).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await page.getByText('d’une génération sont dans la corbeille').waitFor();
  await deleted.getByText('Dans la corbeille jusqu’au').waitFor();
  await expect.poll(live).toBe(1);
});

it('chosen rows that have no file left are not sent to a download that fails: the page says so', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, '/journal');
  await tile(page, id).getByRole('checkbox').check();
  // Another member deletes the files meanwhile.
  await deleteGenerationFiles(seat.ctx, { generationId: id });
  await page.getByRole('link', { name: 'Télécharger' }).click();
  await page.getByText('Il ne reste aucun fichier de ces générations').first().waitFor();
  // What the browser notes of the refused request.
  browser.forgetErrors();
});

it('an undo says what it could not give back: files that were erased meanwhile are not shown as restored', async () => {
  const seat = await founder();
  const ids = [await generate(browser.app, seat, IMAGE), await generate(browser.app, seat, IMAGE)] as const;
  const page = await visit(seat, '/journal');
  for (const id of ids) await tile(page, id).getByRole('checkbox').check();
  await keepUndos(page);
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click();
  const deleted = (id: string) => page.locator(`[data-generation="${id}"][data-status="deleted"]`);
  for (const id of ids) await deleted(id).waitFor();
  // The state after « Effacer maintenant ».
  await seat.ctx.db.asset.updateMany({ where: { generationId: ids[1] }, data: { binnedBy: null } });
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  await page.getByText('Les fichiers d’une génération sur 2 sont rétablis').first().waitFor();
  await deleted(ids[0]).waitFor({ state: 'detached' });
  expect(await deleted(ids[1]).count()).toBe(1);
});

it('a decision of more than ten minutes ago is not said to be taken back', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, '/journal');
  await tile(page, id).getByText('À vérifier').waitFor();
  await tile(page, id).getByRole('checkbox').check();
  await keepUndos(page);
  await page.getByRole('button', { name: 'Approuver', exact: true }).click();
  const undo = page.getByRole('button', { name: 'Annuler' }).first();
  await undo.waitFor();
  const reviewedAt = new Date(Date.now() - 660_000);
  await seat.ctx.db.asset.updateMany({ where: { generationId: id }, data: { reviewedAt } });
  await undo.click();
  await page.getByText('la décision date de plus de dix minutes').waitFor();
  await expect.poll(() => states(seat)).toEqual(['APPROVED']);
});

it('without network the page stays: a lost decision is not shown as made, and what is searched or filtered waits for it', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, '/journal?review=to-review');
  await tile(page, id).getByText('À vérifier').waitFor();
  await page.keyboard.press('j');
  await goOffline(page);
  await page.keyboard.press('a');
  await page.getByText('La connexion a été perdue').first().waitFor();
  await tile(page, id).getByText('À vérifier').waitFor();
  const search = page.getByRole('searchbox', { name: 'Chercher dans les demandes' });
  await search.fill('bougie');
  await page.getByText('Vous ouvrirez «\u00a0À vérifier\u00a0» quand il sera revenu').waitFor();
  expect(await search.inputValue()).toBe('bougie');
  await expect.poll(() => states(seat)).toEqual(['GENERATED']);
  // Another filter, pressed meanwhile, waits with it and takes nothing from it.
  await page.getByRole('link', { name: 'Image', exact: true }).click();
  expect(new URL(page.url()).search).toBe('?review=to-review');
  await page.context().setOffline(false);
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('bougie');
  await expect.poll(() => new URL(page.url()).searchParams.get('kind')).toBe('image');
  await tile(page, id).getByText('À vérifier').waitFor();
  browser.forgetErrors();
});

it('what was decided elsewhere since the page was read is not decided over: by a key or a button it is refused in words, and the page shows what stands', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const { id: assetId } = await seat.ctx.db.asset.findFirstOrThrow({ where: { generationId: id } });
  const list = await visit(seat, '/journal');
  // A toast appears twice: on the screen, and in the live region.
  const said = (page: typeof list) =>
    page
      .getByText(/Ce fichier a été rejeté \(par vous, le .*\) entre-temps/)
      .first()
      .waitFor();
  await tile(list, id).getByText('À vérifier').waitFor();
  const alone = await visit(seat, `/journal/${id}`);
  await alone.getByRole('button', { name: 'Approuver et garder' }).waitFor();
  await reviewAsset(seat.ctx, { assetId, review: 'reject', reason: 'Hors charte' });
  await list.keyboard.press('j');
  await list.keyboard.press('a');
  await said(list);
  await tile(list, id).getByText('Rejeté', { exact: true }).waitFor();
  await alone.getByRole('button', { name: 'Approuver et garder' }).click();
  await said(alone);
  await alone.getByText('Hors charte').waitFor();
  await expect.poll(() => states(seat)).toEqual(['REJECTED']);
  // What it shows now is decided over.
  await alone.getByRole('button', { name: 'Approuver et garder' }).click();
  await expect.poll(() => states(seat)).toEqual(['APPROVED']);
});
