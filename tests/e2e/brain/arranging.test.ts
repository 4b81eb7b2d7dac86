import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { panel, row } from '../setup/brain-page.ts';
import { holdReadings, isFirst, markDocument } from '../setup/scenes/readings.ts';
import { useStudio } from '../setup/scenes/use-studio.ts';

const { browser, scenes, visit } = useStudio();
const order = (page: Page) =>
  page
    .locator('#identity [data-row]')
    .evaluateAll((rows) => rows.map((one) => /Alpha|Bêta|Gamma/.exec(one.textContent ?? '')?.[0]));

/** Withholds the page's POST requests. The returned function sends them, or makes them fail. */
async function hold(page: Page): Promise<(answer: 'go' | 'lose') => void> {
  let letGo: (answer: 'go' | 'lose') => void = () => {};
  const said = new Promise<'go' | 'lose'>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/espaces/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    return (await said) === 'go' ? route.continue() : route.abort();
  });
  return letGo;
}

it('a row moved by the keyboard is there before the server answers, keeps the focus, and stays', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Rangement');
  for (const title of ['Alpha', 'Bêta', 'Gamma']) await scenes().memory(seat, spaceId, { title });
  const page = await visit(seat, `/espaces/${spaceId}`);
  const release = await hold(page);
  await row(page, 'Bêta').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await row(page, 'Bêta').getByText('Niveau 2').waitFor({ state: 'attached' });
  expect(await seat.ctx.db.memory.count({ where: { spaceId, depth: 1 } })).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Bêta');
  release('go');
  await page.getByText('Rangée sous « Alpha »').first().waitFor();
  // The message stands ten seconds, and longer while the pointer rests on it.
  await page.getByRole('button', { name: 'Annuler' }).first().hover();
  await expect.poll(() => seat.ctx.db.memory.count({ where: { spaceId, depth: 1 } })).toBe(1);
  expect(await order(page)).toEqual(['Alpha', 'Bêta', 'Gamma']);
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  await expect.poll(() => row(page, 'Bêta').getByText('Niveau 2').count()).toBe(0);
});

it('a move that does not reach the server is undone on the page, with a message', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Rangement');
  for (const title of ['Alpha', 'Bêta']) await scenes().memory(seat, spaceId, { title });
  const page = await visit(seat, `/espaces/${spaceId}`, {});
  const release = await hold(page);
  await row(page, 'Bêta').dragTo(row(page, 'Alpha'));
  await row(page, 'Bêta').getByText('Niveau 2').waitFor({ state: 'attached' });
  release('lose');
  await page.getByText('La connexion a été perdue').first().waitFor();
  await expect.poll(() => row(page, 'Bêta').getByText('Niveau 2').count()).toBe(0);
  // The browser itself reports the lost request.
  browser.forgetErrors();
});

const title = (page: Page) => panel(page).getByLabel('Titre', { exact: true });

/** A Space with these Memories, and its page, on which the first of them was opened with a click. */
async function opened(titles: readonly string[]) {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Rangement');
  const ids: string[] = [];
  for (const one of titles) ids.push(await scenes().memory(seat, spaceId, { title: one }));
  const page = await visit(seat, `/espaces/${spaceId}`);
  await row(page, titles[0] ?? '').click();
  await expect.poll(() => title(page).inputValue()).toBe(titles[0]);
  // The panel takes the focus a frame after it is there: from a row that a test has just focused, too.
  await page.locator('[data-panel]:focus, [data-panel] :focus').waitFor();
  await markDocument(page);
  return { seat, spaceId, ids, page };
}

async function nest(page: Page, one: string): Promise<void> {
  await row(page, one).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await row(page, one).getByText('Niveau 2').waitFor({ state: 'attached' });
}

it('two moves made while a panel is open refresh the page once each, and keep the document and the messages', async () => {
  const { seat, spaceId, ids, page } = await opened(['Alpha', 'Bêta', 'Gamma']);
  const readings = await holdReadings(page, '**/espaces/**');
  await nest(page, 'Bêta');
  await nest(page, 'Gamma');
  await expect.poll(() => readings.asked).toBe(2);
  // A message stands ten seconds, and longer while the pointer rests on it.
  await page.getByRole('button', { name: 'Annuler' }).first().hover();
  // A Memory written by another program: the page shows it once it has been refreshed.
  await scenes().memory(seat, spaceId, { title: 'Entre-temps' });
  readings.letGo();
  await row(page, 'Entre-temps').waitFor();
  expect({ isFirst: await isFirst(page), asked: readings.asked }).toEqual({ isFirst: true, asked: 2 });
  expect(await page.getByRole('button', { name: 'Annuler' }).count()).toBeGreaterThan(0);
  expect(await row(page, 'Gamma').getByText('Niveau 2').count()).toBe(1);
  expect(await title(page).inputValue()).toBe('Alpha');
  expect(new URL(page.url()).searchParams.get('memoire')).toBe(ids[0]);
});

