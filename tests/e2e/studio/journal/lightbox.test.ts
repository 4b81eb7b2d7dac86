import { expect, it } from 'vitest';
import { faults } from '../../setup/faults.ts';
import { generate, IMAGE, RENDER } from '../../setup/scenes/studio.ts';
import { overflow, tile, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, founder, visit } = useStudio();

it('from one row to the next in the order of the filtered list, by links and by keys, the filters kept in the address', async () => {
  const seat = await founder();
  const [oldest, middle, newest] = [
    await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie une' }),
    await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie deux' }),
    await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie trois' }),
  ];
  // Between two of them in the journal, but not in the filtered list.
  await generate(browser.app, seat, { ...IMAGE, brief: 'Vase' });
  const page = await visit(seat, '/journal?kind=image&q=bougie');
  await tile(page, newest).getByRole('link').click();
  await page.waitForURL(`**/journal/${newest}?kind=image&q=bougie`);
  await page.getByText('Génération précédente\u00a0: aucune').waitFor();
  await page.getByRole('link', { name: 'Génération suivante' }).click();
  await page.waitForURL(`**/journal/${middle}?kind=image&q=bougie`);
  await page.getByRole('heading', { name: 'Bougie deux' }).waitFor();
  // A key held down adds one history entry, which « back » undoes.
  for (let times = 0; times < 4; times += 1) await page.keyboard.down('j');
  await page.keyboard.up('j');
  await page.waitForURL(`**/journal/${oldest}?kind=image&q=bougie`);
  await page.getByText('Génération suivante\u00a0: aucune').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Bougie deux' }).waitFor();
  await page.keyboard.press('j');
  await page.getByText('Génération suivante\u00a0: aucune').waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: 'Bougie deux' }).waitFor();
  await page.getByRole('link', { name: 'Journal filtré' }).click();
  await page.waitForURL('**/journal?kind=image&q=bougie');
});

it('a file opens on the whole screen, is made larger by keys and buttons, and leads to the next rows; closed, the page is that of the last', async () => {
  const seat = await founder();
  const first = await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie une' });
  const last = await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie deux' });
  const page = await visit(seat, `/journal/${last}`);
  await page.getByRole('button', { name: 'Voir en grand' }).click();
  const box = page.getByRole('dialog', { name: 'Bougie deux' });
  const image = page.locator('[data-lightbox] img');
  await image.waitFor();
  expect(await faults(page)).toEqual([]);
  const width = async () => (await image.boundingBox())?.width ?? 0;
  const whole = await width();
  await page.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(whole * 1.4);
  await box.getByRole('status').getByText('agrandi à 150').waitFor();
  await page.keyboard.press('0');
  await expect.poll(width).toBe(whole);
  // Ctrl and the wheel, which is also how browsers report a pinch on a trackpad.
  await image.evaluate((one) => {
    one.dispatchEvent(
      new WheelEvent('wheel', { ctrlKey: true, deltaY: -200, bubbles: true, cancelable: true }),
    );
  });
  await expect.poll(width).toBeGreaterThan(whole * 2);
  await page.keyboard.press('0');
  await expect.poll(width).toBe(whole);
  // A pinch on a trackpad as Safari reports it. If it is not prevented, it zooms the page.
  const isLeft = await image.evaluate((one) =>
    (['gesturestart', 'gesturechange'] as const).map((type) =>
      one.dispatchEvent(
        Object.assign(new Event(type, { bubbles: true, cancelable: true }), {
          scale: type === 'gesturestart' ? 1 : 2.5,
          clientX: 100,
          clientY: 100,
        }),
      ),
    ),
  );
  expect(isLeft).toEqual([false, false]);
  await expect.poll(width).toBeGreaterThan(whole * 2);
  await page.keyboard.press('0');
  await expect.poll(width).toBe(whole);
  await box.getByRole('button', { name: 'Agrandir' }).click();
  await expect.poll(width).toBeGreaterThan(whole * 1.4);
  // Six steps of 1.5 would be a factor of 11, but the limit is 8.
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('+');
  await box.getByRole('status').getByText('agrandi à 800').waitFor();
  await box.getByRole('button', { name: 'Image entière' }).click();
  await box
    .getByRole('button', { name: 'Suivant' })
    .and(page.locator(':not([aria-disabled=true])'))
    .waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'Bougie une' }).waitFor();
  // At the end of the list, the arrow key does nothing.
  await page.locator('[data-lightbox] [aria-label=Suivant][aria-disabled=true]').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'Bougie une' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(`**/journal/${first}`);
  await page.getByRole('heading', { name: 'Bougie une' }).waitFor();
});

it('on a phone, two fingers make a picture larger and one turns to the next file', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  await generate(browser.app, seat, RENDER);
  const page = await visit(seat, `/journal/${id}`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Voir en grand' }).tap();
  const image = page.locator('[data-lightbox] img');
  await image.waitFor();
  const width = async () => (await image.boundingBox())?.width ?? 0;
  const whole = await width();
  const client = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: [number, number][]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch('touchStart', [
    [150, 400],
    [240, 400],
  ]);
  await touch('touchMove', [
    [60, 400],
    [330, 400],
  ]);
  await touch('touchEnd', []);
  await expect.poll(width).toBeGreaterThan(whole * 2);
  await page.getByRole('button', { name: 'Image entière' }).tap();
  await expect.poll(width).toBe(whole);
  await page.locator('[data-lightbox] [aria-label=Précédent]:not([aria-disabled=true])').waitFor();
  await touch('touchStart', [[100, 400]]);
  await touch('touchMove', [[300, 405]]);
  await touch('touchEnd', []);
  await expect.poll(() => page.locator('[data-lightbox]').getAttribute('data-lightbox')).not.toBe(id);
});
