import type { Page, Route } from 'playwright';
import { describe, expect, it } from 'vitest';
import { goOffline, reseat, seated } from '../../setup/brain-page.ts';
import { faults } from '../../setup/faults.ts';
import { untilQuiet } from '../../setup/quiet.ts';
import type { Seat } from '../../setup/scenes/brain.ts';
import { focused } from '../../setup/scenes/readings.ts';
import { fund, generate, IMAGE, startedAgo } from '../../setup/scenes/studio.ts';
import { composed, overflow, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, scenes, visit, founder } = useStudio();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const rowsOf = (seat: Seat) => seat.ctx.db.generation.count({ where: { accountId: seat.accountId } });
const live = (page: Page) => page.getByRole('region', { name: 'Résultat' });
const done = (page: Page) => page.locator('[data-sent="done"]');
const kind = (page: Page, value: string) => page.locator(`input[name=kind][value=${value}]`);

async function compose(page: Page, brief: string): Promise<void> {
  await composed(page).waitFor();
  await page.getByLabel('Demande', { exact: true }).fill(brief);
  await page.getByRole('button', { name: /^Générer.* · retient 0,/ }).waitFor();
}

describe('the large tile', () => {
  it('shows a press as it goes, then the file where the eye is, with what can be done with it; a reload finds it again', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer?type=image');
    // The price is shown before any text is typed; the prompt's place then asks for the text.
    await page.getByRole('button', { name: /^Générer.* · retient 0,/ }).waitFor();
    await page.getByText('Écrivez la demande\u00a0: le prompt exact paraîtra ici').waitFor();
    await compose(page, `Une bougie ${'très longue '.repeat(60)}`);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/generations', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: /^Générer/ }).click();
    await live(page).getByText('La demande part').waitFor();
    // One live region announces the whole progress, and is not replaced.
    const said = live(page).getByRole('status');
    await said.getByText('En cours').waitFor();
    await said.evaluate((one) => one.setAttribute('data-first', ''));
    expect(await faults(page)).toEqual([]);
    held.resolve();
    await done(page).waitFor();
    await live(page).locator('[data-first]').getByText('Terminé').waitFor();
    await live(page).locator('img').first().waitFor();
    await live(page).getByText('0,03 $US').waitFor();
    await live(page).getByRole('button', { name: 'Approuver et garder' }).waitFor();
    expect(await faults(page)).toEqual([]);
    const row = await seat.ctx.db.generation.findFirstOrThrow({ where: { accountId: seat.accountId } });
    await expect.poll(() => new URL(page.url()).searchParams.get('resultat')).toBe(row.id);
    await page.reload();
    await composed(page).waitFor();
    await done(page).waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route('**/creer?*', async (route) => {
      if (route.request().method() === 'POST') await answer.promise;
      await route.continue();
    });
    // Twice, as some do: the second click falls on « Rejeter », and opens nothing.
    await live(page).getByRole('button', { name: 'Approuver et garder' }).dblclick();
    await live(page).getByText('Approuvé', { exact: true }).waitFor();
    // Gone with the press, whatever it is called meanwhile: gone with the answer, it would move the others under the pointer.
    const approve = live(page).getByRole('button', { name: /^(Approuver et garder|En cours…)$/ });
    await approve.waitFor({ state: 'detached' });
    // The focus stays within the result.
    await page.waitForFunction(() => document.activeElement?.closest('[data-live]'));
    const reject = live(page).getByRole('button', { name: 'Rejeter' });
    const place = await reject.boundingBox();
    answer.resolve();
    await page.getByText('Fichier approuvé').waitFor();
    await untilQuiet(page);
    expect(await reject.boundingBox()).toEqual(place);
    expect(await page.locator('[data-panel]').count()).toBe(0);
    await reject.click();
    const dialog = page.getByRole('dialog', { name: 'Rejeter un fichier approuvé' });
    await dialog.getByText('Hors charte').click();
    await dialog.getByRole('button', { name: 'Rejeter le fichier' }).click();
    await live(page).getByText('Rejeté', { exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      live(page).getByRole('link', { name: 'Télécharger' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.(png|jpg|webp)$/);
    // The confirmation in the dialog has not sent the composer's form.
    expect(await rowsOf(seat)).toBe(1);
  });

  it('goes on to a variant, a film and a face that speaks, each in the composer with its file and its role, the result still there', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/creer?type=image&resultat=${id}`);
    await composed(page).waitFor();
    const asset = await seat.ctx.db.asset.findFirstOrThrow({ where: { generationId: id } });
    for (const [link, value, role] of [
      ['Animer', 'video', 'startImage'],
      ['Faire parler', 'lipsync', 'character'],
      ['En faire une variante', 'image', 'images'],
    ] as const) {
      await live(page).getByRole('link', { name: link }).click();
      await expect.poll(() => kind(page, value).isChecked()).toBe(true);
      const brought = page.locator(`[data-reference="${asset.id}"]`);
      await expect.poll(() => brought.getByRole('combobox').inputValue()).toBe(role);
      await done(page).waitFor();
    }
    await page.getByLabel('Demande', { exact: true }).fill('La même, le soir');
    await page.getByRole('button', { name: /^Générer · retient 0,/ }).click();
    await expect.poll(() => page.locator('[data-result]').count()).toBe(2);
    const variant = await seat.ctx.db.generation.findFirstOrThrow({ where: { ancestorId: id } });
    await page.locator(`[data-result="${id}"]`).click();
    await live(page).getByRole('heading', { name: IMAGE.brief }).waitFor();
    await page.locator(`[data-result="${variant.id}"]`).click();
    await live(page).getByRole('link', { name: 'Comparer' }).click();
    await page.waitForURL(new RegExp(`ids=${variant.id},${id}|ids=${variant.id}%2C${id}`));
  });

  it('offers of a voice what a voice can become, and nothing that only a picture or a film can', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, { kind: 'voice', text: 'Bienvenue chez Maison Lumen.' });
    const page = await visit(seat, `/creer?resultat=${id}`);
    await done(page).waitFor();
    const offered = (name: string) => live(page).getByRole('link', { name, exact: true });
    for (const name of ['Faire parler un visage', 'Reprendre ces réglages', 'Télécharger'])
      await offered(name).waitFor();
    for (const name of ['En faire une variante', 'Animer', 'Faire parler'])
      expect(await offered(name).count(), name).toBe(0);
    await offered('Faire parler un visage').click();
    await expect.poll(() => kind(page, 'lipsync').isChecked()).toBe(true);
  });

  it('says of what runs what is done now, since when, what is held and who closes it next', async () => {
    const seat = await founder();
    const id = await startedAgo(seat, { kind: 'video', case: 'cinematic', brief: 'En cours de route' }, 5);
    const page = await visit(seat, `/creer?resultat=${id}`);
    await live(page).locator('[aria-current=step]').getByText('Le modèle fait la vidéo').waitFor();
    for (const said of [
      /^\d+\smin/,
      /^Demande acceptée, .+ retenus?$/,
      /(vérification|relève automatique) dans/,
    ])
      await live(page).getByText(said).waitFor();
    // Once the session has ended, the page no longer follows the running generation, and says so.
    await seat.ctx.db.session.deleteMany({ where: { memberId: seat.ctx.actor.memberId } });
    // As when the member returns to the tab.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const back = page.getByRole('link', { name: 'Se connecter' });
    await back.waitFor();
    await page.getByText('Cette page ne se met plus à jour.').waitFor();
    expect(await back.getAttribute('href')).toContain(id);
    // The browser's own line on what was refused.
    browser.forgetErrors();
  });

  it('shows the result that is pressed while another arrives and the page’s figures are asked for again', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/creer?type=image&resultat=${id}`);
    await composed(page).waitFor();
    const slow = await page.context().newCDPSession(page);
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    for (const brief of ['La même, le soir', 'La même, à midi', 'La même, dehors', 'La même, de près']) {
      const before = await page.locator('[data-result]').count();
      await page.getByLabel('Demande', { exact: true }).fill(brief);
      await page.getByRole('button', { name: /^Générer · retient 0,/ }).click();
      await expect.poll(() => page.locator('[data-result]').count()).toBe(before + 1);
      await page.locator(`[data-result="${id}"]`).click();
      await live(page).getByRole('heading', { name: IMAGE.brief }).waitFor();
      await expect.poll(() => new URL(page.url()).searchParams.get('resultat')).toBe(id);
    }
  });

  it('shows the result that is pressed in the very moment in which another arrives', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/creer?type=image&resultat=${id}`);
    await compose(page, 'La même, le soir');
    // Presses right after React has rendered the answer, before its effects run.
    await page.evaluate((first) => {
      const press = new MutationObserver(() => {
        if (document.querySelectorAll('[data-result]').length < 2) return;
        press.disconnect();
        document.querySelector<HTMLElement>(`[data-result="${first}"]`)?.click();
      });
      press.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-result'] });
    }, id);
    await page.getByRole('button', { name: /^Générer · retient 0,/ }).click();
    await expect.poll(() => page.locator('[data-result]').count()).toBe(2);
    await live(page).getByRole('heading', { name: IMAGE.brief }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('resultat')).toBe(id);
  });

  it('shows a generation once, even if the page is refreshed before its answer comes', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/creer?type=image&resultat=${id}`);
    await compose(page, 'La même, le soir');
    // The app executes the request. Its answer, and the later request for its outcome, are withheld.
    const held: (() => void)[] = [];
    await page.route('**/api/generations*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      await new Promise<void>((go) => held.push(go));
      await route.fulfill({ response });
    });
    await page.route('**/api/generations/variants?key=*', async (route) => {
      await new Promise<void>((go) => held.push(go));
      await route.continue();
    });
    const places = page.getByRole('region', { name: 'Derniers résultats' }).getByRole('listitem');
    const reread = page.waitForResponse(
      (one) => one.request().headers().rsc === '1' && new URL(one.url()).pathname === '/creer',
    );
    try {
      await page.getByRole('button', { name: /^Générer · retient 0,/ }).click();
      await reread;
      await expect.poll(() => held.length).toBe(2);
      // Long enough to render the refreshed page.
      await page.waitForTimeout(1_000);
      expect(await places.count()).toBe(2);
    } finally {
      for (const go of held) go();
    }
    await expect.poll(() => page.locator('[data-result]').count()).toBe(2);
    expect(await places.count()).toBe(2);
  });

  it('tells a failure and its refund in its place, on a phone too, and offers to take the request up again', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, { ...IMAGE, brief: 'Ce qui échoue' }, 'provider-error');
    const page = await visit(seat, `/creer?resultat=${id}`, PHONE);
    await page.locator('[data-sent="failed"]').getByText('non débité').waitFor();
    await live(page).getByText('Le fournisseur n’a pas livré').first().waitFor();
    await live(page).getByRole('link', { name: 'Reprendre cette demande' }).waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await faults(page)).toEqual([]);
  });
});

