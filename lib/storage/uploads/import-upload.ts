import { randomBytes } from 'node:crypto';
import { generateClientTokenFromReadWriteToken } from '@vercel/blob/client';
import type { z } from 'zod';
import { hasPermission, type MemberActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { type FilesContext, requireStore } from '../context.ts';
import type { FileStore, OpenedFile } from '../file-store.ts';
import { importFolder } from '../pathnames.ts';
import type { importUploadSchema } from './schemas.ts';
import { holdRoom } from './settle-held-room.ts';
import { claimHold } from './storage-quota.ts';

/** How long a browser has to begin to send. */
const TOKEN_MS = 15 * 60_000;
/** How long storage is held for it, until what was sent must be read: 50 MB go through a slow line. */
const WAITS_MS = 60 * 60_000;
const NAME = /^[0-9a-f]{40}$/;
/** A multipart form as a browser makes it: the store keeps its bytes, not its parts. */
const CONTENT_TYPE = 'application/octet-stream';

export type ImportUploadGrant = z.output<typeof importUploadSchema>;

/**
 * Where a browser may write the form of one import, once, of exactly so many bytes on S3 and no more on Blob: what a platform that cuts
 * bodies would refuse goes straight to the store. Room is held for it as for any file. Errors: `forbidden`, `conflict` (`storage-full`),
 * `rate_limited`, `not_configured`.
 */
export async function grantImportUpload(
  ctx: FilesContext<MemberActor>,
  input: { bytes: number },
): Promise<ImportUploadGrant> {
  requireWrite(ctx);
  const store = requireStore(ctx);
  const { accountId, memberId } = ctx.actor;
  const { bytes } = input;
  const now = ctx.clock.now().getTime();
  const pathname = importFolder(accountId, memberId) + randomBytes(20).toString('hex');
  await holdRoom(ctx, { stem: pathname, bytes, expiresAt: new Date(now + WAITS_MS) });
  const expiresAt = new Date(now + TOKEN_MS);
  if (store.grantWrite) {
    const granted = await store.grantWrite(pathname, { contentType: CONTENT_TYPE, bytes, expiresAt });
    return { type: 's3.signed-address', pathname, ...granted };
  }
  const clientToken = await generateClientTokenFromReadWriteToken({
    token: ctx.files.storeToken as string,
    pathname,
    maximumSizeInBytes: bytes,
    allowedContentTypes: [CONTENT_TYPE],
    validUntil: expiresAt.getTime(),
    addRandomSuffix: false,
    allowOverwrite: false,
  });
  return { type: 'blob.client-token', pathname, clientToken, storeApiUrl: ctx.files.storeApiUrl };
}

/**
 * Passes the uploaded form of this member to `read`, once even with concurrent requests, and deletes it, also when its content is refused. On
 * a temporary failure (`rate_limited`, an error) it stays and may be requested again. Errors: `forbidden`, `not_found` when nothing was
 * granted or sent there, or it was already read; those of `read`.
 */
export async function takeImportUpload<T>(
  ctx: FilesContext<MemberActor>,
  input: { pathname: string },
  read: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  requireWrite(ctx);
  const store = requireStore(ctx);
  const { accountId, memberId } = ctx.actor;
  const { pathname } = input;
  const folder = importFolder(accountId, memberId);
  const hold =
    pathname.startsWith(folder) && NAME.test(pathname.slice(folder.length))
      ? await claimHold(ctx.kysely, { accountId, memberId, stem: pathname, now: ctx.clock.now() })
      : null;
  const file = hold && (await store.open(pathname).catch(giveBack));
  if (!file) throw new ServiceError('not_found', { message: sentences.importUploadGone });
  try {
    const result = await read(file);
    await remove(ctx, store, pathname);
    return result;
  } catch (error) {
    if (error instanceof ServiceError && error.options.retryAfterSeconds === undefined)
      await remove(ctx, store, pathname);
    else await hold.giveBack();
    throw error;
  }

  async function giveBack(error: unknown): Promise<never> {
    await hold?.giveBack();
    throw error;
  }
}

/** A file that cannot be deleted still counts for the member, and the orphan pass deletes it after thirty days. */
async function remove(ctx: FilesContext, store: FileStore, pathname: string): Promise<void> {
  await store.delete([pathname]).catch((error: unknown) => {
    ctx.log.warn('files.delete_failed', { subject: 'import', ...faultFields(error) });
  });
}

function requireWrite(ctx: FilesContext<MemberActor>): void {
  if (!hasPermission(ctx.actor, 'brain.write')) throw new ServiceError('forbidden');
}
