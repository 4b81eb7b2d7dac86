import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import type { FilesContext, FilesPorts } from '#lib/storage/context.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { configuredStore } from '#lib/storage/stores/configured-store.ts';

const shared = globalThis as { atelierFiles?: FilesPorts };

/** The process's file store, from its configuration. Tests put their own in its place. */
export function filesPorts(): FilesPorts {
  if (shared.atelierFiles) return shared.atelierFiles;
  shared.atelierFiles = configuredStore(env());
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