describe('the kind', () => {
  it('is in the address: shared, and undone by « back »; what is typed stays', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer');
    await composed(page).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?type=image');
    await page.getByLabel('Demande', { exact: true }).fill('À garder');
    await kind(page, 'voice').check();
    await expect.poll(() => new URL(page.url()).search).toBe('?type=voice');
    await kind(page, 'video').check();
    await expect.poll(() => new URL(page.url()).search).toBe('?type=video');
    await page.goBack();
    await expect.poll(() => kind(page, 'voice').isChecked()).toBe(true);
    await page.goBack();
    await expect.poll(() => kind(page, 'image').isChecked()).toBe(true);
    expect(await page.getByLabel('Demande', { exact: true }).inputValue()).toBe('À garder');
    await page.goForward();
    await expect.poll(() => kind(page, 'voice').isChecked()).toBe(true);
    await page.reload();
    await composed(page).waitFor();
    expect(await kind(page, 'voice').isChecked()).toBe(true);
    // The message about a press disappears when another kind is chosen.
    await page.getByRole('button', { name: /^Générer/ }).click();
    await page.getByText('Écrivez d’abord ce que vous demandez').waitFor();
    await kind(page, 'render').check();
    await page.getByText('Écrivez d’abord ce que vous demandez').waitFor({ state: 'detached' });
  });

  it('says nothing wrong before anything is typed, whichever it is, with credit or without', async () => {
    const page = await browser.newPage();
    for (const seat of [await founder(), await scenes().seat()]) {
      await reseat(browser, page, seat);
      for (const value of ['image', 'vector', 'voice', 'video', 'lipsync', 'render']) {
        const priced = page.waitForResponse('**/api/generations/preview*');
        await page.goto(`/creer?type=${value}`);
        await composed(page).waitFor();
        await (await priced).finished();
        await page.getByLabel('Aperçu').and(page.locator('[aria-busy=false]')).waitFor();
        expect(await page.locator('main').getByRole('alert').allTextContents(), value).toEqual([]);
        expect(await page.locator('main [aria-invalid=true]').count(), value).toBe(0);
        expect(await page.locator('form[data-composer] p.text-fail').count(), value).toBe(0);
      }
    }
    browser.forgetErrors();
  });
});

