import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { memories, row, seated, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { gotoQuiet } from '../setup/quiet.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

it('a search marks the words, says why, names those that no Memory holds, groups by Space, and is an address', async () => {
  const seat = await scenes.seat();
  const [one, two] = [await scenes.space(seat, 'Premier'), await scenes.space(seat, 'Second')];
  await scenes.memory(seat, one, { title: 'Promesse de la marque', body: 'Calme.' });
  await scenes.memory(seat, two, { title: 'Divers', body: 'La promesse de la marque se discute.' });
  const page = await visit(browser, seat, '/recherche');
  const field = page.locator('main').getByRole('searchbox');
  const isFocused = () => field.evaluate((input) => input === document.activeElement);
  // The shortcuts of the frame may work a moment later than the page's own fields.
  await expect
    .poll(async () => {
      if (!(await isFocused())) await page.keyboard.press('/');
      return isFocused();
    })
    .toBe(true);
  await field.fill('promesse marque');
  await page.getByText('2 résultats').waitFor();
  await expect.poll(() => page.url()).toContain('q=promesse+marque');
  expect(await page.locator('main ol li').first().locator('mark').allTextContents()).toEqual([
    'Promesse',
    'marque',
  ]);
  await page.getByText('dans le titre').waitFor();
  await page.getByText('Grouper par espace').click();
  await page.getByRole('heading', { name: /Second/ }).waitFor();
  // « Nothing found » is announced by the same live region, which is not replaced.
  const said = page.locator('main').getByRole('status').filter({ hasText: 'résultat' });
  await said.evaluate((region) => region.setAttribute('data-same', ''));
  await field.fill('promesse zanzibar');
  await page
    .locator('[data-same]', { hasText: 'Aucune mémoire ne contient «\u00a0zanzibar\u00a0».' })
    .waitFor();
  await field.fill('introuvable');
  await page.locator('[data-same]', { hasText: 'Aucun résultat' }).waitFor({ state: 'attached' });
  // A long pasted text is not cut silently.
  await field.fill('promesse '.repeat(30).trim());
  await page.getByText('Seuls les 200 premiers caractères sont cherchés.').waitFor();
  await page.getByText('2 résultats').waitFor();
  const before = await seat.ctx.db.readMonth.count({ where: { accountId: seat.accountId } });
  expect(before).toBe(0);
});

it('the context page shows the text of the API to the letter, marks the cuts, and costs no read', async () => {
  const seat = await scenes.seat();
  const spaceId = await scenes.crowd(seat, 'Contexte', 40);
  const page = await visit(browser, seat, `/contexte?espace=${spaceId}&max=4000&piliers=IDENTITY,ITEMS`);
  const shown = await page
    .getByRole('region', { name: 'Texte du contexte' })
    .evaluate((pre) => pre.textContent);
  const { getContext } = await import('#lib/brain/context/get-context.ts');
  const { json } = await getContext(seat.ctx, { spaceId, maxChars: 4000, pillars: ['IDENTITY', 'ITEMS'] });
  expect(shown).toBe(JSON.parse(json?.text ?? '').context);
  expect(
    await page.getByRole('region', { name: 'Texte du contexte' }).getByRole('img').count(),
  ).toBeGreaterThan(0);
  await page.getByLabel('Offre').uncheck();
  await expect.poll(() => new URL(page.url()).searchParams.get('piliers')).toBe('IDENTITY');
  await page.getByRole('button', { name: '1 k' }).click();
  await expect.poll(() => page.url()).toContain('max=1000');
  await page.getByText('sur 1 000 caractères').waitFor();
  // An archived Space is named as such, and not replaced by another.
  const archived = await scenes.space(seat, 'Rangé');
  await seat.ctx.db.space.update({ where: { id: archived }, data: { archivedAt: new Date() } });
  await page.goto(`/contexte?espace=${archived}`);
  await page.getByText('L’espace de cette adresse est archivé, n’existe plus').waitFor();
});

it('a long question about a context is seen whole, on one line more if need be, and Enter asks it; words that no Memory holds are named', async () => {
  const seat = await scenes.seat();
  const spaceId = await scenes.crowd(seat, 'Question', 6);
  const page = await visit(browser, seat, `/contexte?espace=${spaceId}`);
  const field = page.getByRole('textbox', { name: 'À propos de' });
  const question =
    'Combien de temps une lampe de lecture achetée en boutique est-elle garantie, câble compris\u00a0?';
  await field.fill(question);
  await field.press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(question);
  expect(await field.inputValue()).toBe(question);
  const hidden = () =>
    field.evaluate((one) => Math.max(one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight));
  await expect.poll(hidden).toBeLessThanOrEqual(1);
  // What no Memory holds is said by a region that is there before it.
  await field.fill('zanzibar');
  await field.press('Enter');
  const said = page.locator('main').getByRole('status');
  await said.getByText('Aucune mémoire de cet espace ne contient «\u00a0zanzibar\u00a0».').waitFor();
});

it('axe finds nothing serious on any page or panel of the Brain, in light or in dark', async () => {
  const seat = await scenes.seat();
  const spaceId = await scenes.crowd(seat, 'Maison', 24);
  const [first] = await memories(spaceId, seat);
  const found: Record<string, string[]> = {};
  const page = await seated(browser, seat, { reducedMotion: 'reduce' });
  for (const path of [
    '/espaces',
    '/espaces?nouveau',
    `/espaces/${spaceId}`,
    `/espaces/${spaceId}?memoire=${first?.id}`,
    `/espaces/${spaceId}?memoire=${first?.id}&vue=historique`,
    `/espaces/${spaceId}?memoire=${first?.id}&vue=place`,
    '/recherche?q=lampe&groupe=espace',
    '/contexte?max=1000',
  ]) {
    await gotoQuiet(page, path);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const serious = await faults(page);
      if (serious.length > 0) found[`${path}, ${colorScheme}`] = serious;
    }
  }
  expect(found).toEqual({});
});

