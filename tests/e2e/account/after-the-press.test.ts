import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { registerProject, updateProject } from '#lib/brain/projects/register-project.ts';
import { goOffline, panel, toastsReady, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';
import { focused, holdReadings, isFirst, markDocument } from '../setup/scenes/readings.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

it('an export of the audit is one line of the audit, not two', async () => {
  const seat = await scenes.seat();
  const page = await visit(browser, seat, '/audit');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Exporter en CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
  expect(await file.failure()).toBeNull();
  const made = { accountId: seat.accountId, action: 'audit.exported' };
  expect(await scenes.reached.db.auditEntry.count({ where: made })).toBe(1);
});

it('an invitation that is answered without network stays on the page', async () => {
  const [host, seat] = [await scenes.seat({ name: 'Maison Hôte' }), await scenes.seat()];
  await scenes.invite(host, seat);
  const page = await visit(browser, seat, '/invitations');
  await markDocument(page);
  await goOffline(page);
  await page.getByRole('button', { name: 'Rejoindre Maison Hôte' }).click();
  await page.getByText('La connexion a été perdue').first().waitFor();
  await page.waitForTimeout(1_000);
  expect(await isFirst(page)).toBe(true);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Rejoindre Maison Hôte' }).click();
  await page.waitForURL(/\/espaces$/);
  // What the page asked for without network may fail late.
  browser.forgetErrors();
});

it('who signs out on « Invitations » leaves nothing in this tab of what they typed', async () => {
  const seat = await scenes.seat();
  const page = await visit(browser, seat, '/invitations');
  await page.evaluate(() => sessionStorage.setItem('brouillon:mbr_a:mem_1', '{"body":"Un début."}'));
  // The page must be hydrated, so that its own script handles the press.
  await toastsReady(page);
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await page.waitForURL(/\/connexion/);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('brouillon:mbr_a:mem_1'))).toBe(null);
});

it('exporting, closing and reopening an account move the focus on from the button that disappears', async () => {
  const seat = await scenes.seat({ name: 'Maison Close' });
  const page = await visit(browser, seat, '/equipe/compte');
  const hasFocus = async () => {
    await page.locator('[data-panel]').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^(BUTTON|MAIN)$/);
  };
  await page.getByRole('button', { name: 'Exporter le compte' }).click();
  await panel(page).getByRole('button', { name: 'Préparer l’export' }).click();
  await page
    .locator('main')
    .getByText(/^Export (en préparation|prêt)/)
    .first()
    .waitFor();
  await hasFocus();
  await page.getByRole('button', { name: 'Fermer le compte' }).click();
  await panel(page)
    .getByLabel(/^Pour confirmer, tapez/)
    .fill('Maison Close');
  await panel(page).getByRole('button', { name: 'Fermer le compte' }).click();
  await page.getByText(/^Ce compte est fermé depuis/).waitFor();
  await hasFocus();
  await page.getByRole('button', { name: 'Rouvrir' }).click();
  await page.getByRole('button', { name: 'Rouvrir le compte' }).click();
  await page.getByRole('button', { name: 'Fermer le compte' }).waitFor();
  await hasFocus();
});

it('the audit of a member who was removed says whose it is, and the filter can be taken away', async () => {
  const seat = await scenes.seat();
  const { memberId } = (await scenes.colleague(seat, ['brain.write'])).ctx.actor;
  await scenes.reached.db.member.update({
    where: { id: memberId },
    data: { status: 'REMOVED', personId: null, email: null, invitationEndsAt: null },
  });
  const page = await visit(browser, seat, `/audit?membre=${memberId}`);
  expect(await page.getByLabel('Membre').inputValue()).toBe(memberId);
  const chips = page.getByRole('list', { name: 'Filtres actifs' });
  await chips.getByText('Inès Roy (membre retiré)').click();
  await chips.waitFor({ state: 'detached' });
  await page.goto(`/audit?membre=mbr_${'0'.repeat(26)}`);
  await chips.getByText('Un membre qui n’est plus là').waitFor();
});

/** Whether an element is within the height of the viewport. */
const isInSight = (what: Locator) =>
  what.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });

it('on a phone, what refuses a long form is in sight: beside the boxes it is about, or above them all', async () => {
  const seat = await scenes.seat();
  const page = await visit(browser, seat, '/developpeurs', { viewport: { width: 390, height: 640 } });
  await page.getByRole('button', { name: 'Créer une clé' }).first().click();
  const dialog = panel(page);
  await dialog.getByLabel('Nom', { exact: true }).fill('Site');
  const ticked = dialog.locator('input[name=scopes]:checked');
  while ((await ticked.count()) > 0) await ticked.first().uncheck();
  await dialog.getByRole('button', { name: 'Créer la clé' }).click();
  const refused = dialog.getByText('Cochez au moins un droit.');
  await refused.waitFor();
  await dialog.locator('input[name=scopes]:focus').waitFor();
  await expect.poll(() => isInSight(refused)).toBe(true);

  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Créer la clé' }).click();
  const lost = dialog.getByRole('alert');
  await lost.getByText('La connexion a été perdue').waitFor();
  await expect.poll(() => isInSight(lost)).toBe(true);
  // Requests made while offline may fail after the test, so the page is closed first.
  await page.close();
  browser.forgetErrors();
});

it('a cap that was typed for a key is still there once the right to generate was given up and given again', async () => {
  const page = await visit(browser, await scenes.seat(), '/developpeurs');
  await page.getByRole('button', { name: 'Créer une clé' }).first().click();
  const dialog = panel(page);
  const generates = dialog.locator('input[name=scopes][value="studio:generate"]');
  const cap = dialog.getByLabel('Plafond par mois, en $US');
  await generates.check();
  await cap.fill('12,5');
  await generates.uncheck();
  await cap.waitFor({ state: 'hidden' });
  await generates.check();
  expect(await cap.inputValue()).toBe('12,5');
});

