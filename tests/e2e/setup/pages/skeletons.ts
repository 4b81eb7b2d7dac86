import type { Page } from 'playwright';
import type { Scenes } from '../scenes/brain.ts';
import { holdReadings } from '../scenes/readings.ts';
import type { ShownPage } from './brain.ts';

/** One page for each shape of skeleton, by the skeleton's name, with the second key of its `g …` shortcut. */
const PLACES = {
  cartes: { path: '/espaces', key: 'e' },
  recherche: { path: '/recherche', key: 'r' },
  contexte: { path: '/contexte', key: 'x' },
  creer: { path: '/creer', key: 'c' },
  journal: { path: '/journal', key: 'j' },
  portefeuille: { path: '/portefeuille', key: 's' },
  produits: { path: '/produits', key: 'p' },
  voix: { path: '/voix', key: 'v' },
  avatars: { path: '/avatars', key: 'a' },
  exploitation: { path: '/exploitation', key: 'o' },
  liste: { path: '/equipe', key: 'q' },
};

/** Navigates to a path whose answer is withheld, until its skeleton is shown. The request ends with the page. */
const setOut = (path: string, go: (page: Page) => Promise<void>) => async (page: Page) => {
  await holdReadings(page, new RegExp(`${path}(\\?|$)`));
  await go(page);
  await page.locator('[data-page-skeleton]').waitFor();
};

/** By the keyboard, which works at any width. */
const byKeys = (key: string) => async (page: Page) => {
  await page.keyboard.press('g');
  await page.keyboard.press(key);
};

/** By a scripted click: a real pointer would stay over the page that is shown afterwards. */
const byLink = (path: string) => (page: Page) =>
  page
    .locator(`main a[href^="${path}"]`)
    .first()
    .evaluate((link: HTMLElement) => link.click());

/** The skeletons shown while a page loads, one of each shape. */
export async function skeletonPages(scenes: Scenes): Promise<ShownPage[]> {
  const seat = await scenes.seat();
  const spaceId = await scenes.space(seat, 'Maison Aubry');
  await scenes.journal(seat, 2);
  const { id: rowId } = await seat.ctx.db.generation.findFirstOrThrow({
    where: { accountId: seat.accountId },
  });
  const late = (name: string, from: string, to: string, go: (page: Page) => Promise<void>): ShownPage => ({
    name: `attente-${name}`,
    path: from,
    cookie: seat.cookie,
    prepare: setOut(to, go),
  });
  const below = (name: string, from: string, to: string) => late(name, from, to, byLink(to));
  return [
    ...Object.entries(PLACES).map(([name, { path, key }]) => late(name, '/compte', path, byKeys(key))),
    below('espace', '/espaces', `/espaces/${spaceId}`),
    below('ligne', '/journal', `/journal/${rowId}`),
    below('modele', '/modeles', '/modeles/quote-card'),
  ];
}
