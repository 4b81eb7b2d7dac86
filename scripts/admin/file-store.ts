import type { AdminActor } from '#lib/core/actor.ts';
import { dataFolder } from '#lib/local/paths.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
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
  const { ownedStore } = await import('#lib/storage/stores/owned-store.ts');
  const { publicUrlOf } = await import('#lib/core/env.ts');
  const variables: StoreVariables = { ...process.env, SERVICE_PUBLIC_URL: publicUrlOf(process.env) };
  const { origin = null, ...configured } = configuredStore(variables);
  const owned = (store: FileStore, by: string | null) =>
    ownedStore(store, { kysely: () => ctx.kysely, origin: by });
  const isEmbedded = !process.env.DATABASE_URL?.trim();
  if (configured.store || !isEmbedded) {
    if (configured.storeApiUrl) routeBlobHosts(configured.storeApiUrl);
    const store = configured.store && owned(configured.store, origin);
    return work({ ...ctx, files: { ...configured, origin, store } });
  }
  const { openBlobServer } = await import('#lib/local/blob/server.ts');
  const server = await openBlobServer({ dataDir: dataFolder() });
  try {
    process.env.VERCEL_BLOB_API_URL = server.apiUrl;
    routeBlobHosts(server.apiUrl);
    // The embedded store is asked for no address (`configuredStore`).
    const store = owned(vercelBlobStore({ token: server.token }), null);
    return await work({
      ...ctx,
      files: { store, storeToken: server.token, storeApiUrl: server.apiUrl, origin: null },
    });
  } finally {
    await server.close();
  }
}