it('pointing at a row of a Space shows the exact time, and a title that is cut', async () => {
  const seat = await scenes.seat();
  const spaceId = await scenes.space(seat, 'Au survol');
  const parentId = await scenes.memory(seat, spaceId, { title: 'Maison' });
  const title = 'Un titre bien plus long que la colonne qui le montre';
  await scenes.memory(seat, spaceId, { title, parentId });
  const page = await visit(browser, seat, `/espaces/${spaceId}`, { viewport: { width: 1280, height: 800 } });
  await row(page, title).getByText(title, { exact: true }).hover();
  await expect.poll(() => page.getByText(title, { exact: true }).count()).toBe(2);
  // The tip covers the text below it, so Escape closes it.
  await page.keyboard.press('Escape');
  await page.locator('[aria-hidden][hidden]', { hasText: title }).waitFor({ state: 'attached' });
  await row(page, title).locator('time').hover();
  await page.getByText(/\(heure de Paris\)$/).waitFor();
  // A touch on an element without an action: Safari on a phone sends no click there.
  await page.locator('#identity svg[data-tip]').evaluate((ring) => {
    for (const type of ['pointerdown', 'pointerup'])
      ring.dispatchEvent(new PointerEvent(type, { pointerType: 'touch', bubbles: true }));
  });
  await page.getByText(/^Couverture/).waitFor();
});

it('with reduced motion, a title changes colour at once when the theme changes, as the background does', async () => {
  const seat = await scenes.seat();
  const page = await seated(browser, seat, { colorScheme: 'light', reducedMotion: 'reduce' });
  await gotoQuiet(page, '/propositions');
  const title = page.getByRole('heading', { level: 1 });
  await title.waitFor();
  const dark = await title.evaluate((heading) => {
    document.documentElement.dataset.theme = 'dark';
    const [ground, ink] = [document.body, heading].map((one) => getComputedStyle(one));
    return { ground: ground?.backgroundColor, ink: ink?.color, moving: document.getAnimations().length };
  });
  expect(dark).toEqual({ ground: 'rgb(20, 19, 17)', ink: 'rgb(240, 236, 228)', moving: 0 });
});