describe('several at once', () => {
  it('say their price, come out side by side, and are never paid twice: by a double click, by a reload on the way, by a lost answer', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer');
    await compose(page, 'Quatre bougies');
    await page.locator('input[name=variants][value="4"]').check();
    await page.getByLabel('Aperçu').getByText('4 fois 0,03').waitFor();
    const press = page.getByRole('button', { name: 'Générer 4 images · retient 0,12' });
    // The app executes the request, and its answer is lost. One handler for the whole test: a request that is pending when a handler is
    // removed may never be answered.
    let loses = true;
    await page.route('**/api/generations/variants*', async (route) => {
      if (!loses) return route.continue();
      if (route.request().method() === 'POST') await route.fetch();
      await route.abort();
    });
    await press.dblclick();
    await page.locator('[data-sent="refused"]').getByText('La connexion a été perdue').waitFor();
    loses = false;
    await live(page).getByRole('button', { name: 'Réessayer' }).click();
    await expect.poll(() => live(page).locator('[data-variant="done"]').count()).toBe(4);
    expect(await rowsOf(seat)).toBe(4);
    expect(await faults(page)).toEqual([]);
    await page.reload();
    await composed(page).waitFor();
    await expect.poll(() => live(page).locator('[data-variant="done"]').count()).toBe(4);
    await press.click();
    const asks = page.getByRole('dialog', { name: 'Cette demande est déjà partie' });
    await asks.getByRole('button', { name: 'Générer encore 4 images · retient 0,12' }).waitFor();
    await asks.getByRole('button', { name: 'Ne rien envoyer' }).click();
    expect(await rowsOf(seat)).toBe(4);
    await live(page).getByRole('button', { name: 'Voir la 2e sur 4' }).click();
    await live(page).getByRole('button', { name: 'Approuver et garder' }).click();
    await live(page).getByText('Approuvé', { exact: true }).waitFor();
    await live(page).getByRole('button', { name: 'Les voir ensemble' }).click();
    // The page shows why the zip is refused; a plain link would fail silently.
    const all = live(page).getByRole('link', { name: 'Tout télécharger' });
    const gone = { error: { code: 'not_found', message: 'Ces fichiers sont partis.' } };
    await page.route('**/api/generations/archive*', (route) => route.fulfill({ status: 404, json: gone }));
    await all.click();
    await page.getByText('Ces fichiers sont partis.').first().waitFor();
    await page.unroute('**/api/generations/archive*');
    const [zip] = await Promise.all([page.waitForEvent('download'), all.click()]);
    expect(zip.suggestedFilename()).toMatch(/^atelier-.*\.zip$/);
    browser.forgetErrors();
  });

  it('are all refused, before anything is paid, when the wallet holds two of four: the button says what is missing', async () => {
    const seat = await founder(70_000n);
    const page = await visit(seat, '/creer');
    await compose(page, 'Deux suffiraient');
    // The live region exists before it has text.
    await page.locator('.send-bar div[role=status]').evaluate((one) => one.setAttribute('data-first', ''));
    await page.locator('input[name=variants][value="4"]').check();
    await page.getByLabel('Aperçu').getByText('Aucune des 4 générations').waitFor();
    await page.getByRole('link', { name: 'Il manque 0,05 $US · accorder un crédit' }).waitFor();
    await page.locator('.send-bar [data-first]').getByText('Vous pouvez accorder un crédit').waitFor();
    await page.getByLabel('Demande', { exact: true }).press('Control+Enter');
    expect(await rowsOf(seat)).toBe(0);
    await page.locator('input[name=variants][value="2"]').check();
    await page.getByRole('button', { name: 'Générer 2 images · retient 0,06' }).click();
    await expect.poll(() => live(page).locator('[data-variant="done"]').count()).toBe(2);
    // The balance is used up: the link that replaces the button has the focus.
    await page.getByRole('link', { name: /^Il manque/ }).waitFor();
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-lacks'));
    // A seed fixes the result, so that several variants cannot be requested.
    await page.getByLabel('Graine').fill('7');
    await page.getByText('une seule part').waitFor();
  });
});

