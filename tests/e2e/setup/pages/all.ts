import type { Scenes, Seat } from '../scenes/brain.ts';
import type { ServedApp } from '../serve.ts';
import { accountPages } from './account.ts';
import { brainPages, type ShownPage } from './brain.ts';
import { skeletonPages } from './skeletons.ts';
import { studioPages } from './studio.ts';

/** All pages in their states, for screenshots and for measuring their weight. */
export async function allPages(
  app: ServedApp,
  scenes: Scenes,
  demoCookie: Seat['cookie'],
): Promise<ShownPage[]> {
  return [
    ...(await accountPages(scenes, demoCookie)),
    ...(await brainPages(app, scenes, demoCookie)),
    ...(await studioPages(app, scenes, demoCookie)),
    ...(await skeletonPages(scenes)),
  ];
}
