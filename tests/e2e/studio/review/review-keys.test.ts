import { expect, it } from 'vitest';
import { keepUndos } from '../../setup/brain-page.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { tile, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, founder, visit } = useStudio();
type Seat = Awaited<ReturnType<typeof founder>>;

const stateOf = async (seat: Seat, generationId: string) =>
  (await seat.ctx.db.asset.findFirstOrThrow({ where: { generationId } })).state;
const images = async (seat: Seat, count: number) => {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1)
    ids.unshift(await generate(browser.app, seat, { ...IMAGE, brief: `Bougie ${at}` }));
  return ids as [string, string, string, ...string[]];
};

it('J and K walk over the queue, A approves and hands on, R asks why, U takes back, X chooses, and ? lists the keys', async () => {
  const seat = await founder();
  const [newest, middle, oldest] = await images(seat, 3);
  const page = await visit(seat, '/journal?review=to-review');
  const focus = () =>
    page.evaluate(
      () =>
        document.activeElement?.closest<HTMLElement>('[data-generation]')?.dataset.generation ??
        document.activeElement?.tagName,
    );
  for (const id of [newest, middle, oldest]) await tile(page, id).getByText('À vérifier').waitFor();
  // Without a focused row, A decides nothing.
  await page.keyboard.press('a');
  await page.keyboard.press('j');
  await expect.poll(focus).toBe(newest);
  await page.keyboard.press('j');
  await expect.poll(focus).toBe(middle);
  await page.keyboard.press('k');
  await expect.poll(focus).toBe(newest);
  await page.keyboard.press('a');
  // The decided row leaves the queue, and the next one gets the focus.
  await tile(page, newest).waitFor({ state: 'detached' });
  await expect.poll(focus).toBe(middle);
  await expect.poll(() => stateOf(seat, newest)).toBe('APPROVED');
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Rejeter ce fichier' });
  await dialog.waitFor();
  // Letters typed in the field are text, not shortcuts.
  await dialog.getByLabel(/Précision/).fill('');
  await dialog.getByLabel(/Précision/).pressSequentially('axjkr');
  await dialog.getByRole('button', { name: 'Rejeter le fichier' }).click();
  await tile(page, middle).waitFor({ state: 'detached' });
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(focus).toBe(oldest);
  await expect.poll(() => stateOf(seat, middle)).toBe('REJECTED');
  expect(await stateOf(seat, oldest)).toBe('GENERATED');
  await page.keyboard.press('x');
  expect(await tile(page, oldest).getByRole('checkbox').isChecked()).toBe(true);
  await page.getByText('Choisie\u00a0: 1\u00a0choisie').waitFor({ state: 'attached' });
  // Two presses undo two decisions, not the last one twice.
  await page.keyboard.press('u');
  await page.keyboard.press('u');
  await tile(page, middle).waitFor();
  await expect.poll(() => stateOf(seat, middle)).toBe('GENERATED');
  await tile(page, newest).waitFor();
  await expect.poll(() => stateOf(seat, newest)).toBe('GENERATED');
  const search = page.getByRole('searchbox', { name: 'Chercher dans les demandes' });
  await search.pressSequentially('axr');
  expect(await page.locator('[data-panel]').count()).toBe(0);
  await search.fill('');
  await search.blur();
  expect(await stateOf(seat, oldest)).toBe('GENERATED');
  await page.keyboard.press('?');
  await page
    .getByRole('dialog', { name: 'Raccourcis clavier' })
    .getByText('Rejeter, avec une raison')
    .waitFor();
  // The shortcuts work in the whole journal as in its queue.
  await page.goto('/journal');
  for (const id of [newest, middle, oldest]) await tile(page, id).getByText('À vérifier').waitFor();
  await page.keyboard.press('j');
  await expect.poll(focus).toBe(newest);
  await page.keyboard.press('j');
  await expect.poll(focus).toBe(middle);
  await page.keyboard.press('k');
  await expect.poll(focus).toBe(newest);
  // The list of shortcuts is available on a page without rows too.
  await page.goto('/espaces');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const help = page.getByRole('dialog', { name: 'Raccourcis clavier' });
  // Repeated, because the page may not be hydrated yet.
  await expect
    .poll(async () => {
      await page.keyboard.press('?');
      return help.getByText('Rejeter, avec une raison').count();
    })
    .toBe(1);
});

