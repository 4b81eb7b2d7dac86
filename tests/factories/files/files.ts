import type { Actor, MemberActor } from '#lib/core/actor.ts';
import { type Clock, manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import type {
  AssetState,
  AssetType,
  GenerationKind,
  GenerationState,
  UploadKind,
} from '#lib/db/generated/prisma/client.ts';
import type { FilesContext, FilesPorts } from '#lib/storage/context.ts';
import type { RetentionReport } from '#lib/storage/retention/report.ts';
import { type RetentionOptions, runRetention } from '#lib/storage/retention/run-retention.ts';
import type { TestService } from '#tests/setup/service.ts';
import { type AccountOptions, makeAccount } from '../account.ts';
import { type LogLine, testContext } from '../context.ts';
import { type MemoryStore, memoryStore } from '../memory-store.ts';

export const DAY_MS = 86_400_000;
const FILES_START = '2026-11-10T03:40:00Z';
const TOKEN = 'vercel_blob_rw_local_secret';

export type FilesScene = {
  service: TestService;
  owner: { accountId: string; memberId: string };
  clock: ReturnType<typeof manualClock>;
  store: MemoryStore;
  lines: LogLine[];
  /** The member's context. */
  ctx: FilesContext<MemberActor>;
  /** The scheduler's. */
  cron: FilesContext<Actor>;
};

/** An account with a member, a store in memory and a clock that only moves when told. */
export async function filesScene(
  service: TestService,
  options: AccountOptions & { clock?: Clock; store?: FilesPorts['store'] } = {},
): Promise<FilesScene> {
  const clock = manualClock(FILES_START);
  const { account, member, actor } = await makeAccount(service, { ...options, now: clock.now() });
  const store = memoryStore(() => clock.now());
  const lines: LogLine[] = [];
  const files: FilesPorts = { store: options.store ?? store, storeToken: TOKEN, storeApiUrl: null };
  return {
    service,
    owner: { accountId: account.id, memberId: member.id },
    clock,
    store,
    lines,
    ctx: { ...testContext(service, actor, { clock, lines }), files },
    cron: {
      ...testContext(service, { type: 'system', job: 'retention' } as Actor, { clock, lines }),
      files,
    },
  };
}

type GenerationSpec = {
  kind?: GenerationKind;
  state?: GenerationState;
  /** Of a failed row. */
  code?: string;
  productId?: string;
  ageDays?: number;
  ancestorId?: string | null;
  references?: object;
  artifacts?: { pathname: string }[];
};

/** A row of the journal as it would be after its course. */
export async function addGeneration(scene: FilesScene, spec: GenerationSpec = {}): Promise<string> {
  const at = new Date(scene.clock.now().getTime() - (spec.ageDays ?? 0) * DAY_MS);
  const id = createId('generation', at);
  const state = spec.state ?? 'COMPLETED';
  const isClosed = state !== 'STARTING' && state !== 'SUBMITTED';
  await scene.service.pool.query(
    `INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "params",
       "references", "artifacts", "ancestorId", "code", "costMicros", "createdAt", "deadlineAt", "dueAt", "updatedAt",
       "closedAt", "closedBy", "requestId")
     VALUES ($1, $2, $3, $4, $5, 'IMAGE', $6, '{"brief":"essai"}', $7, $8, $9, $10, $11, $12, $12, $12, $12, $13, $14, 'req_test')`,
    [
      id,
      scene.owner.accountId,
      scene.owner.memberId,
      spec.productId ?? 'libre',
      spec.kind ?? 'IMAGE',
      state,
      JSON.stringify(spec.references ?? {}),
      JSON.stringify(spec.artifacts ?? []),
      spec.ancestorId ?? null,
      state === 'FAILED' ? (spec.code ?? 'provider-failure') : null,
      state === 'COMPLETED' ? 42_000n : null,
      at,
      isClosed ? at : null,
      isClosed ? 'request' : null,
    ],
  );
  return id;
}

type AssetSpec = {
  generationId?: string | null;
  state?: AssetState;
  type?: AssetType;
  productId?: string;
  ageDays?: number;
  pathname?: string;
  imported?: boolean;
  ancestorId?: string | null;
  content?: string;
  /** The row without its bytes, or without its ETag. */
  withoutBytes?: boolean;
  withoutEtag?: boolean;
};

/** A file with its row and its bytes, both as old as it is. */
export async function addAsset(scene: FilesScene, spec: AssetSpec = {}) {
  const at = new Date(scene.clock.now().getTime() - (spec.ageDays ?? 0) * DAY_MS);
  const id = createId('asset', at);
  const generationId =
    spec.generationId === undefined
      ? await addGeneration(scene, {
          ageDays: spec.ageDays ?? 0,
          ...(spec.productId ? { productId: spec.productId } : {}),
        })
      : spec.generationId;
  const pathname = spec.pathname ?? `generations/${generationId ?? 'imported'}/${id}.png`;
  const bytes = Buffer.from(spec.content ?? `bytes of ${id}`);
  const etag = spec.withoutBytes ? null : await putOld(scene, pathname, bytes, at);
  await scene.service.pool.query(
    `INSERT INTO "Asset" ("id", "accountId", "memberId", "productId", "generationId", "type", "state", "pathname",
       "contentType", "bytes", "etag", "imported", "ancestorId", "createdAt", "updatedAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'image/png', $9, $10, $11, $12, $13, $13)`,
    [
      id,
      scene.owner.accountId,
      scene.owner.memberId,
      spec.productId ?? 'libre',
      generationId,
      spec.type ?? 'IMAGE',
      spec.state ?? 'GENERATED',
      pathname,
      bytes.byteLength,
      spec.withoutEtag ? null : etag,
      spec.imported ?? false,
      spec.ancestorId ?? null,
      at,
    ],
  );
  return { id, generationId, pathname };
}

type UploadSpec = { kind?: UploadKind; productId?: string; ageDays?: number; pathname?: string };

/** A reference that a member brought, with its bytes. */
export async function addUpload(scene: FilesScene, spec: UploadSpec = {}) {
  const at = new Date(scene.clock.now().getTime() - (spec.ageDays ?? 0) * DAY_MS);
  const id = createId('upload', at);
  const { accountId, memberId } = scene.owner;
  const pathname = spec.pathname ?? `references/${spec.productId ?? 'libre'}/${accountId}/${id}.mp4`;
  const bytes = Buffer.from(`upload ${id}`);
  const etag = await putOld(scene, pathname, bytes, at);
  await scene.service.pool.query(
    `INSERT INTO "Upload" ("id", "accountId", "memberId", "productId", "kind", "pathname", "contentType", "bytes", "via",
       "createdAt", "touchedAt", "etag") VALUES ($1, $2, $3, $4, $5, $6, 'video/mp4', $7, 'client', $8, $8, $9)`,
    [
      id,
      accountId,
      memberId,
      spec.productId ?? 'libre',
      spec.kind ?? 'RUSH',
      pathname,
      bytes.byteLength,
      at,
      etag,
    ],
  );
  return { id, pathname };
}

/** Bytes that were written on that day. */
export async function putOld(
  scene: FilesScene,
  pathname: string,
  bytes: Uint8Array,
  at: Date,
): Promise<string> {
  const stored = await scene.store.put(pathname, bytes, { contentType: 'image/png' });
  const kept = scene.store.files.get(pathname);
  if (kept) scene.store.files.set(pathname, { ...kept, uploadedAt: at });
  return stored.etag;
}

/** The audit entries of one action, oldest first. */
export function auditsOf(scene: Pick<FilesScene, 'service' | 'owner'>, action: string) {
  return scene.service.db.auditEntry.findMany({
    where: { action, accountId: scene.owner.accountId },
    orderBy: { id: 'asc' },
  });
}

/** An account's files on a service that has no other: one account's night is every account's night. */
export async function quietFilesScene(service: TestService): Promise<FilesScene> {
  await service.pool.query(`UPDATE "Asset" SET "deletedAt" = now() WHERE "deletedAt" IS NULL`);
  await service.pool.query(`UPDATE "Upload" SET "deletedAt" = now() WHERE "deletedAt" IS NULL`);
  for (const table of ['Asset', 'Upload', 'Avatar', 'Concept'])
    await service.pool.query(`UPDATE "${table}" SET "binnedBy" = NULL WHERE "binnedBy" IS NOT NULL`);
  await service.pool.query(`DELETE FROM "CronCursor"`);
  return filesScene(service);
}

/** One pass of retention, which must run. */
export async function night(on: FilesScene, options: RetentionOptions = {}): Promise<RetentionReport> {
  const outcome = await runRetention(on.cron, options);
  if ('skipped' in outcome) throw new Error(`skipped: ${outcome.skipped}`);
  return outcome;
}
