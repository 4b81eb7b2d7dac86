import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { FileStore } from './file-store.ts';

/** The outside services that the verbs on files use. */
export type FilesPorts = {
  /** null: none is configured. */
  store: FileStore | null;
  /** `BLOB_READ_WRITE_TOKEN`: signs client tokens, verifies the completion callback. */
  storeToken: string | null;
  /** Address of the store's API when it is not the cloud's (`VERCEL_BLOB_API_URL`). */
  storeApiUrl: string | null;
  /** What every address of the bucket's files begins with, where the store is one of S3. */
  bucketAddress?: string | null;
  /**
   * The public address of the service (`SERVICE_PUBLIC_URL`), which tells the store's owner from a service on a copy of its database; null or
   * absent: it has none, or the store is the embedded one.
   */
  origin?: string | null;
};

export type FilesContext<A extends Actor = Actor> = Context<A> & { files: FilesPorts };

/** The store, or `not_configured`. */
export function requireStore(ctx: FilesContext): FileStore {
  if (ctx.files.store) return ctx.files.store;
  throw new ServiceError('not_configured', { message: 'Le magasin de fichiers n’est pas configuré.' });
}
