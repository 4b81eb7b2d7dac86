import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { seated } from '../../setup/brain-page.ts';
import { faults } from '../../setup/faults.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { composed, overflow, tile, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

async function compose(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await composed(page).waitFor();
}

describe('a voice whose origin is not known', () => {
  it('is refused without a signed consent, its document told missing or unfit in place, and said with one, which is kept', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer?type=voice');
    await composed(page).waitFor();
    await page.getByLabel('Texte à dire').fill('La cire refroidit lentement.');
    await page.getByRole('combobox', { name: 'Voix', exact: true }).selectOption({ label: 'Paul (essai)' });
    const consent = page.getByRole('group', { name: 'Consentement signé' });
    await consent.getByText('L’origine de cette voix n’est pas vérifiée').waitFor();
    await page.getByRole('button', { name: 'Générer' }).click();
    await page.locator('[data-sent="refused"]').waitFor();
    await page.getByRole('alert').first().waitFor();
    // The browser reports the refusal, which this test expects.
    browser.consoleErrors.splice(0);
    expect(await seat.ctx.db.generation.count({ where: { accountId: seat.accountId } })).toBe(0);
    await consent.getByLabel('Personne').fill('Paul Vasseur');
    await consent.getByLabel('Signé le').fill('2026-02-10');
    await consent.getByRole('alert').getByText('Joignez le consentement signé').waitFor();
    browser.consoleErrors.splice(0);
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } });
    const attach = (name: string, mimeType: string, buffer: Buffer) =>
      consent.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await attach('accord.pdf', 'application/pdf', Buffer.from('%PDF-1.7'));
    await consent.getByRole('alert').getByText('Ce PDF est abîmé').waitFor();
    await attach('accord.png', 'image/png', Buffer.from('pas une image'));
    await consent.getByText('accord.png').waitFor();
    await expect.poll(() => consent.getByRole('alert').textContent()).not.toContain('Ce PDF');
    browser.consoleErrors.splice(0);
    await attach('accord.png', 'image/png', picture);
    await consent.locator('[data-consent-document^="upl_"]').waitFor();
    await expect.poll(() => consent.getByRole('alert').count()).toBe(0);
    expect(await faults(page, { impacts: 'all' })).toEqual([]);
    // The document is kept in the draft, as the typed text is.
    await page.reload();
    await composed(page).waitFor();
    await consent.locator('[data-consent-document^="upl_"]').waitFor();
    browser.consoleErrors.splice(0);
    await page.getByRole('button', { name: /^Générer · retient 0,/ }).click();
    await page.locator('[data-sent="done"]').waitFor();
    const kept = await seat.ctx.db.consent.findFirstOrThrow({ where: { accountId: seat.accountId } });
    expect([kept.personName, kept.signedAt.toISOString().slice(0, 10)]).toEqual([
      'Paul Vasseur',
      '2026-02-10',
    ]);
    const scan = await seat.ctx.db.upload.findFirstOrThrow({ where: { accountId: seat.accountId } });
    expect(kept.pathname).toBe(scan.pathname);
    expect(await faults(page, { impacts: 'all' })).toEqual([]);
  });
});

describe('a setting of a voice that is no number', () => {
  it('stays as it is typed, says so under its field, and gets the focus when the request is refused, out of settings that were closed', async () => {
    const page = await visit(await founder(), '/creer?type=voice');
    await composed(page).waitFor();
    await page.getByLabel('Texte à dire').fill('La cire refroidit lentement.');
    const settings = page.getByText('Réglages de la voix');
    await settings.click();
    const speed = page.getByLabel('Vitesse');
    await speed.fill('0,5,5');
    // The preview, beside the form, says it too.
    await page.locator('form[data-composer]').getByText('Il faut un nombre.').waitFor();
    await settings.click();
    await speed.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Générer/ }).click();
    await page.locator('[data-sent="refused"]').waitFor();
    await expect.poll(() => speed.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await speed.inputValue()).toBe('0,5,5');
    // The browser reports the refusal, which this test expects.
    browser.forgetErrors();
  });
});

