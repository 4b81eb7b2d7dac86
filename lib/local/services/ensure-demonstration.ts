import path from 'node:path';
import { seedDemonstration } from '../demo/seed-demonstration.ts';
import { withLock } from '../lock.ts';
import { type DemoAccess, readDemoAccess, writeDemoAccess } from '../state.ts';
import type { LocalServices } from './open-services.ts';

/**
 * The demonstration account of the embedded database, made at the first start. A configured database is somebody's own:
 * nothing is written into it unless `force` says so.
 */
export async function ensureDemonstration(
  services: LocalServices,
  options: { force?: boolean } = {},
): Promise<DemoAccess | undefined> {
  if (!services.embedded.database && !options.force) return undefined;
  return withLock(path.join(services.dataDir, 'seed.lock'), async () => {
    const before = await readDemoAccess(services.dataDir);
    const databaseUrl = services.env.DATABASE_URL ?? services.databaseUrl;
    const demo = await seedDemonstration({
      databaseUrl,
      before,
      now: new Date(),
      isProduction: services.env.SERVICE_ENV === 'production',
    });
    if (demo && JSON.stringify(demo) !== JSON.stringify(before))
      await writeDemoAccess(services.dataDir, demo);
    return demo;
  });
}