it('a Memory opened while the page is refreshed stays open; « back » returns to the one before', async () => {
  const { seat, spaceId, ids, page } = await opened(['Alpha', 'Bêta', 'Gamma']);
  const readings = await holdReadings(page, '**/espaces/**');
  await nest(page, 'Bêta');
  await expect.poll(() => readings.asked).toBe(1);
  await row(page, 'Gamma').click();
  await expect.poll(() => title(page).inputValue()).toBe('Gamma');
  await scenes().memory(seat, spaceId, { title: 'Entre-temps' });
  readings.letGo();
  await row(page, 'Entre-temps').waitFor();
  expect(await title(page).inputValue()).toBe('Gamma');
  expect(new URL(page.url()).searchParams.get('memoire')).toBe(ids[2]);
  await page.goBack();
  await expect.poll(() => title(page).inputValue()).toBe('Alpha');
  await page.goBack();
  await panel(page).waitFor({ state: 'detached' });
  await page.goForward();
  await expect.poll(() => title(page).inputValue()).toBe('Alpha');
  expect({ isFirst: await isFirst(page), asked: readings.asked }).toEqual({ isFirst: true, asked: 1 });
});

it('a Space reached again by « back » with its panel open is refreshed, and its rows can be moved', async () => {
  const { seat, spaceId, page } = await opened(['Alpha', 'Bêta', 'Gamma']);
  await page.getByRole('link', { name: 'Journal', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Journal' }).waitFor();
  await scenes().memory(seat, spaceId, { title: 'Pendant' });
  await page.goBack();
  await expect.poll(() => title(page).inputValue()).toBe('Alpha');
  // The page restored by « back » is refreshed, at the address of its panel.
  await row(page, 'Pendant').waitFor();
  const readings = await holdReadings(page, '**/espaces/**');
  await nest(page, 'Bêta');
  await nest(page, 'Gamma');
  await expect.poll(() => readings.asked).toBeGreaterThanOrEqual(2);
  await scenes().memory(seat, spaceId, { title: 'Entre-temps' });
  readings.letGo();
  await row(page, 'Entre-temps').waitFor();
  expect(await isFirst(page)).toBe(true);
});

it('a link to the address at which the page was opened opens its panel again after it was closed', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Rangement');
  const id = await scenes().memory(seat, spaceId, { title: 'Promesse' });
  const page = await visit(seat, `/espaces/${spaceId}?memoire=${id}`);
  await expect.poll(() => title(page).inputValue()).toBe('Promesse');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.url()).not.toContain('memoire=');
  await page.keyboard.press('Control+k');
  await page.locator('[cmdk-input]').fill('Promesse');
  await page.locator('[data-answers="Promesse"]').waitFor();
  // The answer is drawn a moment before its first line is the one that Enter opens.
  await page.locator(`[cmdk-item][data-value="${id}"][data-selected=true]`).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => title(page).inputValue()).toBe('Promesse');
  expect(new URL(page.url()).searchParams.get('memoire')).toBe(id);
});

it('without network the document stays; an undo that failed is offered again, and works once the network is back', async () => {
  const { seat, spaceId, ids, page } = await opened(['Alpha', 'Bêta']);
  await scenes().memory(seat, spaceId, { title: 'Entre-temps' });
  await nest(page, 'Bêta');
  await page.getByText('Rangée sous').first().waitFor();
  // The message stands ten seconds, and longer while the pointer rests on it.
  await page.getByRole('button', { name: 'Annuler' }).first().hover();
  // The refresh after the move has ended: no request is pending.
  await row(page, 'Entre-temps').waitFor();
  await page.context().setOffline(true);
  const pressed = await page.getByRole('button', { name: 'Annuler' }).first().elementHandle();
  await pressed?.click();
  await page.getByText('La connexion a été perdue').first().waitFor();
  // The message that was pressed leaves.
  await pressed?.waitForElementState('hidden');
  await expect.poll(() => page.getByRole('button', { name: 'Annuler' }).count()).toBe(1);
  expect(await isFirst(page)).toBe(true);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Annuler' }).first().click();
  const parentOf = () => seat.ctx.db.memory.findUniqueOrThrow({ where: { id: ids[1] ?? '' } });
  await expect.poll(parentOf).toMatchObject({ parentId: null });
  // The browser itself reports the lost request.
  browser.forgetErrors();
});

it('« Delete » pressed twice, or held down, takes away one Memory', async () => {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Rangement');
  for (const one of ['Alpha', 'Bêta', 'Gamma']) await scenes().memory(seat, spaceId, { title: one });
  const page = await visit(seat, `/espaces/${spaceId}`);
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/espaces/')) asked += 1;
  });
  const release = await hold(page);
  await row(page, 'Alpha').focus();
  await page.keyboard.press('Delete');
  await page.keyboard.press('Delete');
  release('go');
  await row(page, 'Alpha').waitFor({ state: 'detached' });
  expect(asked).toBe(1);
  await row(page, 'Bêta').focus();
  await page.keyboard.down('Delete');
  await row(page, 'Bêta').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Gamma');
  await page.keyboard.down('Delete');
  await page.keyboard.up('Delete');
  await page.waitForTimeout(400);
  expect(asked).toBe(2);
  expect(await row(page, 'Gamma').count()).toBe(1);
});
