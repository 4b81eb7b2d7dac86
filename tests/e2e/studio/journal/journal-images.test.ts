import { expect, it } from 'vitest';
import { seated } from '../../setup/brain-page.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, founder } = useStudio();

it('a page of the journal loads tens of KiB of images: thumbnails, sharp in their tiles; the row shows the file itself', async () => {
  const seat = await founder();
  const ids: string[] = [];
  for (let at = 0; at < 6; at += 1)
    ids.push(await generate(browser.app, seat, { ...IMAGE, brief: `Bougie ${at}` }));
  const page = await seated(browser, seat);
  const loaded: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/api/files/')) return;
    const bytes = response.body().then((body) => body.byteLength);
    // An answer that comes after the list was looked at may outlive its page.
    bytes.catch(() => undefined);
    loaded.push(bytes);
  });
  await page.goto('/journal');
  const pictures = page.locator('[data-generation] img');
  await expect.poll(() => pictures.count()).toBe(ids.length);
  await expect
    .poll(() =>
      pictures.evaluateAll((all) => (all as HTMLImageElement[]).every((one) => one.naturalWidth > 0)),
    )
    .toBe(true);
  const shown = await pictures.evaluateAll((all) =>
    (all as HTMLImageElement[]).map(({ currentSrc }) => new URL(currentSrc).search),
  );
  // Thumbnails are requested; a file smaller than its thumbnail is shown as it is.
  expect(shown).toContain('?thumbnail=1');
  const bytes = (await Promise.all(loaded)).reduce((sum, one) => sum + one, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes / ids.length).toBeLessThan(16 * 1024);
  await page.goto(`/journal/${ids[0]}`);
  expect(await page.locator('main img').first().getAttribute('src')).not.toContain('thumbnail');
});

it('a picture that cannot be drawn says so in its place, also when it failed before the page was hydrated', async () => {
  const seat = await founder();
  await generate(browser.app, seat, IMAGE);
  await generate(browser.app, seat, { kind: 'voice', text: 'Bienvenue chez Maison Lumen.' });
  const page = await seated(browser, seat);
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  await page.route('**/api/files/**', async (route) => {
    await route.fulfill({ status: 404, body: '' });
    fail();
  });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await failed;
    await route.continue();
  });
  await page.goto('/journal');
  await page.locator('[data-generation]').getByText('Fichier illisible').waitFor();
  expect(await page.locator('[data-generation] img').count()).toBe(0);
  // A voice that cannot be played shows this once it is requested.
  await page.getByRole('button', { name: /^Écouter/ }).click();
  await expect.poll(() => page.locator('[data-generation]').getByText('Fichier illisible').count()).toBe(2);
  browser.forgetErrors();
});
