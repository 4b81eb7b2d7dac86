import { dataFolder } from '../paths.ts';
import { configuredAddresses, type DatabaseAddresses } from './migrate.ts';

/**
 * Runs `work` on `DATABASE_URL` when it is set, else on the embedded database: the running one, or one started for as
 * long as the work takes. `url` is the application's.
 */
export async function withDatabase<T>(
  work: (database: DatabaseAddresses & { embedded: boolean }) => Promise<T>,
): Promise<T> {
  const given = configuredAddresses();
  if (given) return work({ ...given, embedded: false });
  const { openPostgres } = await import('../postgres/server.ts');
  const { grantApplicationRights, roleOf } = await import('../postgres/rights.ts');
  const server = await openPostgres({ dataDir: dataFolder() });
  try {
    const addresses = { url: server.appUrl, ownerUrl: server.url };
    // A data folder from before the application had a role of its own.
    await grantApplicationRights(addresses.ownerUrl, roleOf(addresses.url));
    return await work({ ...addresses, embedded: true });
  } finally {
    await server.release();
  }
}
