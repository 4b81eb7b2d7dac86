import { upload } from '@vercel/blob/client';
import { type BlobServer, openBlobServer } from '#lib/local/blob/server.ts';
import { referenceFolder } from '#lib/storage/pathnames.ts';
import { until } from '#tests/setup/until.ts';
import type { Seat } from './scenes/brain.ts';
import type { ServedApp } from './serve.ts';

/** A second server on the app's own store, at an address that this process knows and gives to the SDK. */
export async function openStoreOf(app: ServedApp): Promise<BlobServer> {
  const server = await openBlobServer({ dataDir: app.dataDir });
  process.env.VERCEL_BLOB_API_URL = server.apiUrl;
  return server;
}

/**
 * Sends a clip as the composer does: a token of the app, the bytes straight to the store, the store's signed word to the app. Gives what
 * the app recorded, once it did.
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
