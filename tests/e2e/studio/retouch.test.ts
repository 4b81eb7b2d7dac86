import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { faults } from '../setup/faults.ts';
import { generate, IMAGE } from '../setup/scenes/studio.ts';
import { composed, overflow, useStudio } from '../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();

describe('one image made of another', () => {
  it('paints a mask by pointer and by keyboard, sends it, and shows what was drawn again', async () => {
    const seat = await founder();
    const origin = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/journal/${origin}`);
    await page.getByRole('link', { name: 'Retoucher' }).click();
    await composed(page).waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('Un bouquet de lavande');
    const editor = page.getByRole('region', { name: 'Masque' });
    const use = editor.getByRole('button', { name: 'Utiliser ce masque' });
    const canvas = editor.getByRole('application');
    await canvas.waitFor();
    // A part above that comes later moves the canvas from under the pointer.
    await page.locator('[data-late][inert]').first().waitFor({ state: 'detached' });
    expect(await use.isDisabled()).toBe(true);
    await canvas.focus();
    await page.keyboard.press(' ');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => use.isEnabled()).toBe(true);
    const byKeyboard = await editor.getByRole('status').textContent();
    const box = await canvas.boundingBox();
    if (!box) throw new Error('no canvas');
    await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => editor.getByRole('status').textContent()).not.toBe(byKeyboard);
    expect(await faults(page)).toEqual([]);
    await use.click();
    await page.locator('[data-reference^="upl_"]').waitFor();
    // Strokes painted later are not in the mask that is sent; the editor says so until the mask is replaced.
    const said = () => editor.getByRole('status').textContent();
    await expect.poll(said).not.toContain('pas encore dans le masque');
    await canvas.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(said).toContain('pas encore dans le masque');
    await editor.getByRole('button', { name: 'Remplacer le masque' }).click();
    await expect.poll(said).not.toContain('pas encore dans le masque');
    await page.getByRole('button', { name: /^Générer · retient 0,05/ }).click();
    await page.locator('[data-sent="done"]').waitFor();
    const edited = await seat.ctx.db.generation.findFirstOrThrow({ where: { ancestorId: origin } });
    expect(edited.modelId).toBe('bfl/flux-pro-1.0-fill');
    await page.goto(`/journal/${edited.id}`);
    await page.getByText('Retouche au masque').first().waitFor();
    const { pathname } = await seat.ctx.db.upload.findFirstOrThrow({ where: { accountId: seat.accountId } });
    const mask = await (await page.request.get(`/api/files/${pathname}`)).body();
    const { data, info } = await sharp(mask).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([1024, 1024]);
    expect([data[0], data[512 * 1024 * info.channels + 512 * info.channels]]).toEqual([0, 255]);
  });

  it('paints in the pixels of the picture itself, though the strip shows its thumbnail', async () => {
    const seat = await founder();
    await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, '/creer?type=image');
    await composed(page).waitFor();
    await page.getByLabel('Modèle', { exact: true }).selectOption('image-edit');
    await page.getByRole('button', { name: 'Choisir', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Choisir des références' });
    await dialog.locator('[data-offered]').first().click();
    await dialog.getByRole('button', { name: 'Garder cette référence' }).click();
    const canvas = page.getByRole('region', { name: 'Masque' }).getByRole('application');
    await expect.poll(() => canvas.getAttribute('width')).toBe('1024');
  });

  it('is made larger from the journal at a price that is told first, and fits a phone', async () => {
    const seat = await founder();
    const origin = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/journal/${origin}`, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    await page.getByRole('link', { name: 'Agrandir' }).click();
    await composed(page).waitFor();
    expect(await page.getByLabel('Demande', { exact: true }).count()).toBe(0);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: /^Générer · retient 0,16/ }).waitFor();
    await page.getByText('Un agrandissement n’envoie pas de prompt').waitFor();
    await page.getByRole('button', { name: /^Générer · retient 0,16/ }).click();
    await page.locator('[data-sent="done"]').waitFor();
    const larger = await seat.ctx.db.generation.findFirstOrThrow({ where: { ancestorId: origin } });
    expect(larger.artifacts).toMatchObject([{ width: 2048, height: 2048 }]);
  });
});