it('a project keeps the name that a colleague gave it while its form was open: only what was typed is sent', async () => {
  const seat = await scenes.seat();
  const { accountId } = seat;
  const made = { accountId, name: 'Boutique', websiteUrl: 'https://boutique.exemple.fr' };
  const { id: projectId } = await registerProject(seat.ctx, made);
  const page = await visit(browser, seat, '/projets');
  await page.getByRole('button', { name: /^Modifier/ }).click();
  const site = panel(page).getByLabel('Site', { exact: true });
  await site.fill('https://neuf.exemple.fr');
  await updateProject(seat.ctx, { accountId, projectId, name: 'Nom du collègue' });
  await panel(page).getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Projet modifié').waitFor();
  expect(await scenes.reached.db.project.findUniqueOrThrow({ where: { id: projectId } })).toMatchObject({
    name: 'Nom du collègue',
    websiteUrl: 'https://neuf.exemple.fr',
  });
});

it('one’s own name that a founder has changed meanwhile stays, and what was typed too; saved twice in a row it is no conflict', async () => {
  const seat = await scenes.seat();
  const where = { id: seat.ctx.actor.memberId };
  const stored = async () => (await scenes.reached.db.member.findUniqueOrThrow({ where })).name;
  const page = await visit(browser, seat, '/compte');
  const name = page.getByLabel('Nom', { exact: true });
  const save = page.getByRole('button', { name: 'Enregistrer', exact: true });
  for (const typed of ['Camille A.', 'Camille Aubry']) {
    await name.fill(typed);
    await save.click();
    await page.locator(`input[name=shown][value*="${typed}"]`).waitFor({ state: 'attached' });
    expect(await stored()).toBe(typed);
  }
  await scenes.reached.db.member.update({ where, data: { name: 'Camille Martin' } });
  await name.fill('Camille M.');
  await save.click();
  await page.getByText('Votre nom a été modifié entre-temps').first().waitFor();
  expect(await name.inputValue()).toBe('Camille M.');
  expect(await stored()).toBe('Camille Martin');
  await page.reload();
  expect(await name.inputValue()).toBe('Camille Martin');
});

it('a Space that was renamed is offered by its new name at once, before any other reading: renamed twice in a row it is no conflict', async () => {
  const seat = await scenes.seat();
  const where = { id: await scenes.space(seat, 'Premier nom') };
  const page = await visit(browser, seat, `/espaces/${where.id}`);
  const readings = await holdReadings(page, `**/espaces/${where.id}**`);
  const name = panel(page).getByLabel('Nom', { exact: true });
  for (const [before, after] of [
    ['Premier nom', 'Deuxième nom'],
    ['Deuxième nom', 'Troisième nom'],
  ] as const) {
    await page.getByRole('button', { name: 'Actions de l’espace' }).click();
    await page.getByRole('menuitem', { name: 'Renommer, site web' }).click();
    expect(await name.inputValue()).toBe(before);
    await name.fill(after);
    await panel(page).getByRole('button', { name: 'Enregistrer', exact: true }).click();
    await panel(page).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: after }).waitFor();
  }
  readings.letGo();
  expect((await seat.ctx.db.space.findUniqueOrThrow({ where })).name).toBe('Troisième nom');
});

it('a Space that is brought back leaves the focus on the next one, or on its page', async () => {
  const seat = await scenes.seat();
  const ids: string[] = [];
  for (const name of ['Premier', 'Second', 'Troisième']) ids.push(await scenes.space(seat, name));
  await scenes.reached.db.space.updateMany({ where: { id: { in: ids } }, data: { archivedAt: new Date() } });
  const page = await visit(browser, seat, '/espaces');
  const bring = (name: string) => page.getByRole('button', { name: `Réactiver «\u00a0${name}\u00a0»` });
  await page.getByText('3 espaces archivés').click();
  // First without an active Space on the page, then with one.
  for (const [name, next, left] of [
    ['Premier', 'Second', '2 espaces archivés'],
    ['Second', 'Troisième', '1 espace archivé'],
  ] as const) {
    await bring(name).click();
    await page.getByText(left, { exact: true }).waitFor();
    await bring(name).waitFor({ state: 'detached' });
    await bring(next).and(page.locator(':focus')).waitFor();
  }
  await page.goto(`/espaces/${ids[2]}`);
  await bring('Troisième').click();
  await page.getByText('Cet espace est archivé').waitFor({ state: 'detached' });
  await bring('Troisième').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('MAIN');
});

it('the theme that the menu gives is the one that the account page shows as chosen, and the other way round; signing out forgets what the tab kept', async () => {
  const page = await visit(browser, await scenes.seat(), '/compte');
  const chosen = (theme: string) => page.locator(`main input[name=theme][value=${theme}]`).isChecked();
  await expect.poll(() => chosen('system')).toBe(true);
  await page.getByRole('button', { name: 'mon menu' }).click();
  await page.getByRole('menuitemradio', { name: 'Thème sombre' }).click();
  await expect.poll(() => chosen('dark')).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.locator('main label').filter({ hasText: 'Clair' }).click();
  await expect.poll(() => chosen('light')).toBe(true);
  await page.getByRole('button', { name: 'mon menu' }).click();
  await page.getByRole('menuitemradio', { name: 'Thème clair', checked: true }).waitFor();
  await page.evaluate(() => sessionStorage.setItem('brouillon:mbr_1:mem_1', '{}'));
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
  await page.waitForURL(/\/connexion$/);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('brouillon:mbr_1:mem_1'))).toBeNull();
});
