import { expect, it } from 'vitest';
import { keepUndos } from '../../setup/brain-page.ts';
import { faults } from '../../setup/faults.ts';
import { gotoQuiet } from '../../setup/quiet.ts';
import { isFirst, markDocument } from '../../setup/scenes/readings.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { overflow, tile, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, scenes, founder, visit } = useStudio();

it('filters are kept under a name, found again, renamed, forgotten and taken back, and what they leave is exported', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie ambrée' });
  await generate(browser.app, seat, { kind: 'vector', brief: 'Une flamme' });
  const page = await visit(seat, '/journal?kind=image&q=bougie');
  await page.getByRole('button', { name: 'Enregistrer ces filtres' }).click();
  const dialog = page.locator('[data-panel]');
  await dialog.getByLabel('Nom').fill('Les bougies');
  await dialog.getByRole('button', { name: 'Enregistrer le filtre' }).click();
  const mine = page.getByRole('navigation', { name: 'Mes filtres' });
  await mine.getByRole('link', { name: 'Les bougies' }).waitFor();
  expect(await faults(page, { impacts: 'all' })).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Exporter en CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^journal-.*\.csv$/);
  const exported = await page.request.get('/api/generations/export?kind=image&q=bougie');
  const lines = (await exported.text()).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Bougie ambrée');
  expect(lines[1]).toContain(id);
  await page.goto('/journal');
  await mine.getByRole('link', { name: 'Les bougies' }).click();
  await page.waitForURL('**/journal?kind=image&q=bougie');
  await expect.poll(() => page.locator('[data-generation]').count()).toBe(1);
  const actions = page.getByRole('button', { name: 'Actions sur le filtre Les bougies' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Renommer' }).click();
  await dialog.getByLabel('Nom').fill('Bougies');
  await dialog.getByRole('button', { name: 'Renommer' }).click();
  await mine.getByRole('link', { name: 'Bougies', exact: true }).waitFor();
  await keepUndos(page);
  await page.getByRole('button', { name: 'Actions sur le filtre Bougies' }).click();
  await page.getByRole('menuitem', { name: 'Supprimer' }).click();
  await mine.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Enregistrer ces filtres' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  await mine.getByRole('link', { name: 'Bougies', exact: true }).waitFor();
});

