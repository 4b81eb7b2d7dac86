import { brainPages, type ShownPage } from './pages.ts';
import { studioPages } from './pages-studio.ts';
import type { Scenes, Seat } from './scenes.ts';
import type { ServedApp } from './serve.ts';

/** Every page of the cockpit in its states: what the screenshots show and what the weights are measured of. */
export async function allPages(
  app: ServedApp,
  scenes: Scenes,
  demoCookie: Seat['cookie'],
): Promise<ShownPage[]> {
  const demo = { cookie: demoCookie };
  const account = ['developpeurs', 'applications', 'projets', 'equipe', 'audit', 'compte'].map(
    (name): ShownPage => ({ name, path: `/${name}`, ...demo }),
  );
  return [
    ...(await brainPages(app, scenes, demoCookie)),
    ...(await studioPages(app, scenes, demoCookie)),
    ...account,
    { name: 'applications-connecter', path: '/applications/connecter', ...demo },
    { name: 'connexion', path: '/connexion' },
    { name: 'docs-api', path: '/docs/api' },
  ];
}