describe('a render', () => {
  it('says a copy problem under its field, is drawn once corrected, and shows every file it published', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer?type=render&modele=carousel');
    await composed(page).waitFor();
    await page.getByLabel('Titre', { exact: true }).fill('La cire — et le parfum');
    const titles = page.getByLabel('Titre de la page');
    for (const [at, title] of ['Fondre', 'Couler', 'Attendre'].entries()) {
      if (at >= (await titles.count()))
        await page.getByRole('button', { name: 'Ajouter un élément' }).click();
      await titles.nth(at).fill(title);
    }
    const title = page.getByLabel('Titre', { exact: true });
    const said = async () => {
      const [first] = (await title.getAttribute('aria-describedby'))?.split(' ') ?? [];
      return first ? page.locator(`[id="${first}"]`).textContent() : '';
    };
    // The missing conclusion neither hides the other problems nor is marked as a problem itself.
    await expect.poll(said).toMatch(/tiret/i);
    expect(await page.getByLabel('Conclusion').getAttribute('aria-invalid')).toBeNull();
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    await title.fill('La cire, et le parfum');
    await page.getByLabel('Conclusion').fill('Gardez cette page.');
    await expect.poll(() => title.getAttribute('aria-invalid')).toBeNull();
    await page.getByRole('button', { name: /^Générer · retient/ }).click();
    const sent = page.locator('[data-sent="done"]');
    await sent.waitFor();
    const row = await seat.ctx.db.generation.findFirstOrThrow({ where: { accountId: seat.accountId } });
    const files = (row.artifacts as unknown[]).length;
    expect(files).toBeGreaterThan(2);
    await page.goto('/journal');
    const turn = tile(page, row.id).locator('[data-pages]');
    expect(await turn.textContent()).toBe(`1/${files}`);
    const source = () => tile(page, row.id).locator('img').getAttribute('src');
    const first = await source();
    await turn.click();
    expect(await turn.textContent()).toBe(`2/${files}`);
    expect(await source()).not.toBe(first);
    await page.goto(`/journal/${row.id}`);
    await page.getByRole('heading', { name: `Fichier ${files} sur ${files}` }).waitFor();
    expect(await page.getByRole('button', { name: 'Approuver et garder' }).count()).toBe(files);
    expect(await faults(page, { impacts: 'all' })).toEqual([]);
    await page.getByRole('button', { name: 'Approuver et garder' }).nth(1).click();
    await page.getByRole('heading', { name: /Fichier 2 sur .* approuvé, gardé/ }).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Approuver et garder' }).count())
      .toBe(files - 1);
  });
});

describe('the cap of the month', () => {
  it('refuses what would pass it, in a sentence, with a row that cost nothing', async () => {
    const seat = await founder(20_000_000n, { monthlyCapMicros: 40_000n });
    await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, '/creer');
    await composed(page).waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('Une de trop');
    const preview = page.getByLabel('Aperçu');
    await preview.getByText('Le plafond du mois', { exact: false }).last().waitFor();
    await page.getByRole('button', { name: 'Générer' }).click();
    const sent = page.locator('[data-sent="cancelled"]');
    await sent.getByText(/Le plafond du mois .* serait dépassé/).waitFor();
    await sent.getByText('Annulé').waitFor();
    browser.forgetErrors();
  });
});

