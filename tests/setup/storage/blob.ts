import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { routeBlobHosts } from '#lib/local/blob/route-hosts.ts';
import { type BlobServer, openBlobServer } from '#lib/local/blob/server.ts';
import type { FilesPorts } from '#lib/storage/context.ts';
import { type FileStore, vercelBlobStore } from '#lib/storage/file-store.ts';
import type { TestService } from '../service.ts';

export type TestBlobStore = {
  readonly server: BlobServer;
  readonly store: FileStore;
  readonly ports: FilesPorts;
};

/** The embedded file store on a folder of its own, used through the real SDK, and provided to the entry points of this process. */
export function useBlobStore(): TestBlobStore {
  const shared = globalThis as { atelierFiles?: FilesPorts | undefined };
  let dataDir = '';
  let server: BlobServer | undefined;
  let ports: FilesPorts | undefined;
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'files-'));
    server = await openBlobServer({ dataDir });
    for (const [name, value] of Object.entries({ ...server.env, VERCEL_BLOB_RETRIES: '0' }))
      vi.stubEnv(name, value);
    routeBlobHosts(server.apiUrl);
    ports = {
      store: vercelBlobStore({ token: server.token }),
      storeToken: server.token,
      storeApiUrl: server.apiUrl,
    };
    shared.atelierFiles = ports;
  });
  afterAll(async () => {
    shared.atelierFiles = undefined;
    vi.unstubAllEnvs();
    await server?.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const ready = <T>(value: T | undefined | null): T => {
    if (!value) throw new Error('The store exists only inside tests and after beforeAll.');
    return value;
  };
  return {
    get server() {
      return ready(server);
    },
    get store() {
      return ready(ports?.store);
    },
    get ports() {
      return ready(ports);
    },
  };
}

/** The cookie of a new, valid session of this member. */
export async function sessionCookie(
  service: Pick<TestService, 'db'>,
  member: { id: string; accountId: string },
): Promise<string> {
  const now = new Date();
  const id = createId('session', now);
  const { personId } = await service.db.member.findUniqueOrThrow({ where: { id: member.id } });
  if (personId === null) throw new Error('this member has joined nothing yet');
  await service.db.session.create({
    data: {
      id,
      personId,
      accountId: member.accountId,
      memberId: member.id,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 86_400_000),
    },
  });
  const secret = process.env.SERVICE_SESSION_SECRET ?? '';
  return `${sessionCookieName(false)}=${await signSessionCookie(id, secret)}`;
}
