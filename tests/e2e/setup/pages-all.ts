import { brainPages, type ShownPage } from './pages.ts';
import { accountPages } from './pages-account.ts';
import { studioPages } from './pages-studio.ts';
import type { Scenes, Seat } from './scenes.ts';
import type { ServedApp } from './serve.ts';

/** Every page in its states: what the screenshots show, and what the weights are measured of. */
export async function allPages(
  app: ServedApp,
  scenes: Scenes,
  demoCookie: Seat['cookie'],
): Promise<ShownPage[]> {
  return [
    ...(await accountPages(scenes, demoCookie)),
    ...(await brainPages(app, scenes, demoCookie)),
    ...(await studioPages(app, scenes, demoCookie)),
  ];
}
