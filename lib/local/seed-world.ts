import path from 'node:path';
import { withLock } from './lock.ts';
import { seedDemonstration } from './seed.ts';
import { type DemoAccess, readDemoAccess, writeDemoAccess } from './state.ts';
import type { World } from './world.ts';

/**
 * The demonstration account of the embedded database, made at the first start. A configured database is somebody's own:
 * nothing is written into it unless `force` says so.
 */
export async function seedWorld(
  world: World,
  options: { force?: boolean } = {},
): Promise<DemoAccess | undefined> {
  if (!world.embedded.database && !options.force) return undefined;
  return withLock(path.join(world.dataDir, 'seed.lock'), async () => {
    const before = await readDemoAccess(world.dataDir);
    const demo = await seedDemonstration({ databaseUrl: world.databaseUrl, before, now: new Date() });
    if (demo && JSON.stringify(demo) !== JSON.stringify(before)) await writeDemoAccess(world.dataDir, demo);
    return demo;
  });
}
