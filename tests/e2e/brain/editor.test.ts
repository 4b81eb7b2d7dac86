import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Permission } from '#lib/core/actor.ts';
import { panel, row, seated, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

const WIDE = { viewport: { width: 1280, height: 800 } };
const text = (page: Page) => panel(page).locator('textarea');
const title = (page: Page) => panel(page).getByLabel('Titre', { exact: true });

/** A Space with these Memories, and the path of its page. */
async function written(titles: readonly string[], permissions?: Permission[]) {
  const seat = await scenes.seat(permissions ? { permissions } : {});
  const spaceId = await scenes.space(seat, 'Maison Lumen');
  const ids: string[] = [];
  for (const one of titles)
    ids.push(await scenes.memory(seat, spaceId, { title: one, body: `Texte de ${one}` }));
  return { seat, ids, path: `/espaces/${spaceId}` };
}

async function opened(
  titles: readonly string[],
  options: Parameters<typeof visit>[3] = WIDE,
  permissions?: Permission[],
) {
  const { seat, ids, path } = await written(titles, permissions);
  return { seat, ids, page: await visit(browser, seat, path, options) };
}

it('the Space stays in use beside the panel of a Memory, which leads to the ones before and after', async () => {
  const { page } = await opened(['Alpha', 'Bêta', 'Gamma']);
  await row(page, 'Alpha').click();
  await expect.poll(() => title(page).inputValue()).toBe('Alpha');
  expect(await faults(page, { impacts: 'all' })).toEqual([]);
  // The panel has no backdrop: the rows and the header stay usable, and the panel does not cover them.
  const box = await panel(page).boundingBox();
  expect(box?.height).toBe(800);
  const last = await page.getByRole('button', { name: 'Actions de l’espace' }).boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(box?.x ?? 0);
  // The current page's name in the breadcrumbs is not truncated.
  const crumbs = page.getByRole('navigation', { name: 'Fil d’Ariane' });
  const here = crumbs.getByText('Maison Lumen', { exact: true });
  expect(await here.evaluate((name) => name.scrollWidth > name.clientWidth)).toBe(false);
  await row(page, 'Gamma').click();
  await expect.poll(() => title(page).inputValue()).toBe('Gamma');
  await panel(page).getByRole('button', { name: 'Mémoire précédente' }).click();
  await expect.poll(() => title(page).inputValue()).toBe('Bêta');
  await page.keyboard.press('k');
  await expect.poll(() => title(page).inputValue()).toBe('Alpha');
  await title(page).focus();
  await page.keyboard.press('Alt+j');
  await expect.poll(() => title(page).inputValue()).toBe('Bêta');
  expect(await panel(page).count()).toBe(1);
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Bêta');
});

it('a key held down in the panel adds one history entry: « back » returns to the Memory where it began', async () => {
  const { page } = await opened(['Alpha', 'Bêta', 'Gamma', 'Delta', 'Epsilon', 'Zêta']);
  await row(page, 'Alpha').click();
  await expect.poll(() => title(page).inputValue()).toBe('Alpha');
  // With the focus on the button, J is a shortcut and not a letter of a text.
  await panel(page).getByRole('button', { name: 'Mémoire suivante' }).click();
  await expect.poll(() => title(page).inputValue()).toBe('Bêta');
  for (let times = 0; times < 3; times += 1) await page.keyboard.down('j');
  await page.keyboard.up('j');
  await expect.poll(() => title(page).inputValue()).toBe('Epsilon');
  await page.goBack();
  await expect.poll(() => title(page).inputValue()).toBe('Bêta');
  // Two separate presses add two history entries.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(() => title(page).inputValue()).toBe('Delta');
  await page.goBack();
  await expect.poll(() => title(page).inputValue()).toBe('Gamma');
});

it('what is typed and not saved is said on its row; « Enregistrer » stays in sight, and its message does not cover the panel', async () => {
  const { page } = await opened(['Alpha', 'Bêta']);
  await row(page, 'Alpha').click();
  await text(page).fill('Un début');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  const mark = row(page, 'Alpha').getByText('Brouillon', { exact: true });
  await mark.waitFor();
  await row(page, 'Alpha').click();
  await panel(page).getByText('Voici ce que vous aviez écrit sans l’enregistrer.').waitFor();
  const save = await panel(page).getByRole('button', { name: 'Enregistrer', exact: true }).boundingBox();
  expect((save?.y ?? 0) + (save?.height ?? 0)).toBeLessThanOrEqual(800);
  await page.keyboard.press('Control+s');
  const message = page.getByRole('dialog').filter({ hasText: 'Mémoire enregistrée' });
  // The message stands five seconds, and longer while the pointer rests on it.
  await message.hover();
  const [said, beside] = [await message.boundingBox(), await panel(page).boundingBox()];
  expect((said?.x ?? 0) + (said?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
  await mark.waitFor({ state: 'detached' });
  // The tab list is one tab stop; arrow keys move between its tabs.
  await panel(page).getByRole('tab', { name: 'Texte' }).focus();
  await page.keyboard.press('ArrowRight');
  await panel(page).getByRole('tab', { name: 'Historique', selected: true }).waitFor();
  await page.keyboard.press('End');
  await panel(page).getByRole('tab', { name: 'Ranger', selected: true }).waitFor();
  await page.keyboard.press('ArrowRight');
  await panel(page).getByRole('tab', { name: 'Texte', selected: true }).waitFor();
  expect(await panel(page).locator('[role=tab][tabindex="0"]').count()).toBe(1);
  const filled = await panel(page).getByRole('tabpanel', { name: 'Texte' }).getAttribute('id');
  expect(await panel(page).getByRole('tab', { name: 'Texte' }).getAttribute('aria-controls')).toBe(filled);
});

it('a row says its size and its age whole in five columns, whatever else has room', async () => {
  const { ids, path, seat } = await written(['Alpha']);
  const updatedAt = new Date(Date.now() - 45 * 60_000);
  await seat.ctx.db.memory.update({ where: { id: ids[0] ?? '' }, data: { updatedAt } });
  const page = await visit(browser, seat, path, WIDE);
  const facts = row(page, 'Alpha').locator('[data-facts]');
  await facts.getByText(/^il y a 4[5-9]\smin$/).waitFor();
  const cut = await facts.evaluate(
    (line) =>
      [...line.querySelectorAll('*')].filter((part) => part.scrollWidth > part.clientWidth + 1).length,
  );
  expect(cut).toBe(0);
  const [line, age] = [await facts.boundingBox(), await facts.locator('time').boundingBox()];
  expect((age?.y ?? 0) + (age?.height ?? 0)).toBeLessThanOrEqual((line?.y ?? 0) + (line?.height ?? 0) + 1);
});

it('on a phone it is a sheet above the page', async () => {
  const { page } = await opened(['Alpha'], { viewport: { width: 390, height: 844 } });
  await row(page, 'Alpha').click();
  await expect.poll(() => title(page).inputValue()).toBe('Alpha');
  expect(await faults(page)).toEqual([]);
  await page.mouse.click(195, 20);
  await panel(page).waitFor({ state: 'detached' });
});

it('a Memory under the pointer, and the neighbours of the open one, are loaded ahead: opening them requests nothing', async () => {
  const { page, ids } = await opened(['Alpha', 'Bêta', 'Gamma']);
  const read = (id: string | undefined) =>
    page.waitForResponse((answer) => answer.url().endsWith(`/api/brain/memories/${id}`));
  const [alpha] = [read(ids[0]), row(page, 'Alpha').hover()];
  await alpha;
  const beta = read(ids[1]);
  await row(page, 'Alpha').click();
  await expect.poll(() => text(page).inputValue()).toBe('Texte de Alpha');
  await beta;
  // What hears the keys is a part of its own, loaded beside the panel.
  await panel(page).getByRole('button', { name: 'Mémoire suivante' }).waitFor();
  const gamma = read(ids[2]);
  await page.route('**/api/brain/memories/*', async (route) => {
    if (
      route
        .request()
        .url()
        .endsWith(ids[2] ?? '')
    )
      await route.continue();
    else await route.abort();
  });
  await page.keyboard.press('Alt+j');
  await expect.poll(() => text(page).inputValue()).toBe('Texte de Bêta');
  await gamma;
});

it('Markdown is written by keys and by the bar, each one step of the undo', async () => {
  const { page, seat, ids } = await opened(['Alpha']);
  await row(page, 'Alpha').click();
  const area = text(page);
  await area.fill('un mot');
  await area.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(3, 6));
  await page.keyboard.press('Control+b');
  expect(await area.inputValue()).toBe('un **mot**');
  await page.keyboard.press('Control+i');
  expect(await area.inputValue()).toBe('un ***mot***');
  await page.keyboard.press('Control+z');
  expect(await area.inputValue()).toBe('un **mot**');
  await area.fill('- un');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('deux');
  expect(await area.inputValue()).toBe('- un\n- deux');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  expect(await area.inputValue()).toBe('- un\n- deux\n');
  await page.keyboard.type('voir ');
  await page.keyboard.press('Control+k');
  expect(await area.inputValue()).toBe('- un\n- deux\nvoir []()');
  expect(await page.getByRole('dialog', { name: /Chercher|Palette/ }).count()).toBe(0);
  await area.fill('Ton');
  await panel(page).getByRole('button', { name: 'Intertitre', exact: true }).click();
  expect(await area.inputValue()).toBe('## Ton');
  await page.keyboard.press('Control+s');
  await page.getByText('Mémoire enregistrée').waitFor();
  const saved = await seat.ctx.db.memory.findUniqueOrThrow({ where: { id: ids[0] ?? '' } });
  expect(saved.body).toBe('## Ton');
});

it('a new Memory is written with the same bar', async () => {
  const { page } = await opened([]);
  await page.getByRole('button', { name: 'Ajouter une mémoire dans Charte' }).click();
  await text(page).fill('calme');
  await text(page).selectText();
  await panel(page)
    .getByRole('toolbar', { name: 'Mise en forme' })
    .getByRole('button', { name: 'Gras' })
    .click();
  expect(await text(page).inputValue()).toBe('**calme**');
});

it('on a Mac the bar names Cmd, and Ctrl with a letter stays the system’s own', async () => {
  const { path, seat } = await written(['Alpha']);
  const page = await seated(browser, seat, WIDE);
  await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }));
  await page.goto(path);
  await row(page, 'Alpha').click();
  const bold = panel(page).getByRole('button', { name: 'Gras', exact: true });
  await expect.poll(() => bold.getAttribute('data-tip')).toBe('Gras · Cmd B');
  expect(await bold.getAttribute('aria-keyshortcuts')).toBe('Meta+B');
  await text(page).fill('mot');
  await text(page).selectText();
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Control+k');
  expect(await text(page).inputValue()).toBe('mot');
  expect(await page.locator('[cmdk-input]').count()).toBe(0);
  await page.keyboard.press('Meta+b');
  expect(await text(page).inputValue()).toBe('**mot**');
});

