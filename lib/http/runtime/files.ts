import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import type { FilesContext, FilesPorts } from '#lib/storage/context.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { configuredStore } from '#lib/storage/stores/configured-store.ts';
import { ownedStore } from '#lib/storage/stores/owned-store.ts';
import { connection } from './connection.ts';

const shared = globalThis as { atelierFiles?: FilesPorts };

/** The configured file store, with deletion disabled where this process works on a copy of its owner's database. */
export function configuredFiles(): FilesPorts {
  const { store, origin = null, ...addresses } = configuredStore(env());
  const kysely = () => connection().kysely;
  return { ...addresses, origin, store: store && ownedStore(store, { kysely, origin }) };
}

/** The process's file store, from its configuration. Tests put their own in its place. */
export function filesPorts(): FilesPorts {
  shared.atelierFiles ??= configuredFiles();
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
