import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { ASSUMPTIONS } from '#lib/messages/assumptions.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { gotoQuiet } from '../setup/quiet.ts';
import { enterAs, onAppDatabase, paidRow } from '../setup/scenes/app.ts';
import { furnish, leaveProduct, makeAsset } from '../setup/scenes/desk.ts';
import { useAppDatabase } from '../setup/scenes/use-app-database.ts';

const browser = useBrowser();
useAppDatabase();
const FOUNDER = () => browser.app.demo?.memberEmail ?? '';
const MEMBER = () => FOUNDER().replace(/^[^@]+/, 'louis');

const PAGES = [
  '/portefeuille',
  '/portefeuille/equipe',
  '/modeles',
  '/modeles/carousel',
  '/voix',
  '/avatars',
  '/produits',
  '/produits/proposer',
  '/exploitation',
  '/exploitation?vue=comptes',
  '/exploitation?vue=passages',
  '/exploitation?vue=fournisseurs',
];

beforeAll(async () => {
  await onAppDatabase(browser.app, async (reached) => {
    const { id: memberId, accountId } = await reached.db.member.findFirstOrThrow({
      where: { email: FOUNDER() },
    });
    const owner = { accountId, memberId };
    await furnish(reached, owner);
    await leaveProduct(reached, owner, 'ancienne-gamme');
  });
});