/** Pastes an image alone into the text of the open Memory. */
async function pasteImage(page: Page) {
  await text(page).evaluate(async (field) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
    canvas.getContext('2d')?.fillRect(8, 8, 32, 32);
    const drawn = await new Promise<Blob | null>((done) => canvas.toBlob(done));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([drawn ?? ''], 'image.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
  });
  await page.getByText('Une mémoire garde du texte').waitFor();
}

it('an image that is pasted is said not to be kept, where it would be, the text stays what it was, and « Créer » takes it as a reference', async () => {
  const { page } = await opened(['Bougie']);
  // « Créer » is visited first, so that it is shown at once later: the image then arrives before the draft has been read.
  await page.getByRole('link', { name: 'Créer', exact: true }).click();
  await page.getByLabel('Demande').waitFor();
  await page.goBack();
  await row(page, 'Bougie').click();
  await expect.poll(() => title(page).inputValue()).toBe('Bougie');
  await pasteImage(page);
  expect(await text(page).inputValue()).toBe('Texte de Bougie');
  // Its message stands ten seconds, and longer while the pointer rests on it: axe may take as long.
  await page.getByText('Une mémoire garde du texte').hover();
  // While it appears, the toast is half transparent, which axe reports.
  await expect.poll(() => faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'L’ouvrir dans «\u00a0Créer\u00a0»' }).click();
  await page.waitForURL('**/creer*');
  await page.locator('[data-reference^="upl_"]').waitFor();
});

