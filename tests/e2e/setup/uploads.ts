import { upload } from '@vercel/blob/client';
import { type BlobServer, openBlobServer } from '#lib/local/blob/server.ts';
import { referenceFolder } from '#lib/storage/pathnames.ts';
import { until } from '#tests/setup/until.ts';
import type { Seat } from './scenes/brain.ts';
import type { ServedApp } from './serve.ts';

/** Starts a second server on the app's file store, and sets its address in `VERCEL_BLOB_API_URL` for the SDK of this process. */
export async function openStoreOf(app: ServedApp): Promise<BlobServer> {
  const server = await openBlobServer({ dataDir: app.dataDir });
  process.env.VERCEL_BLOB_API_URL = server.apiUrl;
  return server;
}

/**
 * Uploads a clip as the composer does: with a token of the app, directly to the store, which then calls the app. Waits for the row that the app
 * records, and returns it.
 */
export async function sendClip(
  app: ServedApp,
  seat: Seat,
  name: string,
  bytes: Uint8Array,
): Promise<{ id: string; pathname: string; durationMs: number | null }> {
  const folder = referenceFolder(seat.accountId, 'libre');
  const { pathname } = await upload(folder + name, new Blob([new Uint8Array(bytes)]), {
    access: 'private',
    handleUploadUrl: `${app.baseUrl}/api/references/upload`,
    clientPayload: JSON.stringify({ productId: 'libre' }),
    contentType: 'video/mp4',
    headers: { cookie: `${seat.cookie.name}=${seat.cookie.value}` },
  });
  return until(`the app to hear of ${pathname}`, () =>
    seat.ctx.db.upload.findUnique({ where: { pathname } }),
  );
}
