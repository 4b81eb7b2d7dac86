import type { Page } from 'playwright';
import type { BrowserWorld } from './browser.ts';
import type { Seat } from './scenes/brain.ts';

/** Opens an address of the Brain as one of the scene's members. */
export async function visit(
  world: BrowserWorld,
  seat: Seat,
  path: string,
  options: Parameters<BrowserWorld['newPage']>[0] = {},
): Promise<Page> {
  const page = await world.newPage(options);
  await page.context().addCookies([{ ...seat.cookie, url: world.app.baseUrl }]);
  await page.goto(path);
  return page;
}

/** The live Memories of a Space, oldest first. */
export function memories(spaceId: string, seat: Seat) {
  return seat.ctx.db.memory.findMany({ where: { spaceId, deletedAt: null }, orderBy: { createdAt: 'asc' } });
}