async function open(page: Page, email: string, path: string): Promise<Page> {
  await enterAs(page, browser.app, email);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

describe('each page', () => {
  it('passes axe and fits its screen, wide in light and narrow in dark', async () => {
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      const viewport = { width, height: 900 };
      const page = await browser.newPage({ colorScheme, viewport, reducedMotion: 'reduce' });
      await enterAs(page, browser.app, FOUNDER());
      for (const path of PAGES) {
        await gotoQuiet(page, path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const what = `${path}, ${width} in ${colorScheme}`;
        expect(await faults(page, { impacts: 'all' }), what).toEqual([]);
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(over, what).toBeLessThanOrEqual(0);
      }
    }
  });

  it('of the founders’ own tells a member who can help, and shows nothing', async () => {
    const page = await browser.newPage();
    await open(page, MEMBER(), '/exploitation');
    await page.getByText('Vous ne pouvez pas consulter l’exploitation').waitFor();
    await page.getByText('Agnès Morvan').first().waitFor();
    await page.goto('/portefeuille/equipe');
    await page.getByText('Vous ne pouvez pas consulter les portefeuilles des membres').waitFor();
    await page.goto('/produits');
    await page.getByRole('heading', { name: 'Bougies Maison Lumen' }).waitFor();
    expect(await page.getByText('Hors du registre').count()).toBe(0);
  });

  it('opens for a member with what is theirs alone', async () => {
    const page = await browser.newPage();
    await open(page, MEMBER(), '/portefeuille');
    await page.getByText('Disponible', { exact: true }).first().waitFor();
    // The time zone is named, because in Paris the UTC day begins an hour or two later.
    const reads = page.locator('a[href="/espaces#lectures"]').first();
    expect(await reads.getAttribute('data-tip')).toMatch(/Renouvelées le 1er .+ à 0\sh UTC$/);
    expect(await page.getByRole('button', { name: /Accorder/ }).count()).toBe(0);
    const founder = await onAppDatabase(browser.app, ({ db }) =>
      db.member.findFirstOrThrow({ where: { email: FOUNDER() } }),
    );
    const statement = await page.request.get(`/api/wallet/statement?memberId=${founder.id}`);
    expect(statement.status()).toBe(404);
    for (const path of ['/modeles', '/voix', '/avatars']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
  });
});

describe('the wallet', () => {
  it('gives credit after a second look, shows the line, and sets a cap that the summary says', async () => {
    const page = await browser.newPage();
    await open(page, FOUNDER(), '/portefeuille/equipe');
    const row = page.getByRole('row', { name: /Louis Perrin/ });
    await row.getByRole('button', { name: /Crédit à Louis/ }).click();
    const dialog = page.getByRole('dialog', { name: /de Louis|à Louis/ });
    await dialog.getByLabel('Montant, en $US').fill('abc');
    await dialog.getByRole('button', { name: 'Vérifier' }).click();
    await dialog.getByText('Écrivez un montant, par exemple 25 ou 12,50.').waitFor();
    await dialog.getByLabel('Montant, en $US').fill('12,50');
    await dialog.getByLabel('Note').fill('=Campagne d’hiver');
    const balance = () =>
      onAppDatabase(browser.app, async ({ db }) => {
        const { id: memberId } = await db.member.findFirstOrThrow({ where: { email: MEMBER() } });
        return (await db.wallet.findUnique({ where: { memberId } }))?.balanceMicros;
      });
    const before = await balance();
    // Neither a second Enter nor a double click grants the credit: only the button that shows the amount does.
    await dialog.getByLabel('Montant, en $US').press('Enter');
    await dialog.getByText('ni effacée').waitFor();
    await dialog.getByLabel('Montant, en $US').press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toMatch(/^Accorder 12,50/);
    await dialog.getByLabel('Montant, en $US').fill('12,5');
    await dialog.getByRole('button', { name: 'Vérifier' }).dblclick();
    await dialog.getByText('ni effacée').waitFor();
    // The server refuses an amount that was not confirmed, whatever the form sends.
    await dialog.locator('input[name=confirmed]').evaluate((field: HTMLInputElement) => {
      field.value = '1';
    });
    await dialog.getByRole('button', { name: /^Accorder 12,50/ }).click();
    await dialog.getByText('relisez le montant').waitFor();
    expect(await balance()).toEqual(before);
    await dialog.getByLabel('Montant, en $US').fill('12,50');
    await dialog.getByRole('button', { name: 'Vérifier' }).click();
    await dialog.getByRole('button', { name: /^Accorder 12,50/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: /Plafonds de Louis/ }).click();
    await dialog.getByLabel('Par mois, en $US').fill('40');
    await dialog.getByRole('button', { name: 'Enregistrer les plafonds' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText(/40,00/).waitFor();
    // A cap that another founder changed meanwhile is kept: only changed fields are sent.
    await row.getByRole('button', { name: /Plafonds de Louis/ }).click();
    const caps = (set?: { monthlyCapMicros: bigint }) =>
      onAppDatabase(browser.app, async ({ db }) => {
        const { id: memberId } = await db.member.findFirstOrThrow({ where: { email: MEMBER() } });
        return set
          ? db.wallet.update({ where: { memberId }, data: set })
          : db.wallet.findUniqueOrThrow({ where: { memberId } });
      });
    await caps({ monthlyCapMicros: 30_000_000n });
    await dialog.getByLabel('Par génération, en $US').fill('50');
    await dialog.getByRole('button', { name: 'Enregistrer les plafonds' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText(/30,00/).waitFor();
    expect(await caps()).toMatchObject({
      monthlyCapMicros: 30_000_000n,
      perGenerationCapMicros: 50_000_000n,
    });
    await row.getByRole('link', { name: /Louis Perrin/ }).click();
    await page.getByRole('heading', { name: 'Portefeuille de Louis Perrin' }).waitFor();
    await page.getByText('=Campagne d’hiver').waitFor();
    await page.getByText('Plafond du mois (UTC), débité et retenu').waitFor();
    const link = await page.getByRole('link', { name: 'Exporter en CSV' }).getAttribute('href');
    const csv = await (await page.request.get(link ?? '')).text();
    expect(csv).toContain("'=Campagne d’hiver");
    expect(csv).toContain('12,500000');
  });

  it('pages through the statement and back', async () => {
    const page = await browser.newPage();
    // A page holds fifty lines of this month, which may have only begun.
    await onAppDatabase(browser.app, async (reached) => {
      const { id: memberId, accountId } = await reached.db.member.findFirstOrThrow({
        where: { email: FOUNDER() },
      });
      for (let row = 0; row < 26; row += 1)
        await paidRow(
          reached,
          { accountId, memberId },
          { at: new Date(), heldMicros: 20_000n, costMicros: 19_000n },
        );
    });
    await open(page, FOUNDER(), '/portefeuille');
    const first = await page.getByRole('table').first().innerText();
    // All amounts of a column have the same number of decimals, so that they are aligned.
    const balances = await page.locator('td[data-label="Solde"]').allInnerTexts();
    expect(balances.length).toBeGreaterThan(1);
    const decimals = balances.map((text) => /,(\d+)/.exec(text)?.[1]?.length ?? 0);
    expect(decimals[0]).toBeGreaterThanOrEqual(2);
    expect(new Set(decimals).size).toBe(1);
    await page.getByRole('link', { name: 'Suivant', exact: true }).click();
    await page.waitForURL(/avant=/);
    await expect.poll(() => page.getByRole('table').first().innerText()).not.toBe(first);
    await page.getByRole('link', { name: 'Précédent', exact: true }).click();
    await page.waitForURL(/apres=/);
    await page.waitForFunction(
      (text) => document.querySelector('table')?.innerText.slice(0, 60) === text.slice(0, 60),
      first,
    );
  });
});

describe('a template', () => {
  it('is drawn as one types; a copy problem is marked at its place, and its correction clears it', async () => {
    const page = await browser.newPage();
    await open(page, FOUNDER(), '/modeles/quote-card?produit=libre');
    await page.getByText('Aperçu à jour').waitFor();
    const drawn = page.getByRole('img', { name: /Aperçu du gabarit/ });
    await expect
      .poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(500);
    const quote = page.getByLabel('Citation', { exact: false }).first();
    await quote.fill('La cire refroidit lentement — et le parfum reste.');
    await page.locator('mark', { hasText: '—' }).waitFor();
    await page.getByText(/point à corriger/).waitFor();
    // The field itself says what it must correct.
    await expect.poll(() => quote.getAttribute('aria-invalid')).toBe('true');
    const told = await page.getByRole('list', { name: 'À corriger' }).getAttribute('id');
    expect(await quote.getAttribute('aria-describedby')).toContain(told ?? 'nothing');
    await quote.fill('La cire refroidit lentement, et le parfum reste.');
    await page.locator('mark').waitFor({ state: 'detached' });
    await page.getByText('Aperçu à jour').waitFor();
    await page.reload();
    await expect.poll(() => quote.inputValue()).toBe('La cire refroidit lentement, et le parfum reste.');
    const href = await page.getByRole('link', { name: 'Continuer dans la composition' }).getAttribute('href');
    expect(href).toMatch(/^\/creer\?type=render&modele=quote-card&taille=1080x1080&produit=libre$/);
  });

  it('says what it still lacks in a region that was there before its words', async () => {
    const page = await browser.newPage();
    let answer = () => {};
    await page.route('**/api/templates/*/check', async (route) => {
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.continue();
    });
    await open(page, FOUNDER(), '/modeles/product-card?produit=libre');
    const region = page.getByLabel('Aperçu', { exact: true }).locator('div[role=status]');
    await region.evaluate((one) => one.setAttribute('data-first', ''));
    await expect
      .poll(() => {
        answer();
        return page.locator('[data-first]').textContent();
      })
      .toContain('À remplir');
  });

  it('keeps what was typed for its member: another one, in the same tab, finds the form and the composer empty', async () => {
    const page = await browser.newPage();
    await open(page, FOUNDER(), '/modeles/quote-card?produit=libre');
    const quote = page.getByLabel('Citation', { exact: false }).first();
    await quote.fill('Le secret de la fondatrice.');
    await page.reload();
    await expect.poll(() => quote.inputValue()).toBe('Le secret de la fondatrice.');
    // The requests of the page must end before its session is replaced.
    await page.getByText('Aperçu à jour').waitFor();
    await open(page, MEMBER(), '/modeles/quote-card?produit=libre');
    await page.getByText('Aperçu à jour').waitFor();
    expect(await quote.inputValue()).toBe('');
    await page.goto('/creer?type=render&modele=quote-card&taille=1080x1080&produit=libre');
    await page.locator('form[data-composer][data-ready]').waitFor();
    expect(await quote.inputValue()).toBe('');
    await open(page, FOUNDER(), '/modeles/quote-card?produit=libre');
    await expect.poll(() => quote.inputValue()).toBe('Le secret de la fondatrice.');
  });

  it('answers a PNG that no other site may show, and refuses who may not generate', async () => {
    const page = await browser.newPage();
    await enterAs(page, browser.app, FOUNDER());
    const data = { fields: {}, size: '1080x1080', productId: 'libre' };
    const headers = { Origin: browser.app.baseUrl };
    const drawn = await page.request.post('/api/templates/quote-card/preview', { data, headers });
    expect(drawn.headers()).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    expect(
      (
        await page.request.post('/api/templates/quote-card/preview', {
          data,
          headers: { Origin: 'https://autre.exemple' },
        })
      ).status(),
    ).toBe(403);
    expect((await page.request.post('/api/templates/inconnu/preview', { data, headers })).status()).toBe(404);
    const other = { ...data, productId: 'produit-d-un-autre' };
    expect(
      (await page.request.post('/api/templates/quote-card/preview', { data: other, headers })).status(),
    ).toBe(400);
    await onAppDatabase(browser.app, (reached) =>
      reached.db.member.updateMany({ where: { email: MEMBER() }, data: { permissions: ['brain.write'] } }),
    );
    try {
      await open(page, MEMBER(), '/modeles/quote-card');
      await page.getByText('Vous ne pouvez pas remplir un gabarit').waitFor();
      await page.goto('/modeles');
      await page.getByText('demandez le droit de générer à Agnès Morvan').waitFor();
      expect(await page.locator('main a[href^="/modeles/"]').count()).toBe(0);
      expect(await page.locator('main a[href="/api/templates/quote-card/example"]').count()).toBe(1);
      await page.goto('/produits');
      await page.getByRole('heading', { name: 'Bougies Maison Lumen' }).waitFor();
      // Links to pages that this member may not open are not shown.
      expect(await page.getByRole('link', { name: /Créer pour un produit|Voir au journal/ }).count()).toBe(0);
      expect((await page.request.post('/api/templates/quote-card/preview', { data, headers })).status()).toBe(
        403,
      );
    } finally {
      await onAppDatabase(browser.app, (reached) =>
        reached.db.member.updateMany({
          where: { email: MEMBER() },
          data: { permissions: ['brain.write', 'generate'] },
        }),
      );
    }
  });
});

describe('products', () => {
  it('that left the registry are purged once their identifier is typed, with the report', async () => {
    const page = await browser.newPage();
    await open(page, FOUNDER(), '/produits');
    await page.getByRole('button', { name: 'Purger ancienne-gamme' }).click();
    const dialog = page.locator('[data-panel]');
    await dialog.getByLabel(/Pour confirmer/).fill('ancienne');
    await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click();
    await dialog.getByText('Tapez exactement ancienne-gamme.').waitFor();
    await dialog.getByLabel(/Pour confirmer/).fill('ancienne-gamme');
    await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click();
    await dialog.getByText('La purge est complète').waitFor();
    await dialog.getByText('products/ancienne-gamme/').waitFor();
    await dialog.getByRole('button', { name: 'Fermer' }).last().click();
    await page.getByText('Déjà purgé').waitFor();
    // The focused button was removed: the focus moves to a button beside it, or to the page.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(BUTTON|MAIN)$/);
  });
});

it('an avatar says where it was used, and deleting it deletes no file', async () => {
  const assetId = await onAppDatabase(browser.app, async (reached) => {
    const { id: memberId, accountId } = await reached.db.member.findFirstOrThrow({
      where: { email: FOUNDER() },
    });
    const owner = { accountId, memberId };
    const [made, user] = await reached.db.generation.findMany({
      where: { accountId, productId: 'libre' },
      take: 2,
    });
    const at = new Date();
    const assetId = await makeAsset(reached, owner, { productId: 'libre', generationId: made?.id ?? '', at });
    const { pathname } = await reached.db.asset.findUniqueOrThrow({ where: { id: assetId } });
    await reached.db.avatar.create({
      data: {
        id: `ava_${assetId.slice(4)}`,
        ...owner,
        productId: 'libre',
        assetId,
        name: 'Agnès, portrait d’atelier',
        pathname,
        createdAt: at,
      },
    });
    await reached.pool.query(`UPDATE "Generation" SET "references" = $2 WHERE "id" = $1`, [
      user?.id,
      JSON.stringify({ roles: { character: [{ ref: assetId, pathname }] } }),
    ]);
    return assetId;
  });
  const page = await browser.newPage();
  await open(page, FOUNDER(), '/avatars');
  await page.getByText('Utilisé dans 1 génération').click();
  await page.getByRole('button', { name: /^Oublier Agnès/ }).click();
  await page.locator('[data-panel]').getByText('Le fichier n’est pas supprimé').waitFor();
  await page.getByRole('button', { name: 'Oublier l’avatar' }).click();
  await page.getByText('Un avatar garde un visage d’une génération à l’autre').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(BUTTON|MAIN)$/);
  const asset = await onAppDatabase(browser.app, (reached) =>
    reached.db.asset.findUniqueOrThrow({ where: { id: assetId } }),
  );
  expect(asset.deletedAt).toBeNull();
  // The scene's file has no bytes in the store.
  browser.forgetErrors();
});

it('a voice is heard before it is used', async () => {
  const page = await browser.newPage();
  await open(page, FOUNDER(), '/voix');
  await page.getByText('Par défaut').waitFor();
  await page.getByText('Caractères du compte de voix').waitFor();
  const extract = await page.request.get('/api/voice-desk/preview/Camille0Recorded0001');
  expect(extract.headers()['content-type']).toBe('audio/mpeg');
  expect((await extract.body()).byteLength).toBeGreaterThan(1_000);
  expect((await page.request.get('/api/voice-desk/preview/inconnue')).status()).toBe(404);
  const use = await page.getByRole('link', { name: /^Utiliser Camille/ }).getAttribute('href');
  expect(use).toBe('/creer?type=voice&voix=Camille0Recorded0001');
});

it('a founder sees what waits, runs a sweep, and reads in French what could not be verified of a model', async () => {
  const page = await browser.newPage();
  await open(page, FOUNDER(), '/exploitation');
  await page.getByRole('row', { name: /Veilleuse/ }).waitFor();
  await page.getByText(/écarts? en 30 jours/).waitFor();
  await page.getByRole('button', { name: 'Lancer une relève' }).click();
  // A toast about rows to try again stands twice: on the screen, and in the live region.
  await page
    .getByText(/Relève faite/)
    .first()
    .waitFor();
  await page.goto('/exploitation?vue=fournisseurs');
  await page.getByText('ElevenLabs').first().waitFor();
  await page.getByText('Aucune clé nécessaire').first().waitFor();
  for (const sentence of Object.values(ASSUMPTIONS))
    await page.getByText(sentence, { exact: true }).first().waitFor();
});
