import type { Page } from 'playwright';
import { until } from '#tests/setup/until.ts';
import { goOffline } from '../brain-page.ts';
import type { Scenes, Seat } from '../scenes/brain.ts';
import { furnish } from '../scenes/desk.ts';
import { failedAgo, fund, generate, IMAGE, RENDER, startedAgo } from '../scenes/studio.ts';
import type { ServedApp } from '../serve.ts';
import type { ShownPage } from './brain.ts';

const LONG_BRIEF = `${'Une bougie ambrée posée sur une table en chêne, lumière du matin, très peu d’objets autour. '.repeat(12)}Anticonstitutionnellement-et-irrévocablement-insécable`;

const CAROUSEL = {
  kind: 'render',
  template: 'carousel',
  size: '1080x1350',
  fields: {
    title: 'Prendre soin d’une bougie',
    slides: [{ title: 'Laissez fondre' }, { title: 'Coupez la mèche' }],
    closing: 'Gardez cette page.',
  },
};

/** Adds two images as products, without the mask that a product needs, and presses « Générer », which sends nothing. */
async function leaveOut(page: Page): Promise<void> {
  await page.getByLabel('Demande', { exact: true }).fill('La bougie sur une table en chêne');
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } });
  const files = page.locator('form[data-composer] input[type=file]');
  for (const name of ['bougie-ambree.png', 'bougie-de-profil.png'])
    await files.setInputFiles({ name, mimeType: 'image/png', buffer });
  const references = page.locator('[data-reference^="upl_"]');
  for (const at of [0, 1]) await references.nth(at).getByRole('combobox').selectOption('product');
  await page.getByRole('button', { name: /^Générer/ }).click();
  await page.getByText('Rien n’a été envoyé').scrollIntoViewIfNeeded();
}

async function askFour(page: Page): Promise<void> {
  await page.getByLabel('Demande', { exact: true }).fill(LONG_BRIEF);
  await page.locator('input[name=variants][value="4"]').check();
  await page.getByRole('button', { name: /^Générer 4 images · retient/ }).click();
  await page.locator('[data-sent="done"] [data-variant="done"]').nth(3).waitFor();
}

async function askAgain(page: Page): Promise<void> {
  await page.getByLabel('Demande', { exact: true }).fill('La bougie sur une table en chêne');
  await page.getByRole('button', { name: /^Générer · retient/ }).click();
  await page.locator('[data-sent="done"]').waitFor();
  await page.getByRole('button', { name: /^Générer · retient/ }).click();
  await page.getByRole('dialog', { name: 'Cette demande est déjà partie' }).waitFor();
}

async function chooseReferences(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choisir', exact: true }).click();
  await page.locator('[data-offered]').first().click();
}

async function pressOffline(page: Page): Promise<void> {
  await page.getByLabel('Demande', { exact: true }).fill('La bougie sur une table en chêne');
  await page.getByRole('button', { name: /^Générer · retient/ }).waitFor();
  await goOffline(page);
  await page.getByRole('button', { name: 'Générer au retour du réseau' }).click();
  await page.locator('[data-sent="waiting"]').waitFor();
}

/** Paints a stroke on the mask, with the keyboard. */
async function paintMask(page: Page): Promise<void> {
  await page.getByLabel('Demande', { exact: true }).fill('Un bouquet de lavande');
  const canvas = page.getByRole('region', { name: 'Masque' }).getByRole('application');
  await canvas.focus();
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.getByText('Peignez ce qui doit changer').scrollIntoViewIfNeeded();
}

/** Chooses three rows of the review queue. */
async function chooseThree(page: Page): Promise<void> {
  const boxes = page.locator('[data-generation]').getByRole('checkbox');
  for (const at of [0, 1, 2]) await boxes.nth(at).check();
}

async function askWhy(page: Page): Promise<void> {
  await chooseThree(page);
  await page.getByRole('button', { name: 'Rejeter', exact: true }).click();
  await page.locator('[data-panel]').getByText('Hors charte').click();
}

async function showWhole(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Voir en grand' }).first().click();
  await page.locator('[data-lightbox] img').waitFor();
}

async function showKeys(page: Page): Promise<void> {
  await page.locator('[data-generation]').first().waitFor();
  await page.keyboard.press('?');
  await page.getByText('Raccourcis clavier').waitFor();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('[cmdk-input]').waitFor();
}

async function findInPalette(page: Page): Promise<void> {
  await openPalette(page);
  await page.locator('[cmdk-input]').fill('bougie');
  await page.locator('[data-answers="bougie"]').waitFor();
}

/** Waits for the price, which is shown once the draft is read. */
async function keepOpen(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Générer · retient/ }).waitFor();
}

