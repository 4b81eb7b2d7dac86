import type { AdminActor } from '#lib/core/actor.ts';
import { dataFolder } from '#lib/local/paths.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import type { StoreVariables } from '#lib/storage/stores/configured-store.ts';
import type { AdminContext } from './run.ts';

/**
 * The context with the configured file store, else the embedded one of the data folder, served for as long as the work takes
 * (a server that runs meanwhile shares the folder). A configured database without a store has none.
 */
export async function withFileStore<T>(
  ctx: AdminContext,
  work: (ctx: FilesContext<AdminActor>) => Promise<T>,
): Promise<T> {
  const { vercelBlobStore } = await import('#lib/storage/file-store.ts');
  const { routeBlobHosts } = await import('#lib/local/blob/route-hosts.ts');
  const { configuredStore } = await import('#lib/storage/stores/configured-store.ts');
  const configured = configuredStore(process.env as StoreVariables);
  const isEmbedded = !process.env.DATABASE_URL?.trim();
  if (configured.store || !isEmbedded) {
    if (configured.storeApiUrl) routeBlobHosts(configured.storeApiUrl);
    return work({ ...ctx, files: configured });
  }
  const { openBlobServer } = await import('#lib/local/blob/server.ts');
  const server = await openBlobServer({ dataDir: dataFolder() });
  try {
    process.env.VERCEL_BLOB_API_URL = server.apiUrl;
    routeBlobHosts(server.apiUrl);
    const store = vercelBlobStore({ token: server.token });
    return await work({
      ...ctx,
      files: { store, storeToken: server.token, storeApiUrl: server.apiUrl },
    });
  } finally {
    await server.close();
  }
}
