import { expect, it } from 'vitest';
import { addUpload } from '#tests/factories/files/files.ts';
import { keepUndos } from '../setup/brain-page.ts';
import { faults } from '../setup/faults.ts';
import { openFilesOf } from '../setup/scenes/files.ts';
import { generate, IMAGE } from '../setup/scenes/studio.ts';
import { overflow, useStudio } from '../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();
const TEXT = 'Moins de contraste\u00a0: la flamme disparaît.';

it('a lesson is taken from a file, shown beside it and among what is kept, and forgotten from both, the focus left on the page', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`);
  const lessons = page.getByRole('list', { name: 'Leçons' });
  const take = async () => {
    await page.getByRole('button', { name: 'Garder autrement' }).click();
    await page.getByRole('menuitem', { name: 'Retenir une leçon' }).click();
    await page.locator('[data-panel]').getByLabel('Leçon').fill(TEXT);
    await page.getByRole('button', { name: 'Retenir la leçon' }).click();
    await page.locator('[data-panel]').waitFor({ state: 'detached' });
    await lessons.getByText(TEXT).waitFor();
  };
  await take();
  await page.getByRole('button', { name: 'Oublier cette leçon' }).click();
  await lessons.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(BUTTON|MAIN)$/);
  await take();
  // While it appears, the toast is half transparent, which axe reports.
  await expect.poll(() => faults(page)).toEqual([]);
  await page.goto('/produits');
  const kept = page.getByRole('table', { name: 'Gardés exprès' });
  await kept.getByRole('link', { name: TEXT }).waitFor();
  expect(await faults(page)).toEqual([]);
  await kept.getByRole('button', { name: /^Oublier la leçon/ }).click();
  await page.getByRole('button', { name: 'Oublier la leçon', exact: true }).click();
  await page.getByText('Leçon oubliée').waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'Gardés exprès' }).count()).toBe(0);
  const written = await seat.ctx.db.lesson.findMany({ where: { accountId: seat.accountId } });
  expect(written.map(({ deletedAt }) => deletedAt !== null)).toEqual([true, true]);
});

it('a lesson that was typed is there again after Escape and a reload, and is taken once though its answer was lost', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const page = await visit(seat, `/journal/${id}`);
  let isLost = false;
  await page.route(`**/journal/${id}`, async (route) => {
    if (isLost || !route.request().postData()?.includes('Moins de contraste')) return route.fallback();
    isLost = true;
    // The app executes the request, and its answer is lost.
    await route.fetch();
    await route.abort();
  });
  const panel = page.locator('[data-panel]');
  const field = panel.getByLabel('Leçon');
  const open = async () => {
    await page.getByRole('button', { name: 'Garder autrement' }).click();
    await page.getByRole('menuitem', { name: 'Retenir une leçon' }).click();
    await field.waitFor();
  };
  await open();
  await field.fill(TEXT);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await open();
  await expect.poll(() => field.inputValue()).toBe(TEXT);
  await panel.getByText('Voici ce que vous aviez écrit ici sans l’envoyer.').waitFor();
  // After « Repartir de zéro », the typed text can be restored.
  await keepUndos(page);
  await panel.getByRole('button', { name: 'Repartir de zéro' }).click();
  expect(await field.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Reprendre mon texte' }).click();
  await expect.poll(() => field.inputValue()).toBe(TEXT);
  await panel.getByRole('button', { name: 'Retenir la leçon' }).click();
  await panel.getByText('La connexion a été perdue').waitFor();
  await page.reload();
  await open();
  await expect.poll(() => field.inputValue()).toBe(TEXT);
  await panel.getByRole('button', { name: 'Retenir la leçon' }).click();
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('list', { name: 'Leçons' }).getByText(TEXT).waitFor();
  expect(await seat.ctx.db.lesson.count({ where: { accountId: seat.accountId } })).toBe(1);
  await open();
  expect(await field.inputValue()).toBe('');
  browser.forgetErrors();
});

it('a rush that was sent is kept under a title, then let go; a concept is deleted; no file goes', async () => {
  const seat = await founder();
  const files = await openFilesOf(browser.app, seat);
  try {
    const upload = await addUpload(files.scene, { kind: 'RUSH' });
    const { db } = seat.ctx;
    await db.concept.create({
      data: {
        id: 'cpt_kept',
        accountId: seat.accountId,
        memberId: seat.ctx.actor.memberId,
        productId: 'libre',
        name: 'Matins d’hiver',
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    });
    const page = await visit(seat, '/produits', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Garder ce rush' }).click();
    await page.getByLabel('Titre', { exact: true }).fill('Atelier, matin');
    await page.getByRole('button', { name: 'Garder le rush' }).click();
    const kept = page.getByRole('table', { name: 'Gardés exprès' });
    await kept.getByText('Atelier, matin').waitFor();
    expect(await page.getByRole('table', { name: 'Rushs envoyés' }).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(BUTTON|MAIN)$/);
    expect(await faults(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    for (const [verb, done] of [
      ['Ne plus garder le rush', 'Rush rendu à la règle commune'],
      ['Supprimer le concept', 'Concept supprimé'],
    ] as const) {
      await kept.getByRole('button', { name: new RegExp(`^${verb}`) }).click();
      await page.getByRole('button', { name: verb, exact: true }).click();
      await page.getByText(done).waitFor();
    }
    await page.getByRole('table', { name: 'Rushs envoyés' }).waitFor();
    expect((await db.upload.findUniqueOrThrow({ where: { id: upload.id } })).deletedAt).toBeNull();
  } finally {
    await files.close();
  }
});
