import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { faults } from '../../setup/faults.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { composed, overflow, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const brought = (page: Page) => page.locator('[data-reference]:not([data-reference=""])');

/** Drops or pastes a file on the page's title, outside the strip of references. */
async function give(page: Page, how: 'drop' | 'paste', bytes: Buffer, name: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ bytes, name }) => {
      const made = new DataTransfer();
      made.items.add(new File([Uint8Array.from(bytes)], name, { type: 'image/png' }));
      return made;
    },
    { bytes: [...bytes], name },
  );
  const title = page.locator('h1');
  if (how === 'drop') {
    await title.dispatchEvent('dragenter', { dataTransfer: transfer });
    await page.getByText('Déposez pour ajouter aux références').waitFor();
    await title.dispatchEvent('drop', { dataTransfer: transfer });
    return;
  }
  await title.evaluate(
    (target, clipboardData) =>
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })),
    transfer,
  );
}

/** Pastes a text on the first element of this selector. */
const pasteText = (page: Page, on: string, text: string) =>
  page
    .locator(on)
    .first()
    .evaluate((target, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);

it('files and addresses dropped or pasted anywhere on the page are references, each once; text pasted into a field stays text', async () => {
  const seat = await founder();
  const page = await visit(seat, '/creer?type=image');
  await composed(page).waitFor();
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } });
  await page.evaluate(() => {
    const revoke = URL.revokeObjectURL.bind(URL);
    URL.revokeObjectURL = (address) => {
      Reflect.set(window, 'givenBack', Number(Reflect.get(window, 'givenBack') ?? 0) + 1);
      revoke(address);
    };
  });
  await give(page, 'drop', picture, 'deposee.png');
  await page.getByText('deposee.png').waitFor();
  await give(page, 'paste', picture, 'collee.png');
  await page.getByText('collee.png').waitFor();
  await expect.poll(() => page.locator('[data-reference^="upl_"]').count()).toBe(2);
  // The object URLs of the files were revoked: the pictures shown are the stored ones.
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'givenBack'))).toBe(2);
  expect(await page.locator('[data-reference] img[src^="blob:"]').count()).toBe(0);
  const address = 'https://127.0.0.1/collee.png';
  const linked = page.locator(`[data-reference="${address}"]`);
  await pasteText(page, 'h1', 'Un texte, et rien de plus');
  await pasteText(page, 'form[data-composer] textarea', address);
  await pasteText(page, 'h1', address);
  await linked.waitFor();
  expect(await brought(page).count()).toBe(3);
  await page.getByRole('button', { name: 'Retirer 127.0.0.1' }).click();
  await linked.waitFor({ state: 'detached' });
  // The focus moves to the remove button of the previous reference.
  await page.getByRole('button', { name: 'Retirer collee.png' }).and(page.locator(':focus')).waitFor();
  await page.getByLabel('Demande', { exact: true }).fill('Avec deux images');
  await page.getByRole('button', { name: 'Générer · retient 0,06' }).waitFor();
  // A kind without references says so, and the file does not replace the page.
  await page.locator('input[name=kind][value=voice]').check();
  await page.getByLabel('Texte à dire').waitFor();
  // Watched by the page itself: the message stays five seconds, and the test may be held for longer.
  const told = page.waitForFunction(() =>
    document.body.innerText.includes('Ce type de génération ne prend pas de référence'),
  );
  await give(page, 'paste', picture, 'ailleurs.png');
  await told;
  expect(await seat.ctx.db.upload.count({ where: { accountId: seat.accountId } })).toBe(2);
  // The uploaded files can be chosen for the next request.
  const next = await visit(seat, '/creer?type=image');
  await composed(next).waitFor();
  await next.getByRole('button', { name: 'Choisir', exact: true }).click();
  const dialog = next.getByRole('dialog', { name: 'Choisir des références' });
  await dialog.getByText('Envois', { exact: true }).click();
  await dialog.locator('[data-offered^="upl_"]').first().click();
  await dialog.getByRole('button', { name: 'Garder cette référence' }).click();
  await expect.poll(() => brought(next).count()).toBe(1);
});

it('are chosen from the journal, the avatars and what was sent, and leave with the request', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const asset = await seat.ctx.db.asset.findFirstOrThrow({ where: { generationId: id } });
  const { accountId, memberId, productId, pathname } = asset;
  await seat.ctx.db.avatar.create({
    data: {
      id: 'ava_01k9z3v5q8m2n4r6t7w9x1y3z5',
      accountId,
      memberId,
      productId,
      pathname,
      assetId: asset.id,
      name: 'Agnès',
      createdAt: new Date(),
    },
  });
  for (const options of [{}, PHONE]) {
    const page = await visit(seat, '/creer?type=image', options);
    await composed(page).waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('Avec ce que nous avons déjà');
    await page.getByRole('button', { name: 'Choisir', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Choisir des références' });
    await dialog.locator(`[data-offered="${id}#0"]`).click();
    // The shortcut that sends the request does nothing in this dialog.
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('Avatars', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Agnès' }).click();
    await dialog.getByText('Envois', { exact: true }).click();
    await dialog.getByText('Aucun envoi que cette demande puisse prendre').waitFor();
    expect(await faults(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await dialog.getByRole('button', { name: 'Garder ces 2 références' }).click();
    await expect.poll(() => brought(page).count()).toBe(2);
    await page.getByRole('button', { name: /^Générer · retient 0,/ }).click();
    await page.locator('[data-sent="done"]').waitFor();
    await page.context().close();
  }
  const rows = await seat.ctx.db.generation.findMany({ where: { accountId, NOT: { id } } });
  // The second browser sends the same request: it does not know that the first one sent it.
  expect(rows).toHaveLength(2);
  for (const row of rows)
    expect((row.references as { roles: { images: unknown[] } }).roles.images).toHaveLength(2);
});

it('the focus of the button that shows more files stays among them once all are shown', async () => {
  const seat = await founder();
  for (const brief of ['Une bougie', 'Un vase']) await generate(browser.app, seat, { ...IMAGE, brief });
  const page = await visit(seat, '/creer?type=image');
  await composed(page).waitFor();
  // Two generations, served as two pages of one.
  await page.route(/\/api\/generations\?status=done/, async (route) => {
    const url = new URL(route.request().url());
    const isNext = url.searchParams.has('cursor');
    url.searchParams.delete('cursor');
    const { generations } = await (await route.fetch({ url: url.href })).json();
    const shown = isNext ? generations.slice(1) : generations.slice(0, 1);
    await route.fulfill({ json: { generations: shown, nextCursor: isNext ? null : 'suite' } });
  });
  await page.getByRole('button', { name: 'Choisir', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Choisir des références' });
  const more = dialog.getByRole('button', { name: 'Afficher la suite' });
  await more.focus();
  await more.press('Enter');
  await expect.poll(() => dialog.locator('[data-offered]').count()).toBe(2);
  expect(await more.count()).toBe(0);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-offered')))
    .toBe(true);
});
