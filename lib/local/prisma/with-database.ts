import { dataFolder } from '../paths.ts';
import { openPostgres } from '../postgres/server.ts';

/**
 * Runs `work` on `DATABASE_URL` when it is set, else on the embedded database: the running one, or one started for as
 * long as the work takes.
 */
export async function withDatabase<T>(
  work: (database: { url: string; embedded: boolean }) => Promise<T>,
): Promise<T> {
  const given = process.env.DATABASE_URL?.trim();
  if (given) return work({ url: given, embedded: false });
  const server = await openPostgres({ dataDir: dataFolder() });
  try {
    return await work({ url: server.url, embedded: true });
  } finally {
    await server.release();
  }
}