it('an image that is pasted is not offered as a reference to a member who may not generate', async () => {
  const { page } = await opened(['Bougie'], WIDE, ['brain.write']);
  await row(page, 'Bougie').click();
  await expect.poll(() => title(page).inputValue()).toBe('Bougie');
  await pasteImage(page);
  expect(await page.getByText('Elle peut servir de référence').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'L’ouvrir dans «\u00a0Créer\u00a0»' }).count()).toBe(0);
  expect(await text(page).inputValue()).toBe('Texte de Bougie');
});

it('« Enregistrer » keeps the focus of who has pressed it, and writes nothing until something else is typed', async () => {
  const { seat, ids, page } = await opened(['Alpha']);
  await row(page, 'Alpha').click();
  await text(page).fill('Autrement.');
  await panel(page).getByRole('button', { name: 'Enregistrer', exact: true }).press('Enter');
  await page.getByText('Mémoire enregistrée').waitFor();
  await panel(page)
    .getByRole('button', { name: 'Enregistrer', exact: true, disabled: true })
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.press('Enter');
  await text(page).fill('Encore autrement.');
  await page.keyboard.press('Control+s');
  const bodies = async () =>
    (
      await seat.ctx.db.memoryRevision.findMany({
        where: { memoryId: ids[0] ?? '' },
        orderBy: { version: 'asc' },
      })
    ).map(({ body }) => body);
  await expect.poll(bodies).toEqual(['Texte de Alpha', 'Autrement.', 'Encore autrement.']);
});