it('the queue is decided on the whole screen too: A approves and shows the next, R asks why above it', async () => {
  const seat = await founder();
  const [newest, middle, oldest] = await images(seat, 3);
  const page = await visit(seat, '/journal?review=to-review');
  for (const id of [newest, middle, oldest]) await tile(page, id).getByText('À vérifier').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('v');
  const shown = (id: string) => page.locator(`[data-lightbox="${id}"]`);
  await shown(newest)
    .getByRole('button', { name: 'Suivant' })
    .and(page.locator(':not([aria-disabled=true])'))
    .waitFor();
  // A key held down decides this file only.
  for (let times = 0; times < 4; times += 1) await page.keyboard.down('a');
  await page.keyboard.up('a');
  await shown(middle).waitFor();
  await expect.poll(() => stateOf(seat, newest)).toBe('APPROVED');
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Rejeter ce fichier' });
  await dialog.getByText('Hors charte').click();
  await dialog.getByRole('button', { name: 'Rejeter le fichier' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => stateOf(seat, middle)).toBe('REJECTED');
  await shown(middle).waitFor();
  await page.keyboard.press('j');
  await shown(oldest).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(
    (id) => document.activeElement?.closest<HTMLElement>('[data-generation]')?.dataset.generation === id,
    oldest,
  );
});

it('twenty results are reviewed by keys alone, four of them rejected with their reason', async () => {
  const seat = await founder();
  const ids = await images(seat, 20);
  const page = await visit(seat, '/journal');
  const queue = page.getByRole('link', { name: /À vérifier/ }).first();
  await queue.getByText('20', { exact: true }).waitFor();
  let clicks = 0;
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const startedAt = performance.now();
  clicks += 1;
  await queue.click();
  await page.waitForURL('**/journal?review=to-review');
  await tile(page, ids[0]).getByText('À vérifier').waitFor();
  await press('j');
  for (const [at, id] of ids.entries()) {
    await page.waitForFunction(
      (wanted) =>
        document.activeElement?.closest<HTMLElement>('[data-generation]')?.dataset.generation === wanted,
      id,
    );
    if (at % 5 === 4) {
      await press('r');
      await page.locator('[data-panel] input[type=radio]:focus').waitFor();
      await press('Space');
      await press('Enter');
      await page.locator('[data-panel]').waitFor({ state: 'detached' });
    } else await press('a');
  }
  await page.getByRole('heading', { name: 'Tout est vérifié' }).waitFor();
  const seconds = (performance.now() - startedAt) / 1000;
  const states = await seat.ctx.db.asset.groupBy({
    by: ['state'],
    where: { accountId: seat.accountId },
    _count: true,
    orderBy: { state: 'asc' },
  });
  expect(states.map(({ state, _count }) => [state, _count])).toEqual([
    ['REJECTED', 4],
    ['APPROVED', 16],
  ]);
  console.info(`twenty results reviewed: ${clicks} click, ${keys} keys, ${seconds.toFixed(1)} s`);
  expect([clicks, keys]).toEqual([1, 29]);
});

it('two to four rows are laid side by side: files, settings, and the words of their prompts that differ', async () => {
  const seat = await founder();
  const one = await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie ambrée au matin' });
  const two = await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie ambrée au soir' });
  const three = await generate(browser.app, seat, { ...IMAGE, case: 'image-best', brief: 'Bougie ambrée' });
  const page = await visit(seat, '/journal');
  for (const id of [one, two, three]) await tile(page, id).getByRole('checkbox').check();
  await page.getByRole('link', { name: 'Comparer' }).click();
  await page.waitForURL(`**/journal/comparer?ids=${one},${two},${three}`);
  const table = page.getByRole('region', { name: 'Comparaison' });
  await table.locator('ins', { hasText: 'soir' }).first().waitFor();
  await table.locator('del', { hasText: 'matin' }).first().waitFor();
  expect(await table.getByRole('rowgroup').count()).toBeGreaterThan(5);
  const all = await table.locator('tbody').count();
  await page.getByRole('link', { name: 'Seulement ce qui diffère' }).click();
  await expect.poll(() => table.locator('tbody').count()).toBeLessThan(all);
  await table
    .getByRole('link', { name: 'Retirer de la comparaison\u00a0: Bougie ambrée', exact: true })
    .click();
  await page.waitForURL(`**/journal/comparer?ids=${one},${two}&differences=1`);
  await expect.poll(() => table.getByRole('columnheader').count()).toBe(2);
  // The pressed link was removed: the focus moves to a link beside it, or to the page.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(A|MAIN)$/);
  // A generation that does not exist in this account is reported.
  await page.goto(`/journal/comparer?ids=${one},${two},gen_00000000000000000000000000`);
  await page.getByText('n’existe pas dans ce compte').waitFor();
  // The former form of the address.
  await page.goto(`/journal?comparer=${one},${two}`);
  await page.waitForURL(`**/journal/comparer?ids=${one},${two}`);
});

it('the last row of the queue, rejected in the dialog, leaves the focus to the page and not to nothing', async () => {
  const seat = await founder();
  const [last] = await images(seat, 1);
  const page = await visit(seat, '/journal?review=to-review');
  await tile(page, last).getByText('À vérifier').waitFor();
  await keepUndos(page);
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Rejeter ce fichier' });
  await dialog.getByText('Hors charte').click();
  await dialog.getByRole('button', { name: 'Rejeter le fichier' }).click();
  await tile(page, last).waitFor({ state: 'detached' });
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  await expect.poll(() => stateOf(seat, last)).toBe('REJECTED');
  // The focus also moves to the page after an approval from the row's menu, with the mouse.
  await page.getByRole('heading', { name: 'Tout est vérifié' }).waitFor();
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  await tile(page, last).getByText('À vérifier').waitFor();
  await tile(page, last).hover();
  await tile(page, last)
    .getByRole('button', { name: /Actions sur/ })
    .click();
  await page.getByRole('menuitem', { name: 'Approuver et garder' }).click();
  await tile(page, last).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  await expect.poll(() => stateOf(seat, last)).toBe('APPROVED');
});
