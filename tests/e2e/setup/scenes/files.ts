import path from 'node:path';
import type { Actor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import { BlobIndex } from '#lib/local/blob/index.ts';
import { vercelBlobStore } from '#lib/storage/file-store.ts';
import { testContext } from '#tests/factories/context.ts';
import { DAY_MS, type FilesScene } from '#tests/factories/files/files.ts';
import type { ServedApp } from '../serve.ts';
import { openStoreOf } from '../uploads.ts';
import type { Seat } from './brain.ts';
import { reachDatabase } from './reach.ts';

export type ServedFiles = {
  /** The context of the functions that make files: they write to the database and the store of the running app. */
  scene: FilesScene;
  /** Moves the time at which an object of the store was written `days` into the past. */
  agedBy(pathname: string, days: number): void;
  close(): Promise<void>;
};

/** The database and the store of a running app, for the functions that make files. */
export async function openFilesOf(app: ServedApp, seat: Seat): Promise<ServedFiles> {
  const { connection, url, release } = await reachDatabase(app);
  const server = await openStoreOf(app);
  const index = new BlobIndex(path.join(app.dataDir, 'files'));
  const { db, kysely, pool } = connection;
  const service = { databaseUrl: url, ownerUrl: url, connection, db, kysely, pool };
  const clock = manualClock(new Date());
  const store = { ...vercelBlobStore({ token: server.token }), files: new Map() };
  const files = { store, storeToken: server.token, storeApiUrl: server.apiUrl };
  const { accountId, memberId } = seat.ctx.actor;
  return {
    scene: {
      service,
      owner: { accountId, memberId },
      clock,
      store,
      lines: [],
      ctx: { ...testContext(service, seat.ctx.actor, { clock }), files },
      cron: { ...testContext(service, { type: 'system', job: 'retention' } as Actor, { clock }), files },
    },
    agedBy(pathname, days) {
      index.sql
        .prepare('update blob set uploadedAtMs = ? where pathname = ?')
        .run(Date.now() - days * DAY_MS, pathname);
    },
    async close() {
      index.close();
      await server.close();
      await release();
    },
  };
}
