import { DOC_SLUGS, pathOf } from '#app/_docs/writing/slugs.ts';
import type { Scenes, Seat } from '../scenes/brain.ts';
import { eventsScene } from '../scenes/events.ts';
import type { ShownPage } from './brain.ts';

/** The pages for signing in, for the account and for developers, as seen in the demonstration account, in an empty one, and by a member. */
export async function accountPages(scenes: Scenes, demoCookie: Seat['cookie']): Promise<ShownPage[]> {
  const demo = { cookie: demoCookie };
  const empty = await scenes.seat();
  const member = await scenes.colleague(empty, []);
  const invited = await scenes.seat();
  await scenes.invite(empty, invited);
  const told = await eventsScene(scenes);
  const sharing = await scenes.seat();
  const shared = await scenes.space(sharing, 'Pour l’imprimeur');
  await scenes.space(sharing, 'Fermé aux autres');
  await scenes.colleague(sharing, ['brain.write']);
  return [
    { name: 'connexion', path: '/connexion' },
    {
      name: 'connexion-code',
      path: '/connexion',
      prepare: async (page) => {
        await page.getByLabel('Adresse e-mail').fill('personne@exemple.test');
        await page.getByRole('button', { name: 'Recevoir un code' }).click();
        await page.getByLabel('Code à six chiffres').waitFor();
      },
    },
    { name: 'boite-envoi', path: scenes.outboxPath },
    ...DOC_SLUGS.map((slug) => ({ name: ['docs', slug].filter(Boolean).join('-'), path: pathOf({ slug }) })),
    { name: 'compte', path: '/compte', ...demo },
    { name: 'invitations', path: '/invitations', cookie: invited.cookie },
    { name: 'invitations-vide', path: '/invitations', cookie: empty.cookie },
    { name: 'equipe', path: '/equipe', ...demo },
    { name: 'compte-entier', path: '/equipe/compte', ...demo },
    {
      name: 'equipe-inviter',
      path: '/equipe',
      ...demo,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Inviter' }).first().click();
        await page.locator('[data-panel]').waitFor();
      },
    },
    {
      name: 'equipe-espaces',
      path: '/equipe',
      cookie: sharing.cookie,
      prepare: async (page) => {
        await page
          .getByRole('row')
          .filter({ hasText: 'Inès Roy' })
          .getByRole('button', { name: 'Modifier' })
          .click();
        await page.locator('[data-panel]').getByRole('radio', { name: 'Certains' }).check({ force: true });
        await page.getByLabel('Accès à l’espace Pour l’imprimeur').selectOption('read');
      },
    },
    { name: 'partages-vide', path: '/partages', cookie: empty.cookie },
    {
      name: 'partages',
      path: `/partages?espace=${shared}`,
      cookie: sharing.cookie,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Créer le lien' }).click();
        await page.getByRole('button', { name: 'Copier l’adresse' }).waitFor();
      },
    },
    { name: 'equipe-membre', path: '/equipe', cookie: member.cookie },
    { name: 'developpeurs', path: '/developpeurs', ...demo },
    { name: 'developpeurs-vide', path: '/developpeurs', cookie: empty.cookie },
    {
      name: 'developpeurs-creer',
      path: '/developpeurs',
      ...demo,
      prepare: async (page) => {
        await page
          .getByRole('button', { name: /Créer une clé/ })
          .first()
          .click();
        await page.locator('[data-panel]').waitFor();
      },
    },
    { name: 'evenements', path: '/developpeurs/evenements', cookie: told.seat.cookie },
    { name: 'evenements-vide', path: '/developpeurs/evenements', cookie: empty.cookie },
    {
      name: 'evenements-adresse',
      path: `/developpeurs/evenements/${told.endpointId}`,
      cookie: told.seat.cookie,
    },
    {
      name: 'evenements-abonner',
      path: '/developpeurs/evenements',
      cookie: empty.cookie,
      prepare: async (page) => {
        await page
          .getByRole('button', { name: /Abonner une adresse/ })
          .first()
          .click();
        await page.locator('[data-panel]').waitFor();
      },
    },
    { name: 'projets', path: '/projets', ...demo },
    { name: 'projets-vide', path: '/projets', cookie: empty.cookie },
    { name: 'applications', path: '/applications', ...demo },
    { name: 'applications-connecter', path: '/applications/connecter', ...demo },
    { name: 'audit', path: '/audit', ...demo },
    {
      name: 'audit-ouvert',
      path: '/audit',
      ...demo,
      prepare: async (page) => {
        await page.getByText('a créé la clé').first().click();
        await page.getByText('Tout ce qui lui est arrivé').filter({ visible: true }).first().waitFor();
      },
    },
    { name: 'audit-membre', path: '/audit', cookie: member.cookie },
  ];
}
