import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { routeBlobHosts } from '#lib/local/blob/route-hosts.ts';
import { openBlobServer } from '#lib/local/blob/server.ts';
import { type FileStore, vercelBlobStore } from '#lib/storage/file-store.ts';

type SmallDisk = {
  store: FileStore;
  /** Gives the disk room again. */
  enlarge(): void;
  close(): Promise<void>;
};

/** The embedded file store on a disk of one megabyte, which only root can make; null for anyone else. */
export async function openSmallDisk(): Promise<SmallDisk | null> {
  if (process.getuid?.() !== 0) return null;
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  const server = await openBlobServer({ dataDir: folder });
  const before = process.env.VERCEL_BLOB_API_URL;
  process.env.VERCEL_BLOB_API_URL = server.apiUrl;
  routeBlobHosts(server.apiUrl);
  return {
    store: vercelBlobStore({ token: server.token }),
    enlarge: () => {
      execFileSync('mount', ['-o', 'remount,size=64m', folder]);
    },
    async close() {
      await server.close();
      if (before === undefined) delete process.env.VERCEL_BLOB_API_URL;
      else process.env.VERCEL_BLOB_API_URL = before;
      execFileSync('umount', [folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