it('what refuses one file, the export of the journal or of the statement is said in the page, which stays', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`);
  const refuse = (addresses: RegExp, message: string) =>
    page.route(addresses, (route) =>
      route.fulfill({ status: 404, json: { error: { code: 'not_found', message } } }),
    );
  await markDocument(page);
  await page.getByRole('button', { name: 'Voir en grand' }).click();
  const whole = page.locator('[data-lightbox]');
  // A link that is still asking ignores a press: the refusal of the former press is said just before that ends.
  const idle = page.locator('[aria-busy=false]');
  const alone = page.getByRole('link', { name: 'Télécharger' }).and(idle);
  const own = /\/api\/files\/.*download=1/;
  await refuse(own, 'Ce fichier est parti.');
  await whole.getByRole('link', { name: 'Télécharger' }).click();
  await page.getByText('Ce fichier est parti.').first().waitFor();
  await page.unroute(own);
  await page.keyboard.press('Escape');
  await whole.waitFor({ state: 'detached' });
  await refuse(own, 'Ce fichier n’est plus là.');
  await alone.click();
  await page.getByText('Ce fichier n’est plus là.').first().waitFor();
  expect(await isFirst(page)).toBe(true);
  await page.unroute(own);
  const [file] = await Promise.all([page.waitForEvent('download'), alone.click()]);
  expect(await file.failure()).toBeNull();
  for (const [path, asked, name] of [
    ['/journal', /\/api\/generations\/export/, /^journal-.*\.csv$/],
    ['/portefeuille', /\/api\/wallet\/statement/, /^releve-.*\.csv$/],
  ] as const) {
    await gotoQuiet(page, path);
    await markDocument(page);
    const link = page.getByRole('link', { name: 'Exporter en CSV' }).and(idle);
    await refuse(asked, 'Cet export ne vous est plus ouvert.');
    await link.click();
    await page.getByText('Cet export ne vous est plus ouvert.').first().waitFor();
    expect(await isFirst(page)).toBe(true);
    await page.unroute(asked);
    const [made] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(made.suggestedFilename()).toMatch(name);
  }
  browser.forgetErrors();
});

it('a comment names a member, is read by the others of the account, and deleted by who wrote it', async () => {
  const seat = await founder();
  const other = await scenes().colleague(seat, ['generate']);
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`);
  await page.getByRole('textbox', { name: 'Votre commentaire' }).fill('La mèche est floue,');
  await page.getByRole('button', { name: 'Nommer un membre' }).click();
  await page.getByRole('menuitem', { name: 'Inès Roy' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Votre commentaire' }).inputValue())
    .toBe('La mèche est floue, @Inès Roy ');
  await page.getByRole('menuitem', { name: 'Inès Roy' }).waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Votre commentaire' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('regarde');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Votre commentaire' }).inputValue())
    .toBe('La mèche est floue, @Inès Roy regarde');
  await page.getByRole('button', { name: 'Publier' }).click();
  await page.getByText('le membre nommé le lira aussi').waitFor();
  const published = page.getByText('La mèche est floue, @Inès Roy regarde', { exact: true });
  await published.waitFor();
  // A comment in Arabic or Hebrew is laid out from right to left.
  expect(await published.evaluate((one) => getComputedStyle(one).unicodeBidi)).toBe('plaintext');
  await expect.poll(() => page.getByRole('textbox', { name: 'Votre commentaire' }).inputValue()).toBe('');
  expect(await faults(page, { impacts: 'all' })).toEqual([]);
  const theirs = await visit(other, `/journal/${id}`, { viewport: { width: 390, height: 844 } });
  await theirs.getByText('La mèche est floue, @Inès Roy regarde', { exact: true }).waitFor();
  expect(await overflow(theirs)).toBeLessThanOrEqual(0);
  expect(
    await theirs.getByRole('button', { name: /^Supprimer le commentaire|^Supprimer votre/ }).count(),
  ).toBe(0);
  await page.getByRole('button', { name: 'Supprimer votre commentaire' }).click();
  await page.getByRole('button', { name: 'Supprimer le commentaire', exact: true }).click();
  await page
    .getByText('La mèche est floue, @Inès Roy regarde', { exact: true })
    .waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(BUTTON|MAIN)$/);
});

it('a hundred rows are chosen at most: one more is refused and says why, and none of the others is lost', async () => {
  const seat = await founder();
  await scenes().journal(seat, 102);
  // High enough for all rows to be rendered.
  const page = await visit(seat, '/journal', { viewport: { width: 1600, height: 9_000 } });
  const rows = page.locator('[data-generation]');
  await expect.poll(() => rows.count()).toBe(102);
  const box = (at: number) => rows.nth(at).getByRole('checkbox');
  for (let at = 0; at < 100; at += 1) await box(at).check();
  const bar = page.locator('[data-chosen]');
  await expect.poll(() => bar.textContent()).toContain('100\u00a0choisies, le maximum');
  // The count alone is said aloud at each choice, not the buttons with it.
  await expect.poll(() => bar.getByRole('status').textContent()).toBe('100\u00a0choisies, le maximum');
  await box(100).click();
  await page.getByText('Pas plus de 100 générations à la fois').first().waitFor();
  expect([await box(0).isChecked(), await box(100).isChecked()]).toEqual([true, false]);
  // The same with the keyboard shortcut.
  await rows.nth(101).locator('[data-row-link]').focus();
  await page.keyboard.press('x');
  expect([await box(0).isChecked(), await box(101).isChecked()]).toEqual([true, false]);
  const zip = await bar.getByRole('link', { name: 'Télécharger' }).getAttribute('href');
  expect(zip?.split(',')).toHaveLength(100);
  // Once one is unchecked, another can be chosen.
  await box(0).uncheck();
  await box(100).check();
  await expect.poll(() => bar.textContent()).toContain('100\u00a0choisies');
});

