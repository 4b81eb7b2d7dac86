import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { memories, panel, reseat, row, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

const focused = (page: Page) =>
  page.evaluate(() => {
    const here = document.activeElement;
    return here?.getAttribute('data-row') ?? here?.getAttribute('data-add') ?? here?.tagName ?? null;
  });

/** The accessible name or the identifier of the focused element. */
const named = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id ?? null,
  );

describe('what is deleted', () => {
  it('is confirmed first, with the count, when it contains others; the focus then moves to the next row, or to the foot of the pillar', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Corbeille');
    const lamps = await scenes.memory(seat, spaceId, { title: 'Lampes' });
    await scenes.memory(seat, spaceId, { title: 'Aubépine', parentId: lamps });
    const note = await scenes.memory(seat, spaceId, { title: 'Note' });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    await row(page, 'Lampes').focus();
    await page.keyboard.press('Delete');
    const ask = page.getByRole('button', { name: 'Supprimer les 2 mémoires' });
    await ask.waitFor();
    await page.getByRole('button', { name: 'Annuler' }).click();
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe(lamps);
    expect(await memories(spaceId, seat)).toHaveLength(3);
    await page.keyboard.press('Delete');
    await ask.click();
    await row(page, 'Lampes').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe(note);
    await page.keyboard.press('Delete');
    await row(page, 'Note').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('IDENTITY');
  });

  it('is not read ahead while it is being deleted, though the focus comes back to its row for that time', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Corbeille');
    const lamps = await scenes.memory(seat, spaceId, { title: 'Lampes' });
    await scenes.memory(seat, spaceId, { title: 'Aubépine', parentId: lamps });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    const read: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/brain/memories/')) read.push(request.url());
    });
    const held = Promise.withResolvers<void>();
    await page.route(`**/espaces/${spaceId}`, async (route) => {
      if (route.request().method() === 'POST') await held.promise;
      await route.continue();
    });
    await row(page, 'Lampes').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Supprimer les 2 mémoires' }).click();
    await expect.poll(() => focused(page)).toBe(lamps);
    // Several times as long as a focus has to rest on a row.
    await page.waitForTimeout(500);
    held.resolve();
    await row(page, 'Lampes').waitFor({ state: 'detached' });
    expect(read).toEqual([]);
  });

  it('waits in the bin, comes back one or all, and is erased by a founder alone', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Corbeille');
    for (const title of ['Alpha', 'Bêta', 'Gamma'])
      await deleteMemory(seat.ctx, { memoryId: await scenes.memory(seat, spaceId, { title }) });
    const titles = async () => (await memories(spaceId, seat)).map(({ title }) => title);
    const member = await scenes.colleague(seat, ['brain.write']);
    const page = await visit(browser, member, '/corbeille');
    await page.getByText('3 mémoires supprimées').waitFor();
    expect(await page.getByRole('button', { name: 'Effacer maintenant' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Rétablir «\u00a0Bêta\u00a0»' }).click();
    await page.getByText('Mémoire rétablie').waitFor();
    expect(await titles()).toEqual(['Bêta']);
    // The removed line passes the focus to its neighbour.
    await page.getByRole('listitem').filter({ hasText: 'Bêta' }).waitFor({ state: 'detached' });
    await expect.poll(() => named(page)).toMatch(/^Rétablir «\u00a0(Alpha|Gamma)\u00a0»$/);
    await reseat(browser, page, seat);
    await page.goto('/corbeille');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Alpha' })
      .getByRole('button', { name: 'Effacer maintenant' })
      .click();
    await page.getByRole('button', { name: 'Effacer pour toujours' }).click();
    await page.getByText('Mémoire effacée').waitFor();
    expect(await scenes.reached.db.memory.count({ where: { spaceId } })).toBe(2);
    await page.getByRole('listitem').filter({ hasText: 'Alpha' }).waitFor({ state: 'detached' });
    await expect.poll(() => named(page)).toBe('Rétablir «\u00a0Gamma\u00a0»');
    await page.getByRole('button', { name: 'Rétablir «\u00a0Gamma\u00a0»' }).click();
    await page.getByText('La corbeille est vide').waitFor();
    await expect.poll(() => named(page)).toBe('contenu');
    expect((await titles()).sort()).toEqual(['Bêta', 'Gamma']);
  });
});

describe('a Memory that repeats another', () => {
  it('names the similar one, which can be opened; both can be kept, or the new one deleted', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Doubles');
    const body = 'Chaque lampe est garantie dix ans, câble et interrupteur compris, dans tous nos ateliers.';
    const first = await scenes.memory(seat, spaceId, { title: 'Garantie des lampes', body });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    const add = async (title: string) => {
      await page.getByRole('button', { name: 'Ajouter une mémoire dans Identité' }).click();
      await panel(page).getByLabel('Titre', { exact: true }).fill(title);
      await panel(page).getByLabel('Texte').last().fill(body.toUpperCase());
      await panel(page).getByRole('button', { name: 'Ajouter la mémoire' }).click();
    };
    await add('Garantie');
    await panel(page).getByText('Elle ressemble à').waitFor();
    await panel(page).getByRole('button', { name: 'Supprimer la nouvelle' }).click();
    await row(page, 'Garantie').nth(1).waitFor({ state: 'detached' });
    // The row disappears at once; the Memory is deleted when the request arrives.
    await expect.poll(async () => (await memories(spaceId, seat)).map(({ id }) => id)).toEqual([first]);
    await add('Garantie de dix ans');
    await panel(page).getByRole('link', { name: 'Garantie des lampes' }).click();
    await page.waitForURL(new RegExp(first));
    await panel(page).getByText('Elle ressemble à').waitFor({ state: 'detached' });
    expect(await memories(spaceId, seat)).toHaveLength(2);
  });
});
