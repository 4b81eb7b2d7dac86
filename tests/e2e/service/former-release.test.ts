import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { panel, row } from '../setup/brain-page.ts';
import { untilQuiet } from '../setup/quiet.ts';
import { isFirst, markDocument } from '../setup/scenes/readings.ts';
import { composed, useStudio } from '../setup/scenes/use-studio.ts';

const { browser, scenes, founder, visit } = useStudio();

const SCRIPTS = '**/_next/static/**/*.js';
const CHANGED = 'Atelier a changé depuis que cette page est ouverte';

/**
 * Makes all scripts of this page's release answer 404, as after a new release, until the function that it returns is called. One handler for both: a
 * request that is asked for as a handler is taken away may never be answered.
 */
async function release(page: Page): Promise<() => void> {
  // The region of toasts must be loaded before its script answers 404; an idle page loads it without a gesture.
  await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' });
  await untilQuiet(page);
  let isGone = true;
  await page.route(SCRIPTS, (route) =>
    isGone ? route.fulfill({ status: 404, body: '' }) : route.fallback(),
  );
  return () => {
    isGone = false;
  };
}

/** A page with an open Memory, of which one text was saved and another typed afterwards without saving. */
async function written(version: string, draft: string) {
  const seat = await scenes().seat();
  const spaceId = await scenes().space(seat, 'Ancienne version');
  await scenes().memory(seat, spaceId, { title: 'Ton', body: 'Nous vouvoyons.' });
  const page = await visit(seat, `/espaces/${spaceId}`);
  await row(page, 'Ton').click();
  const text = panel(page).getByLabel('Texte').last();
  await text.fill(version);
  await panel(page).getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await page.getByText('Mémoire enregistrée').waitFor();
  await text.fill(draft);
  return { page, text };
}

describe('on a page that was opened before a release', () => {
  it('a dialog whose script is gone is said in a toast, with what is typed still there, and opens once it can', async () => {
    const page = await visit(await founder(), '/creer');
    await composed(page).waitFor();
    const brief = page.getByLabel('Demande', { exact: true });
    const bringBack = await release(page);
    await brief.fill('Une bougie sur une table en chêne');
    const choose = page.getByRole('button', { name: 'Choisir', exact: true });
    await choose.click();
    await page.getByText(CHANGED).first().waitFor();
    // Found by its text: an urgent toast is announced separately, and has no role until F6 focuses it.
    await page.getByText('Recharger la page', { exact: true }).waitFor();
    expect(await page.locator('[data-panel]').count()).toBe(0);
    expect(await brief.inputValue()).toBe('Une bougie sur une table en chêne');
    bringBack();
    await choose.click();
    await panel(page).waitFor();
    browser.forgetErrors();
  });

  it('a part whose script is gone says so in its place, and what is typed beside it stays', async () => {
    const { page, text } = await written('Nous tutoyons.', 'Nous tutoyons, et nous sourions.');
    await release(page);
    await panel(page).getByRole('tab', { name: 'Historique' }).click();
    await panel(page).locator('summary').first().click();
    await panel(page).getByText(CHANGED).waitFor();
    await panel(page).getByRole('button', { name: 'Recharger la page' }).waitFor();
    await panel(page).getByRole('tab', { name: 'Texte' }).click();
    expect(await text.inputValue()).toBe('Nous tutoyons, et nous sourions.');
    browser.forgetErrors();
  });

  it('a form whose action is known no more keeps its fields, and says that nothing was done', async () => {
    const page = await visit(await scenes().seat(), '/equipe');
    await page.getByRole('button', { name: 'Inviter un membre' }).click();
    await panel(page).getByLabel('Adresse e-mail').fill('nadia@example.com');
    await panel(page).getByLabel('Nom', { exact: true }).fill('Nadia Ferrand');
    await page.route('**/equipe', (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const headers = { 'content-type': 'text/plain', 'x-nextjs-action-not-found': '1' };
      return route.fulfill({ status: 404, headers, body: 'Server action not found.' });
    });
    await panel(page).getByRole('button', { name: 'Envoyer l’invitation' }).click();
    await panel(page).getByRole('alert').getByText('rien n’a été fait').waitFor();
    expect(await panel(page).getByLabel('Adresse e-mail').inputValue()).toBe('nadia@example.com');
    expect(await panel(page).getByLabel('Nom', { exact: true }).inputValue()).toBe('Nadia Ferrand');
    browser.forgetErrors();
  });

  it('a link loads the new release, asked about first over a text that was not saved: who stays sees the page, and may follow it later', async () => {
    const { page, text } = await written('Nous tutoyons.', 'Nous tutoyons, et nous sourions.');
    await markDocument(page);
    // Answers as the next release does, with another deployment identifier.
    await page.route('**/journal**', async (route) => {
      const request = route.request();
      const headers = request.headers();
      const isPrefetch = Object.keys(headers).some((name) => name.endsWith('-prefetch'));
      if (request.method() !== 'GET' || headers.rsc !== '1' || isPrefetch) return route.fallback();
      const answer = await route.fetch();
      const { 'content-encoding': _, ...told } = answer.headers();
      return route.fulfill({ response: answer, headers: { ...told, 'x-nextjs-deployment-id': 'suivante' } });
    });
    let asked = 0;
    let isLeft = false;
    page.on('dialog', (dialog) => {
      asked += 1;
      void (isLeft ? dialog.accept() : dialog.dismiss());
    });
    const link = page.getByRole('navigation').getByRole('link', { name: 'Journal' }).first();
    await link.click();
    await expect.poll(() => asked).toBe(1);
    await expect.poll(() => page.locator('[data-page-skeleton]').count()).toBe(0);
    await row(page, 'Ton').waitFor();
    expect(await text.inputValue()).toBe('Nous tutoyons, et nous sourions.');
    expect(await isFirst(page)).toBe(true);
    isLeft = true;
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Journal' }).waitFor();
    expect(asked).toBeGreaterThan(1);
    expect(await isFirst(page)).toBe(false);
    browser.forgetErrors();
  });
});