describe('an empty wallet', () => {
  it('is told by the button, which leads to who can help', async () => {
    const seat = await founder();
    const member = await scenes().colleague(seat, ['generate']);
    await fund(member, 10_000n);
    const page = await visit(member, '/creer', PHONE);
    await page.getByText('Camille Aubry peut vous accorder un crédit').waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Il manque 0,02 $US · voir le portefeuille' }).click();
    await page.getByRole('heading', { level: 1, name: 'Portefeuille' }).waitFor();
  });
});

describe('without network', () => {
  it('the page and what it holds stay, a press waits, says so and can be withdrawn, rail links too, and it leaves once the network is back', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer');
    await compose(page, 'Une bougie sans réseau');
    // The live region exists before it has text.
    await page.locator('.send-bar p[role=status]').evaluate((one) => one.setAttribute('data-first', ''));
    await goOffline(page);
    await page.locator('.send-bar [data-first]').getByText('Ce que vous écrivez est gardé ici').waitFor();
    await page.getByRole('button', { name: 'Générer au retour du réseau' }).click();
    await page.locator('[data-sent="waiting"]').getByText('cette demande attend ici').waitFor();
    // Withdrawn, then pressed again: only one request is sent.
    await live(page).getByRole('button', { name: 'Oublier cette demande' }).click();
    await page.locator('[data-sent="waiting"]').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^(BUTTON|MAIN)$/);
    await page.getByRole('button', { name: 'Générer au retour du réseau' }).click();
    await page.locator('[data-sent="waiting"]').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Journal' }).first().click();
    await page.getByText('Vous ouvrirez « Journal » quand il sera revenu').waitFor();
    expect(new URL(page.url()).pathname).toBe('/creer');
    expect(await page.getByLabel('Demande', { exact: true }).inputValue()).toBe('Une bougie sans réseau');
    expect(await rowsOf(seat)).toBe(0);
    // Another request, withdrawn in another tab: the waiting requests are shared by all tabs.
    await page.getByLabel('Demande', { exact: true }).fill('Une autre');
    await page.getByRole('button', { name: 'Générer au retour du réseau' }).click();
    await live(page).getByRole('heading', { name: 'Une autre' }).waitFor();
    await page.evaluate((name) => {
      const kept = JSON.parse(localStorage.getItem(name) ?? '[]') as { title: string }[];
      const closed = kept.map((one) => (one.title === 'Une autre' ? { ...one, state: 'closed' } : one));
      localStorage.setItem(name, JSON.stringify(closed));
    }, `atelier.demandes.${seat.ctx.actor.memberId}`);
    await page.context().setOffline(false);
    await done(page).waitFor();
    expect(await rowsOf(seat)).toBe(1);
    browser.forgetErrors();
  });
});