/** The pages of the Studio: after a month of use, with each way in which a generation can end, empty, and for a member without rights. */
export async function studioPages(
  app: ServedApp,
  scenes: Scenes,
  demoCookie: Seat['cookie'],
): Promise<ShownPage[]> {
  const demo = { cookie: demoCookie };
  const empty = await scenes.seat();
  const member = await scenes.colleague(empty, []);
  const busy = await scenes.seat();
  await fund(busy, 50_000_000n);
  await furnish(scenes.reached, {
    accountId: busy.accountId,
    memberId: busy.ctx.actor.memberId,
  });
  const seat = await scenes.seat();
  await fund(seat, 50_000_000n, { monthlyCapMicros: 60_000_000n });
  const image = await generate(app, seat, { ...IMAGE, brief: LONG_BRIEF });
  const other = await generate(app, seat, { ...IMAGE, brief: 'Veilleuse de céramique, vue de face' });
  await generate(app, seat, { kind: 'vector', brief: 'Une flamme stylisée' });
  const voice = await generate(app, seat, {
    kind: 'voice',
    text: 'La lumière du matin tombe sur la table. Tout est calme, et la lampe attend le soir.',
  });
  const spare = await generate(
    app,
    seat,
    { ...IMAGE, brief: 'Faite par le second modèle' },
    'model-unavailable',
  );
  const failed = await generate(app, seat, { ...IMAGE, brief: 'Ce qui échoue' }, 'provider-error');
  await generate(app, seat, { ...IMAGE, brief: 'Ce dont le débit attend' }, 'settlement-failure');
  const video = await generate(app, seat, { kind: 'video', case: 'veo', brief: 'La flamme vacille' });
  const render = await generate(app, seat, {
    kind: 'render',
    template: 'quote-card',
    size: '1080x1080',
    fields: { quote: 'La lumière ne fait pas de bruit.', author: 'Camille Aubry' },
  });
  const several = await generate(app, seat, CAROUSEL);
  const quota = await failedAgo(seat, RENDER, 'quota', 20);
  const silent = await startedAgo(seat, RENDER, 110);
  const crowd = await scenes.seat();
  await scenes.journal(crowd, 10_000);
  const late = await startedAgo(seat, { kind: 'video', case: 'veo', brief: 'Jamais finie' }, 130);
  const running = await startedAgo(seat, { kind: 'video', case: 'cinematic', brief: 'En cours de route' }, 1);
  await until(
    'the jobs of the pages to end',
    async () => {
      const open = await seat.ctx.db.generation.count({
        where: { id: { in: [video, render, several] }, closedAt: null },
      });
      if (open > 0)
        for (const id of [video, render, several])
          await fetch(`${app.baseUrl}/api/generations/${id}`, {
            headers: { cookie: `${seat.cookie.name}=${seat.cookie.value}` },
          });
      return open === 0;
    },
    1_000,
  );
  const mine = { cookie: seat.cookie };
  const kept = await seat.ctx.db.asset.findFirstOrThrow({ where: { generationId: other } });
  const retouched = `/creer?reference=${kept.id}&ancetre=${other}&produit=libre`;
  const kinds = ['image', 'vector', 'voice', 'video', 'lipsync', 'render'];
  return [
    ...kinds.map((kind) => ({ name: `creer-${kind}`, path: `/creer?type=${kind}`, ...mine })),
    { name: 'creer-reprendre', path: `/creer?reprendre=${image}`, ...mine },
    { name: 'creer-retouche', path: `${retouched}&cas=image-edit`, ...mine, prepare: paintMask },
    { name: 'creer-agrandir', path: `${retouched}&cas=image-upscale`, ...mine, prepare: keepOpen },
    { name: 'creer-non-envoyee', path: '/creer', ...mine, prepare: leaveOut },
    { name: 'creer-resultat', path: `/creer?type=image&resultat=${image}`, ...mine },
    { name: 'creer-resultat-voix', path: `/creer?type=voice&resultat=${voice}`, ...mine },
    { name: 'creer-resultat-echec', path: `/creer?type=image&resultat=${failed}`, ...mine },
    { name: 'creer-resultat-en-cours', path: `/creer?type=video&resultat=${running}`, ...mine },
    { name: 'creer-plusieurs', path: '/creer?type=image', ...mine, prepare: askFour },
    { name: 'creer-encore', path: '/creer?type=image', ...mine, prepare: askAgain },
    { name: 'creer-choisir', path: '/creer?type=image', ...mine, prepare: chooseReferences },
    { name: 'creer-sans-reseau', path: '/creer?type=image', ...mine, prepare: pressOffline },
    { name: 'creer-sans-credit', path: '/creer?type=video', cookie: empty.cookie },
    { name: 'creer-membre', path: '/creer', cookie: member.cookie },
    { name: 'journal', path: '/journal', ...mine },
    { name: 'journal-tableau', path: '/journal?vue=table', ...mine },
    { name: 'journal-mois', path: '/journal', cookie: busy.cookie },
    { name: 'journal-mois-tableau', path: '/journal?vue=table', cookie: busy.cookie },
    { name: 'journal-foule', path: '/journal', cookie: crowd.cookie },
    { name: 'journal-vide', path: '/journal', cookie: empty.cookie },
    { name: 'a-verifier', path: '/journal?review=to-review', ...mine },
    {
      name: 'a-verifier-choix',
      path: '/journal?review=to-review',
      ...mine,
      prepare: chooseThree,
    },
    { name: 'a-verifier-rejet', path: '/journal?review=to-review', ...mine, prepare: askWhy },
    { name: 'palette', path: '/journal', ...mine, prepare: openPalette },
    { name: 'palette-trouve', path: '/journal', ...mine, prepare: findInPalette },
    { name: 'journal-rien', path: '/journal?q=zzzz', ...mine },
    { name: 'journal-comparer', path: `/journal/comparer?ids=${image},${other}`, ...mine },
    {
      name: 'journal-comparer-quatre',
      path: `/journal/comparer?ids=${image},${other},${spare},${several}`,
      ...mine,
    },
    { name: 'journal-comparer-rien', path: '/journal/comparer', ...mine },
    { name: 'plein-ecran', path: `/journal/${other}?kind=image`, ...mine, prepare: showWhole },
    { name: 'touches', path: '/journal', ...mine, prepare: showKeys },
    ...Object.entries({
      image,
      spare,
      voice,
      failed,
      video,
      render,
      several,
      quota,
      silent,
      late,
      running,
    }).map(([name, id]) => ({
      name: `ligne-${name}`,
      path: `/journal/${id}`,
      ...mine,
    })),
    { name: 'voix', path: '/voix', ...mine },
    { name: 'avatars-vide', path: '/avatars', ...mine },
    { name: 'envois', path: '/envois', ...mine },
    { name: 'envois-vide', path: '/envois', cookie: empty.cookie },
    { name: 'produits', path: '/produits', ...demo },
    { name: 'proposer-produit', path: '/produits/proposer?produit=lumen-bougies', ...demo },
    {
      name: 'proposer-refuse',
      path: '/produits/proposer',
      ...demo,
      prepare: async (page) => {
        await page.getByLabel('Identifiant').fill('Savon noir');
        await page.getByLabel('Boutiques d’où lire une référence').fill('https://www.savonnerie.fr/');
        await page.getByRole('button', { name: 'Préparer la demande' }).click();
        await page.getByText('Rien n’est parti').waitFor();
      },
    },
    {
      name: 'proposer-pret',
      path: '/produits/proposer?produit=lumen-bougies',
      ...demo,
      prepare: async (page) => {
        await page.getByLabel('Ton').fill('Calme et précis.');
        await page.getByRole('button', { name: 'Préparer la demande' }).click();
        await page.getByRole('heading', { name: 'La demande est prête' }).waitFor();
      },
    },
    { name: 'produits-vide', path: '/produits', cookie: empty.cookie },
    { name: 'modeles', path: '/modeles', ...mine },
    { name: 'modele', path: '/modeles/quote-card', ...mine },
    { name: 'modele-carrousel', path: '/modeles/carousel', ...mine },
    { name: 'portefeuille', path: '/portefeuille', cookie: busy.cookie },
    { name: 'portefeuille-vide', path: '/portefeuille', cookie: empty.cookie },
    { name: 'portefeuille-equipe', path: '/portefeuille/equipe', cookie: busy.cookie },
    {
      name: 'portefeuille-crediter',
      path: '/portefeuille/equipe',
      cookie: busy.cookie,
      prepare: async (page) => {
        await page
          .getByRole('button', { name: /^Crédit/ })
          .first()
          .click();
        await page.getByLabel('Montant, en $US').fill('12,50');
        await page.getByLabel('Montant, en $US').press('Enter');
      },
    },
    { name: 'exploitation', path: '/exploitation', cookie: busy.cookie },
    { name: 'exploitation-service', path: '/exploitation', ...demo },
    { name: 'exploitation-comptes', path: '/exploitation?vue=comptes', ...demo },
    {
      name: 'exploitation-fermer',
      path: '/exploitation?vue=comptes',
      ...demo,
      prepare: onAccount('Fermer le compte'),
    },
    { name: 'exploitation-membre', path: '/exploitation', cookie: member.cookie },
  ];
}

/** Opens the dialog of one of the operator's less frequent actions on an account. */
const onAccount = (act: string) => async (page: Page) => {
  await page
    .getByRole('button', { name: /^Autres actions sur le compte/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: act }).click();
  await page.locator('[data-panel]').waitFor();
};