describe('what another page hands over arrives filled', () => {
  it('from a template, a voice, a product and a variant, and loses nothing typed before', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer');
    await composed(page).waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('Une demande en cours');
    await page.goto('/modeles/quote-card?produit=libre');
    await page.getByLabel('Citation', { exact: false }).first().fill('La flamme danse.');
    await page.getByRole('link', { name: 'Continuer dans la composition' }).click();
    await composed(page).waitFor();
    await expect.poll(() => page.getByLabel('Gabarit').inputValue()).toBe('quote-card');
    await expect.poll(() => page.getByLabel('Taille').inputValue()).toBe('1080x1080');
    await expect.poll(() => page.getByLabel('Citation').inputValue()).toBe('La flamme danse.');
    await page.getByLabel('Citation').fill('La flamme danse encore.');
    await page.reload();
    await composed(page).waitFor();
    expect(await page.getByLabel('Citation').inputValue()).toBe('La flamme danse encore.');
    await compose(page, '/creer?type=voice&voix=Lucie000Recorded0003');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Voix', exact: true }).inputValue())
      .toBe('Lucie000Recorded0003');
    await compose(page, '/creer?produit=libre&type=image');
    await expect.poll(() => page.getByLabel('Produit').first().inputValue()).toBe('libre');
    await expect
      .poll(() => page.getByLabel('Demande', { exact: true }).inputValue())
      .toBe('Une demande en cours');
    await expect.poll(() => new URL(page.url()).search).toBe('?type=image');
    const origin = await generate(browser.app, seat, IMAGE);
    await page.goto(`/journal/${origin}`);
    await page.getByRole('link', { name: 'Fond transparent' }).click();
    await composed(page).waitFor();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Modèle', exact: true }).inputValue())
      .toBe('image-transparent');
    expect(await page.getByLabel('Graine').count()).toBe(0);
    await page.getByRole('button', { name: 'Générer · retient 0,085' }).waitFor();
    await page.goto(`/journal/${origin}`);
    await page.getByRole('link', { name: 'En faire une variante' }).click();
    await composed(page).waitFor();
    await page.getByText('est une variante d’une ligne du journal').waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('La même, de nuit');
    await page.getByRole('button', { name: 'Générer · retient 0,045' }).waitFor();
    await page.getByLabel('Demande', { exact: true }).press('Control+Enter');
    await page.locator('[data-sent="done"]').waitFor();
    const variant = await seat.ctx.db.generation.findFirstOrThrow({ where: { ancestorId: origin } });
    await page.goto(`/journal/${variant.id}`);
    await page.getByRole('heading', { name: 'Lignée' }).waitFor();
    // After « En faire une génération à part », the focus moves to the send button.
    await page.goto(`/journal/${origin}`);
    await page.getByRole('link', { name: 'En faire une variante' }).click();
    await composed(page).waitFor();
    const apart = page.getByRole('button', { name: 'En faire une génération à part' });
    const focus = (button: HTMLElement | SVGElement) => {
      button.focus();
      return button === document.activeElement;
    };
    await expect.poll(() => apart.evaluate(focus)).toBe(true);
    await page.keyboard.press('Enter');
    await apart.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('submit');
  });

  it('and the composer, the journal and one generation fit a phone, whatever the kind', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, { ...IMAGE, brief: 'Bougie '.repeat(60) });
    const other = await generate(browser.app, seat, IMAGE);
    const page = await seated(browser, seat, PHONE);
    for (const kind of ['image', 'vector', 'voice', 'video', 'lipsync', 'render']) {
      await compose(page, `/creer?type=${kind}`);
      expect(await overflow(page), kind).toBeLessThanOrEqual(0);
      const chosen = page.locator('form[data-composer] label', {
        has: page.locator(`input[name=kind][value=${kind}]`),
      });
      // Within the visible part of the strip, and with its whole text.
      const inSight = () =>
        chosen.evaluate((label) => {
          const strip = label.parentElement?.getBoundingClientRect();
          const { left, right } = label.getBoundingClientRect();
          const whole = label.scrollWidth <= label.clientWidth;
          return strip !== undefined && left >= strip.left && right <= strip.right && whole;
        });
      await expect.poll(inSight, { message: kind }).toBe(true);
    }
    for (const path of [
      '/journal',
      '/journal?vue=table',
      `/journal/${id}`,
      `/journal/comparer?ids=${id},${other}`,
    ]) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      expect(await overflow(page), path).toBeLessThanOrEqual(0);
    }
  });
});
