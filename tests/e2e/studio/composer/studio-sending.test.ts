import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { faults } from '../../setup/faults.ts';
import type { Seat } from '../../setup/scenes/brain.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { composed, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();

const rowsOf = (seat: Seat) => seat.ctx.db.generation.count({ where: { accountId: seat.accountId } });
const send = (page: Page) => page.getByRole('button', { name: /^Générer/ });
const done = (page: Page) => page.locator('[data-sent="done"]');
/** The headers that an HTTP client sets itself, which are not copied. */
const TRANSPORT = /^(:|content-length$|host$|connection$)/;
const results = (page: Page, status: string) => page.locator(`[data-result][data-status="${status}"]`);

async function compose(seat: Seat, path: string, brief: string): Promise<Page> {
  const page = await visit(seat, path);
  await composed(page).waitFor();
  await page.getByLabel('Demande', { exact: true }).fill(brief);
  await page.getByRole('button', { name: 'Générer · retient 0,03' }).waitFor();
  return page;
}

describe('one press is one request', () => {
  it('a double click or keys held down make one row; after the answer, the same request asks for confirmation before it makes another', async () => {
    const seat = await founder();
    const page = await compose(seat, '/creer', 'Une bougie');
    await send(page).dblclick();
    await done(page).waitFor();
    expect(await rowsOf(seat)).toBe(1);
    // The result may be shown before the answer is there: until then, the keys repeat the press under way.
    await page.getByRole('button', { name: 'Générer · retient 0,03' }).waitFor();
    await page.getByLabel('Demande', { exact: true }).focus();
    await page.keyboard.down('Control');
    for (let times = 0; times < 8; times += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.up('Control');
    const asks = page.getByRole('dialog', { name: 'Cette demande est déjà partie' });
    await asks.getByText('retenue et débitée en plus').waitFor();
    expect(await faults(page)).toEqual([]);
    await asks.getByRole('button', { name: 'Ne rien envoyer' }).click();
    await asks.waitFor({ state: 'detached' });
    // After a reload, the page still shows the result of the request, and sends no other.
    await page.reload();
    await composed(page).waitFor();
    await done(page).waitFor();
    expect(await rowsOf(seat)).toBe(1);
    await page.getByRole('button', { name: 'Générer · retient 0,03' }).click();
    await asks.getByRole('button', { name: 'Générer encore · retient 0,03' }).click();
    await expect.poll(() => results(page, 'done').count()).toBe(2);
    expect(await rowsOf(seat)).toBe(2);
  });

  it('whose result is shown before its answer comes counts as answered: pressed again, it asks for confirmation', async () => {
    const seat = await founder();
    const page = await compose(seat, '/creer', 'Une boussole');
    const answer = Promise.withResolvers<void>();
    await page.route(
      '**/api/generations',
      async (route) => {
        const response = await route.fetch();
        await answer.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await send(page).click();
    await done(page).waitFor();
    await send(page).click();
    const asks = page.getByRole('dialog', { name: 'Cette demande est déjà partie' });
    await asks.getByRole('button', { name: 'Générer encore · retient 0,03' }).click();
    await expect.poll(() => results(page, 'done').count()).toBe(2);
    answer.resolve();
    await page.waitForResponse('**/api/generations**');
    expect(await results(page, 'done').count()).toBe(2);
    expect(await rowsOf(seat)).toBe(2);
  });

  it('whose answer was lost is not made twice when pressed again, after a reload too', async () => {
    const seat = await founder();
    const page = await compose(seat, '/creer', 'Une lanterne');
    // The app executes the request, and its answer is lost.
    await page.route(
      '**/api/generations',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 2 },
    );
    await page.route('**/api/generations/variants?*', (route) => route.abort());
    for (let times = 0; times < 2; times += 1) {
      await send(page).click();
      await page.locator('[data-sent="refused"]').getByText('La connexion a été perdue').waitFor();
    }
    // Reloaded while the app does not answer, the page does not know the outcome, and does not claim that nothing was debited.
    await page.reload();
    await composed(page).waitFor();
    await page.locator('[data-sent="refused"]').getByText('La connexion a été perdue').waitFor();
    expect(await page.getByText('rien n’a été débité').count()).toBe(0);
    await page.unroute('**/api/generations/variants?*');
    await page.reload();
    await composed(page).waitFor();
    // The page finds the generation by the key of its request.
    await done(page).waitFor();
    expect(await rowsOf(seat)).toBe(1);
    browser.forgetErrors();
  });
});

describe('a press whose answer was lost and that arrives late', () => {
  it('is paid once, although the next press was refused, put away, and pressed again after a reload', async () => {
    const seat = await founder();
    const page = await compose(seat, '/creer', 'Une veilleuse');
    const refusal = { error: { code: 'reference-refused', message: 'Cette référence est refusée.' } };
    const presses: { headers: Record<string, string>; data: string }[] = [];
    await page.route(
      '**/api/generations',
      async (route) => {
        const asked = route.request();
        const sent = Object.entries(await asked.allHeaders());
        const headers = Object.fromEntries(sent.filter(([name]) => !TRANSPORT.test(name)));
        presses.push({ headers, data: asked.postData() ?? '' });
        await (presses.length === 1 ? route.abort() : route.fulfill({ status: 422, json: refusal }));
      },
      { times: 2 },
    );
    const refused = page.locator('[data-sent="refused"]');
    await send(page).click();
    await refused.getByText('La connexion a été perdue').waitFor();
    await send(page).click();
    await refused.getByText(refusal.error.message).waitFor();
    await refused.getByRole('button', { name: 'Oublier cette demande' }).click();
    await refused.waitFor({ state: 'detached' });
    const [first, second] = presses;
    if (!first || !second) throw new Error('two presses');
    expect(second.headers['idempotency-key']).toBe(first.headers['idempotency-key']);
    // The first request arrives late, with the same key.
    const late = await page.context().request.post(new URL('/api/generations', page.url()).href, first);
    expect(late.status()).toBe(201);
    await page.reload();
    await composed(page).waitFor();
    const answer = page.waitForResponse('**/api/generations');
    await send(page).click();
    // The generation of the first press, returned as a replay.
    expect((await answer).status()).toBe(200);
    await done(page).waitFor();
    expect(await rowsOf(seat)).toBe(1);
    browser.forgetErrors();
  });
});

describe('a lost answer', () => {
  it('is looked for by the key of its request, and shown as if it had come', async () => {
    const seat = await founder();
    const page = await compose(seat, '/creer', 'Un bougeoir');
    const lost = Promise.withResolvers<void>();
    await page.route('**/api/generations', async (route) => {
      await route.fetch();
      await route.abort();
      lost.resolve();
    });
    await send(page).click();
    await done(page).waitFor();
    // A page that asks meanwhile may find the row first: closed then, it would fail the handler.
    await lost.promise;
    expect(await rowsOf(seat)).toBe(1);
    browser.forgetErrors();
  });
});

describe('the money shown', () => {
  it('is always that of the current request, and follows each generation, in the header too, while one types', async () => {
    const seat = await founder();
    const page = await compose(seat, `/creer?type=image`, 'Une bougie');
    const header = page.getByRole('banner').getByRole('link', { name: /Disponible/ });
    const preview = page.getByLabel('Aperçu');
    await header.getByText('20,00').waitFor();
    // One handler for the whole test: a request that is pending when a handler is removed may never be answered.
    const held = Promise.withResolvers<void>();
    await page.route('**/api/generations/preview', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByLabel('Demande', { exact: true }).fill('Une bougie et');
    await page.getByRole('button', { name: 'Générer · calcul…' }).waitFor();
    expect(await preview.getByText('calcul…').count()).toBe(2);
    held.resolve();
    await page.getByRole('button', { name: 'Générer · retient 0,03' }).waitFor();
    await send(page).click();
    await page.getByLabel('Demande', { exact: true }).fill('Une bougie et son ombre');
    await done(page).waitFor();
    await header.getByText('19,97').waitFor();
    await preview.getByText('19,97').waitFor();
    await preview.getByText('19,94').waitFor();
    expect(await page.getByLabel('Demande', { exact: true }).inputValue()).toBe('Une bougie et son ombre');
    expect(await done(page).count()).toBe(1);
  });

  it('is read once at a time, and never by loading a new document', async () => {
    const seat = await founder();
    // The composer adds `type` to the address without the router.
    const page = await visit(seat, '/creer');
    await composed(page).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('type')).toBe('image');
    await page.evaluate(() => Reflect.set(window, 'isFirst', true));
    const readings = { open: 0, most: 0, done: 0 };
    await page.route(/\/creer\?/, async (route) => {
      const headers = route.request().headers();
      const isPrefetch = Object.keys(headers).some((name) => name.endsWith('-prefetch'));
      if (headers.rsc !== '1' || isPrefetch) return route.continue();
      readings.open += 1;
      readings.most = Math.max(readings.most, readings.open);
      await new Promise((go) => setTimeout(go, 500));
      readings.open -= 1;
      readings.done += 1;
      // The last request may outlive its page.
      await route.continue().catch(() => undefined);
    });
    await page.evaluate(() => {
      const moved = () => window.dispatchEvent(new Event('online'));
      moved();
      setTimeout(moved, 100);
    });
    await expect.poll(() => readings.done >= 2 && readings.open === 0).toBe(true);
    const isFirst = await page.evaluate(() => Reflect.get(window, 'isFirst'));
    expect({ most: readings.most, isFirst }).toEqual({ most: 1, isFirst: true });
  });
});

describe('what was written or brought', () => {
  it('is emptied for its kind alone, and comes back', async () => {
    const seat = await founder();
    const page = await compose(seat, '/creer', 'À garder');
    await page.locator('input[name=kind][value=voice]').check();
    await page.getByLabel('Texte à dire').fill('Bonjour');
    await page.getByRole('button', { name: 'Vider' }).click();
    expect(await page.getByLabel('Texte à dire').inputValue()).toBe('');
    // The form is empty: the button is marked as disabled, and keeps the focus.
    await page.getByRole('button', { name: 'Vider', disabled: true }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Annuler' }).click();
    await expect.poll(() => page.getByLabel('Texte à dire').inputValue()).toBe('Bonjour');
    await page.locator('input[name=kind][value=image]').check();
    expect(await page.getByRole('textbox', { name: 'Demande' }).inputValue()).toBe('À garder');
  });

  it('is brought back after a row of the journal took its place', async () => {
    const seat = await founder();
    const page = await compose(seat, '/creer', 'Mon brouillon');
    const id = await generate(browser.app, seat, IMAGE);
    const offer = page.getByRole('button', { name: 'Retrouver votre brouillon' });
    // Pointed at as soon as it is there, the offer stays: its ten seconds may end before the page is ready.
    await Promise.all([page.goto(`/creer?reprendre=${id}`), offer.hover()]);
    await expect.poll(() => page.getByLabel('Demande', { exact: true }).inputValue()).toBe(IMAGE.brief);
    await offer.click();
    await expect.poll(() => page.getByLabel('Demande', { exact: true }).inputValue()).toBe('Mon brouillon');
  });

  it('a reference that would not be sent says so; a product without its mask stops the request', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer');
    await composed(page).waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('Avec un produit');
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } });
    for (const name of ['a.png', 'b.png'])
      await page
        .locator('form[data-composer] input[type=file]')
        .setInputFiles({ name, mimeType: 'image/png', buffer });
    const references = page.locator('[data-reference^="upl_"]');
    await expect.poll(() => references.count()).toBe(2);
    const [first, second] = [references.nth(0), references.nth(1)];
    // The live region exists before it has text.
    await first.locator('[role=status]').evaluate((one) => one.setAttribute('data-first', ''));
    await first.getByRole('combobox').selectOption('product');
    await first.locator('[data-first]').getByText('Non envoyée').waitFor();
    await send(page).click();
    await page.getByRole('alert').getByText('Rien n’a été envoyé').waitFor();
    await second.getByRole('combobox').selectOption('product');
    await second.getByText('Une seule').waitFor();
    await second.getByRole('combobox').selectOption('mask');
    await page.getByText('Non envoyée').waitFor({ state: 'detached' });
    expect(await rowsOf(seat)).toBe(0);
  });
});
