import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { reseat, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

describe('some Spaces', () => {
  it('are given on « Équipe », by a dialog whose buttons stay in sight, and are all that their member then sees', async () => {
    const seat = await scenes.seat();
    const opened = await scenes.space(seat, 'Espace ouvert');
    const closed = await scenes.space(seat, 'Espace fermé');
    await scenes.memory(seat, opened, { title: 'Visible' });
    const archived = await scenes.space(seat, 'Espace archivé');
    await scenes.reached.db.space.update({ where: { id: archived }, data: { archivedAt: new Date() } });
    const member = await scenes.colleague(seat, ['brain.write']);
    await scenes.reached.db.member.update({
      where: { id: member.ctx.actor.memberId },
      data: { status: 'ACTIVE' },
    });
    const page = await visit(browser, seat, '/equipe', { viewport: { width: 1440, height: 700 } });
    const row = page.getByRole('row').filter({ hasText: 'Inès Roy' });
    await row.getByRole('button', { name: 'Modifier' }).click();
    const dialog = page.locator('[data-panel]');
    // The fields are higher than the dialog: they scroll, and the buttons stay visible.
    const save = dialog.getByRole('button', { name: 'Enregistrer' });
    await save.waitFor();
    const [scrolled = 1, hidden = 0] = await dialog
      .locator('> .overflow-y-auto')
      .evaluate((one) => [one.scrollTop, one.scrollHeight - one.clientHeight]);
    expect(scrolled).toBe(0);
    expect(hidden).toBeGreaterThan(0);
    const [foot, edge] = [await save.boundingBox(), await dialog.boundingBox()];
    expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual((edge?.y ?? 0) + (edge?.height ?? 0));
    await dialog.getByRole('radio', { name: 'Certains' }).check({ force: true });
    await dialog.getByLabel('Accès à l’espace Espace ouvert').selectOption('read');
    expect(await faults(page)).toEqual([]);
    await save.click();
    await page.getByText('Membre modifié').waitFor();
    await row.getByText('1 espace').waitFor();
    // A member may still have rights on a Space that was archived afterwards.
    await scenes.reached.db.member.update({
      where: { id: member.ctx.actor.memberId },
      data: { spaceRights: { [opened]: 'read', [archived]: 'read' } },
    });

    await reseat(browser, page, member);
    await page.goto('/espaces');
    await page.getByText('Espace ouvert').first().waitFor();
    expect(await page.getByText('Espace fermé').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Créer un espace' }).count()).toBe(0);
    await page.getByText('1 espace archivé').click();
    await page.getByRole('link', { name: 'Espace archivé' }).waitFor();
    expect(await page.getByRole('button', { name: 'Réactiver' }).count()).toBe(0);
    await page.goto(`/espaces/${opened}`);
    await page.getByText('Vous pouvez lire cet espace sans le modifier.').waitFor();
    await page.goto(`/espaces/${closed}`);
    await page.getByText('Cette page n’existe pas, ou n’existe plus').waitFor();
    // A member without any Space is told so, and whom to ask.
    await scenes.reached.db.member.update({
      where: { id: member.ctx.actor.memberId },
      data: { spaceRights: {} },
    });
    await page.goto('/espaces');
    await page.getByText('Aucun espace actif ne vous est ouvert').waitFor();
    await page.getByText('Demandez-en l’accès à').waitFor();
    await page.goto('/contexte');
    await page.getByText('Aucun espace actif ne vous est ouvert').waitFor();
    browser.forgetErrors();
  });

  it('stay chosen while « Fondateur » is tried: the invitation gives them, and not all', async () => {
    const seat = await scenes.seat();
    const opened = await scenes.space(seat, 'Espace ouvert');
    await scenes.space(seat, 'Espace fermé');
    const page = await visit(browser, seat, '/equipe?inviter');
    const dialog = page.locator('[data-panel]');
    await dialog.getByLabel('Adresse e-mail').fill(`lina-${Date.now()}@exemple.test`);
    await dialog.getByLabel('Nom', { exact: true }).fill('Lina Roy');
    await dialog.getByRole('radio', { name: 'Certains' }).check({ force: true });
    await dialog.getByLabel('Accès à l’espace Espace ouvert').selectOption('read');
    await dialog.getByRole('radio', { name: 'Fondateur' }).check({ force: true });
    await dialog.getByRole('radio', { name: 'Membre' }).check({ force: true });
    expect(await faults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click();
    await page.getByText(/^Invitation envoyée à/).waitFor();
    const { spaceRights } = await scenes.reached.db.member.findFirstOrThrow({
      where: { accountId: seat.accountId, status: 'INVITED' },
    });
    expect(spaceRights).toEqual({ [opened]: 'read' });
  });

  it('that another founder set meanwhile stay: a form that was opened before is refused, and begins with them once opened anew', async () => {
    const seat = await scenes.seat();
    const opened = await scenes.space(seat, 'Espace ouvert');
    const member = await scenes.colleague(seat, ['brain.write']);
    const where = { id: member.ctx.actor.memberId };
    await scenes.reached.db.member.update({ where, data: { status: 'ACTIVE' } });
    const page = await visit(browser, seat, '/equipe');
    const row = page.getByRole('row').filter({ hasText: 'Inès Roy' });
    const edit = row.getByRole('button', { name: 'Modifier' });
    await edit.click();
    const dialog = page.locator('[data-panel]');
    await dialog.getByLabel('Nom', { exact: true }).fill('Inès Leroy');
    const set = { permissions: [], spaceRights: { [opened]: 'read' } };
    await scenes.reached.db.member.update({ where, data: set });
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await dialog.getByText('Ce membre a été modifié entre-temps').waitFor();
    const stored = await scenes.reached.db.member.findUniqueOrThrow({ where });
    expect(stored).toMatchObject({ name: 'Inès Roy', ...set });
    await dialog.getByRole('button', { name: 'Annuler' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('1 espace').waitFor();
    await edit.click();
    expect(await dialog.getByRole('radio', { name: 'Certains' }).isChecked()).toBe(true);
    await dialog.getByLabel('Nom', { exact: true }).fill('Inès Leroy');
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByText('Membre modifié').waitFor();
    expect(await scenes.reached.db.member.findUniqueOrThrow({ where })).toMatchObject({
      name: 'Inès Leroy',
      ...set,
    });
  });
});

describe('a share', () => {
  it('of a Space’s context opens without session, is counted, and ends when it is withdrawn', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Pour l’agence');
    await scenes.memory(seat, spaceId, { title: 'Cire', body: 'La cire vient du Gers.' });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    await page.getByRole('button', { name: 'Actions de l’espace' }).click();
    await page.getByRole('menuitem', { name: 'Partager le contexte' }).click();
    await page.getByRole('button', { name: 'Créer le lien' }).click();
    const address = await page.locator('code').filter({ hasText: '/partage/' }).innerText();
    // The focused form was removed: the focus moves to the link that replaced it.
    await page.getByRole('region', { name: 'Lien créé' }).and(page.locator(':focus')).waitFor();
    expect(await faults(page)).toEqual([]);

    const stranger = await browser.newPage();
    const answer = await stranger.goto(new URL(address).pathname);
    expect(answer?.status()).toBe(200);
    await stranger.getByText('La cire vient du Gers.').waitFor();
    expect(await stranger.context().cookies()).toEqual([]);
    expect(await stranger.content()).not.toContain('Maison Essai');
    expect(await faults(stranger)).toEqual([]);

    // An archived Space is named as such, not ignored.
    const archived = await scenes.space(seat, 'Rangé');
    await scenes.reached.db.space.update({ where: { id: archived }, data: { archivedAt: new Date() } });
    await page.goto(`/partages?espace=${archived}`);
    await page.getByText('Cet espace est archivé, n’existe plus').waitFor();
    expect(await page.getByRole('button', { name: 'Créer le lien' }).count()).toBe(0);

    await page.goto('/partages');
    const row = page.getByRole('row').filter({ hasText: 'Pour l’agence' });
    await row.getByRole('cell').filter({ hasText: /^1$/ }).first().waitFor();
    await row.getByRole('button', { name: 'Retirer' }).click();
    await page.getByRole('button', { name: 'Retirer le partage' }).click();
    await page.getByText('Partage retiré').waitFor();
    expect((await stranger.reload())?.status()).toBe(404);
    await stranger.getByText('Ce partage n’existe pas, ou n’existe plus').waitFor();
    browser.forgetErrors();
  });
});
