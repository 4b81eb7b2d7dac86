import type { AdminActor } from '#lib/core/actor.ts';
import { dataFolder } from '#lib/local/paths.ts';
import type { FilesContext } from '#lib/storage/context.ts';
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
  const token = process.env.BLOB_READ_WRITE_TOKEN?.trim() || null;
  const storeApiUrl = process.env.VERCEL_BLOB_API_URL?.trim() || null;
  const isEmbedded = !process.env.DATABASE_URL?.trim();
  if (token || !isEmbedded) {
    const store = token ? vercelBlobStore({ token }) : null;
    if (storeApiUrl) routeBlobHosts(storeApiUrl);
    return work({ ...ctx, files: { store, storeToken: token, storeApiUrl } });
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
