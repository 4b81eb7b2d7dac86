import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import type { FilesContext, FilesPorts } from '#lib/storage/context.ts';
import { type FileStore, vercelBlobStore } from '#lib/storage/file-store.ts';

const shared = globalThis as { atelierFiles?: FilesPorts };

/** The process's file store, from its configuration. Tests put their own in its place. */
function filesPorts(): FilesPorts {
  if (shared.atelierFiles) return shared.atelierFiles;
  const { BLOB_READ_WRITE_TOKEN: token, VERCEL_BLOB_API_URL: apiUrl } = env();
  shared.atelierFiles = {
    store: token ? vercelBlobStore({ token }) : null,
    storeToken: token ?? null,
    storeApiUrl: apiUrl ?? null,
  };
  return shared.atelierFiles;
}

/** The process's file store; null where none is configured. */
export function fileStore(): FileStore | null {
  return filesPorts().store;
}

/** A request's context, with the file store. */
export function withFiles<A extends Actor>(ctx: Context<A>): FilesContext<A> {
  return { ...ctx, files: filesPorts() };
}
