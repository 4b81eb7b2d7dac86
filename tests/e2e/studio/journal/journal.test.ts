import { describe, expect, it } from 'vitest';
import { seated } from '../../setup/brain-page.ts';
import { focused } from '../../setup/scenes/readings.ts';
import { failedAgo, generate, IMAGE, RENDER, startedAgo } from '../../setup/scenes/studio.ts';
import { tile, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, scenes, visit, founder } = useStudio();
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une vague au ralenti' };

describe('the filters of the journal', () => {
  it('keep the focus and every letter of a search typed slowly, and a chip chosen before it rests', async () => {
    const seat = await founder();
    await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie ambrée' });
    await generate(browser.app, seat, { ...IMAGE, brief: 'Vase bleu' });
    const page = await visit(seat, '/journal');
    const field = page.getByRole('searchbox', { name: 'Chercher dans les demandes' });
    await field.pressSequentially('bougie', { delay: 550 });
    expect(await field.inputValue()).toBe('bougie');
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('bougie');
    await expect.poll(() => page.locator('[data-generation]').count()).toBe(1);
    await field.pressSequentially(' amb');
    await page.getByRole('link', { name: 'Image', exact: true }).click();
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe(`?${new URLSearchParams({ q: 'bougie amb', kind: 'image' })}`);
    expect(await field.inputValue()).toBe('bougie amb');
    await page.getByRole('link', { name: 'Retirer le filtre «' }).click();
    await expect.poll(() => field.inputValue()).toBe('');
    await expect.poll(() => focused(page)).toBe('MAIN');
  });

  it('wait for the whole year of a date typed one digit after another, with the phone’s drawer left open', async () => {
    const seat = await founder();
    await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, '/journal', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Filtres' }).click();
    const since = page.getByLabel('Depuis le', { exact: true });
    const asked: string[] = [];
    page.on('framenavigated', (frame) => asked.push(new URL(frame.url()).search));
    await since.focus();
    for (const digit of '01012026') {
      await page.keyboard.press(digit);
      await page.waitForTimeout(120);
    }
    await expect.poll(() => asked).toEqual(['?from=2026-01-01']);
    expect(await since.inputValue()).toBe('2026-01-01');
    expect(await since.isVisible()).toBe(true);
    // The filter uses days of Paris, as the times of the rows do.
    await page.getByRole('link', { name: /depuis le 1er\sjanvier\s2026$/ }).waitFor();
    expect(await page.getByText('jours UTC').count()).toBe(0);
    expect(await since.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('wait on the audit page too, where removing a chip empties its field', async () => {
    const seat = await founder();
    const page = await visit(seat, '/audit');
    const since = page.getByLabel('Du', { exact: true });
    await since.focus();
    for (const digit of '01012026') await page.keyboard.press(digit, { delay: 100 });
    await expect.poll(() => new URL(page.url()).search).toBe('?du=2026-01-01');
    expect(await since.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByRole('link', { name: 'retirer ce filtre' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect.poll(() => since.inputValue()).toBe('');
    await expect.poll(() => focused(page)).toBe('MAIN');
  });
});

describe('a tile of the contact sheet', () => {
  it('plays its video under the pointer, and opens by a click on the picture', async () => {
    const seat = await founder();
    const id = await startedAgo(seat, VIDEO, 1, 'success');
    const page = await visit(seat, '/journal');
    const picture = tile(page, id).locator('video');
    await picture.waitFor();
    const plays = page.waitForFunction(() => document.querySelector('video')?.paused === false);
    const { x = 0, y = 0, width = 0 } = (await picture.boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + width / 2, { steps: 3 });
    await plays;
    await page.mouse.click(x + width / 2, y + width / 2);
    await page.waitForURL(`**/journal/${id}`);
  });

  it('updates its age while the page is open', async () => {
    const seat = await founder();
    const id = await failedAgo(seat, RENDER, 'quota', 20);
    const page = await seated(browser, seat);
    await page.clock.install();
    await page.goto('/journal');
    const minutes = async () =>
      Number(/(\d+)\smin/.exec((await tile(page, id).locator('time').textContent()) ?? '')?.[1]);
    const before = await minutes();
    expect(before).toBeGreaterThanOrEqual(20);
    await page.clock.fastForward(10 * 60_000);
    await expect.poll(minutes).toBeGreaterThanOrEqual(before + 10);
  });
});

describe('a member without the right to generate', () => {
  it('is told, on the journal and on one of its rows, who can grant it', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await seated(browser, await scenes().colleague(seat, ['brain.write']));
    for (const path of ['/journal', `/journal/${id}`]) {
      await page.goto(path);
      await page
        .getByRole('heading', { name: 'Vous ne pouvez pas consulter le journal du Studio' })
        .waitFor();
      await page.getByText('Ce droit s’accorde sur la page Équipe.').waitFor();
      expect(await page.locator('[data-generation]').count()).toBe(0);
    }
  });
});