describe('without network before the parts of the page came', () => {
  it('a press waits, and leaves once the network is back; so come the parts, with its result', async () => {
    const seat = await founder();
    const page = await seated(browser, seat);
    const document = await (await page.request.get(`${browser.app.baseUrl}/creer`)).text();
    let network: 'slow' | 'away' | 'back' = 'slow';
    const held: Route[] = [];
    // What the document names comes; what it loads ahead of a use is on its way as the network goes. One handler for the whole test:
    // a request that is asked for between two of them may never be answered.
    await page.route('**/_next/static/chunks/*.js', async (route) => {
      if (network === 'away') return route.abort('internetdisconnected');
      if (network === 'back' || document.includes(new URL(route.request().url()).pathname))
        return route.continue();
      held.push(route);
    });
    // Not by the page's own `goto`, which waits for what is withheld here.
    await page.mainFrame().goto('/creer');
    await compose(page, 'Une bougie sans réseau');
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await page.context().setOffline(true);
    network = 'away';
    await Promise.all(held.map((route) => route.abort('internetdisconnected')));
    await page.getByRole('button', { name: 'Générer au retour du réseau' }).click();
    // The part of the result, then the code for a missing part, fail without network: whichever fails after its return is said to be missing.
    await untilQuiet(page);
    network = 'back';
    await page.context().setOffline(false);
    await done(page).waitFor();
    await live(page).locator('img').first().waitFor();
    expect(await page.getByText('Rechargez la page').count()).toBe(0);
    expect(await rowsOf(seat)).toBe(1);
    browser.forgetErrors();
  });
});

describe('the first image of a fresh account', () => {
  it('is four clicks from the page of first steps, and is there with its cost', async () => {
    const seat = await scenes().seat();
    await fund(seat, 5_000_000n);
    const page = await visit(seat, '/espaces');
    await page.evaluate(() => {
      const counted = window as unknown as { clicks: number };
      counted.clicks = 0;
      document.addEventListener('click', (event) => event.isTrusted && counted.clicks++, true);
    });
    const startedAt = performance.now();
    await page.getByRole('link', { name: 'Créer une première image' }).click();
    await composed(page).waitFor();
    const composedAt = performance.now();
    await page.getByLabel('Demande', { exact: true }).click();
    await page.keyboard.type('Une bougie ambrée sur une table');
    await page.getByRole('button', { name: 'Générer · retient 0,03' }).click();
    await done(page).waitFor();
    await expect
      .poll(() =>
        live(page)
          .locator('img')
          .first()
          .evaluate((one: HTMLImageElement) => one.naturalWidth),
      )
      .toBeGreaterThan(0);
    const endedAt = performance.now();
    const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks);
    const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
    console.log(
      `first image: ${clicks} clicks, ${seconds(startedAt, endedAt)} s (composer there after ${seconds(startedAt, composedAt)} s)`,
    );
    expect(clicks).toBeLessThanOrEqual(4);
    await live(page).getByText('0,03 $US').waitFor();
  });
});