it('the focus of the button that shows the rest of the list stays at its foot once all of it is there', async () => {
  const seat = await founder();
  await scenes().journal(seat, 60);
  const page = await visit(seat, '/journal');
  const more = page.getByRole('button', { name: 'Afficher la suite' });
  const focus = (button: HTMLElement | SVGElement) => {
    button.focus();
    return button === document.activeElement;
  };
  await expect.poll(() => more.evaluate(focus)).toBe(true);
  await more.waitFor({ state: 'detached' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('60\u00a0générations');
});

it('on a phone, what can be done with chosen rows stands on one line, and no badge covers a picture', async () => {
  const seat = await founder();
  const ids = [await generate(browser.app, seat, IMAGE), await generate(browser.app, seat, IMAGE)] as const;
  const page = await visit(seat, '/journal', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  for (const id of ids) await tile(page, id).getByRole('checkbox').check();
  const bar = page.getByRole('button', { name: 'Ne plus choisir' }).locator('..');
  const heights = await bar.evaluate((one) => ({
    bar: one.clientHeight,
    tops: new Set([...one.querySelectorAll('a, button')].map((part) => part.getBoundingClientRect().top))
      .size,
    wide: one.getBoundingClientRect().right <= window.innerWidth,
  }));
  expect(heights.tops).toBe(1);
  expect(heights.wide).toBe(true);
  expect(heights.bar).toBeLessThan(64);
  const badge = tile(page, ids[0]).getByText('À vérifier');
  await badge.waitFor();
  const picture = await tile(page, ids[0]).locator('img').boundingBox();
  const place = await badge.boundingBox();
  expect(place && picture && place.y >= picture.y + picture.height).toBe(true);
});

it('a comment whose answer was lost, published again as it stands, is there once', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`);
  let isLost = false;
  await page.route(`**/journal/${id}`, async (route) => {
    if (isLost || !route.request().postData()?.includes('Trop sombre')) return route.fallback();
    isLost = true;
    // The app executes the request, and its answer is lost.
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('textbox', { name: 'Votre commentaire' }).fill('Trop sombre');
  await page.getByRole('button', { name: 'Publier' }).click();
  await page.getByText('La connexion a été perdue').first().waitFor();
  // Sent again after a reload, it is still written once.
  await page.reload();
  const field = page.getByRole('textbox', { name: 'Votre commentaire' });
  await expect.poll(() => field.inputValue()).toBe('Trop sombre');
  await page.getByRole('button', { name: 'Publier' }).click();
  await page.getByText('Commentaire publié').first().waitFor();
  expect(await seat.ctx.db.generationComment.count({ where: { generationId: id } })).toBe(1);
  await expect.poll(() => field.inputValue()).toBe('');
  browser.forgetErrors();
});

it('what is typed of a comment outlives its page, and what is typed while one is published is the next', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`);
  const field = page.getByRole('textbox', { name: 'Votre commentaire' });
  await field.fill('Trop sombre');
  await page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.includes(':commentaire:')));
  await page.goto('/journal');
  await page.goto(`/journal/${id}`);
  await expect.poll(() => field.inputValue()).toBe('Trop sombre');
  const held = Promise.withResolvers<void>();
  await page.route(`**/journal/${id}`, async (route) => {
    if (route.request().method() === 'POST') await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Publier' }).click();
  await field.fill('Trop sombre, et flou');
  held.resolve();
  await page.getByText('Commentaire publié').first().waitFor();
  await page.getByText('Trop sombre', { exact: true }).waitFor();
  expect(await field.inputValue()).toBe('Trop sombre, et flou');
});

it('the journal of a session that is over stops to ask, says so and leads back in to where one was', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, '/journal?kind=image');
  await tile(page, id).waitFor();
  await seat.ctx.db.session.deleteMany({ where: { memberId: seat.ctx.actor.memberId } });
  const back = page.getByRole('link', { name: 'Se connecter' });
  await expect
    .poll(async () => {
      // As when the member returns to the tab. Repeated, because the page may not be hydrated yet.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      return back.count();
    })
    .toBe(1);
  await page.getByText('Cette page ne se met plus à jour.').waitFor();
  expect(await back.getAttribute('href')).toBe(
    `/connexion?retour=${encodeURIComponent('/journal?kind=image')}`,
  );
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/generations?')) asked += 1;
  });
  // Longer than the interval between two requests of the list.
  await page.waitForTimeout(11_000);
  expect(asked).toBe(0);
  browser.forgetErrors();
});
