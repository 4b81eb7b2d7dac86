import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { capacityUnits } from '../capacity-units.ts';
import { MAX_MEMORY_DEPTH } from '../limits.ts';
import { spaceNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import { defaultKind, type MemoryKind, type MemorySource, type PillarRole } from '../templates.ts';
import { INSERT_MEMORY } from './insert-memory-sql.ts';

export type AddMemoryInput = {
  spaceId: string;
  pillar: PillarRole;
  /** Already trimmed, 1 to 200 characters. */
  title: string;
  body: string;
  parentId: string | null;
  source: MemorySource;
  kind?: MemoryKind;
  sourceRef?: string | null;
  file?: { name: string; contentType: string; bytes: number } | null;
  /** 1 to 200 visible ASCII characters; null when the door has no retries to fear. */
  idempotencyKey: string | null;
  /** The key was made from the content, not chosen by a caller: deleting the Memory frees it. False when absent. */
  keyIsContent?: boolean;
  /** What an import recognises the Memory by, and the dates that an export kept. */
  imported?: { key: string; createdAt: Date | null; updatedAt: Date | null };
};

export type MemoryRecord = {
  id: string;
  spaceId: string;
  role: PillarRole;
  parentId: string | null;
  kind: MemoryKind;
  title: string;
  body: string;
  source: MemorySource;
  createdAt: Date;
  updatedAt: Date;
};

type Situation = {
  spaceExists: boolean;
  parentSpaceId: string | null;
  parentRole: PillarRole | null;
  parentDepth: number | null;
  sameKey: boolean;
  sameKeyDeleted: boolean;
  fingerprint: Uint8Array | null;
} & { [K in keyof MemoryRecord]: MemoryRecord[K] | null };

const SITUATION = `
SELECT EXISTS (SELECT 1 FROM "Space" WHERE id = $2 AND "accountId" = $1 AND "archivedAt" IS NULL) AS "spaceExists",
  p."spaceId" AS "parentSpaceId", p.role::text AS "parentRole", p.depth AS "parentDepth",
  e.id IS NOT NULL AS "sameKey", e."deletedAt" IS NOT NULL AS "sameKeyDeleted", e."idempotencyFingerprint" AS fingerprint,
  e.id, e."spaceId", e.role::text AS role, e."parentId", e.kind::text AS kind, e.title, e.body, e.source::text AS source,
  e."createdAt", e."updatedAt"
FROM (SELECT 1) one
LEFT JOIN "Memory" p ON p.id = $3 AND p."accountId" = $1 AND p."deletedAt" IS NULL
LEFT JOIN "Memory" e ON e."accountId" = $1 AND e."idempotencyKey" = $4`;

// A Memory restored meanwhile keeps its key: the next look replays it.
const FREE_KEY = `
UPDATE "Memory" SET "idempotencyKey" = NULL, "idempotencyFingerprint" = NULL
WHERE id = $2 AND "accountId" = $1 AND "deletedAt" IS NOT NULL`;

/** A context of which only the statements matter: those of the pool, or those of one transaction. */
type Writing = Omit<Context<AccountActor>, 'sql'> & { sql: SqlTransaction };

/**
 * Adds one Memory, exactly once per idempotency key of the account, whatever is in flight; a key replays what it wrote, deleted
 * since or not (docs/decisions/0002-context-api.md). Writers never together overfill the capacity. Errors, leaving nothing behind: `insufficient_scope` (member may not write), `not_found`, `invalid_request`
 * (parentId), `idempotency_conflict`, `capacity_full`.
 */
export async function addMemory(
  ctx: Context<AccountActor>,
  input: AddMemoryInput,
): Promise<{ memory: MemoryRecord; replayed: boolean }> {
  return add(ctx, input, (error) => {
    if (error.code !== UNIQUE_VIOLATION || input.idempotencyKey === null) throw error;
    return null;
  });
}

/**
 * The same inside the caller's transaction, which a key taken meanwhile ends: PostgreSQL's own `23505` then, and the whole
 * transaction may be tried again.
 */
export async function addMemoryWithin(
  ctx: Writing,
  input: AddMemoryInput,
): Promise<{ memory: MemoryRecord; replayed: boolean }> {
  return add(ctx, input, (error) => {
    throw error;
  });
}

async function add(
  ctx: Writing,
  input: AddMemoryInput,
  onLostRace: (error: { code?: string }) => null,
): Promise<{ memory: MemoryRecord; replayed: boolean }> {
  requireBrainWrite(ctx);
  const fingerprint = fingerprintOf(input);
  // A losing race is decided by the second look: the key is taken, or the capacity, the parent or the Space is gone.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const situation = await look(ctx, input);
    if (situation.sameKeyDeleted && input.keyIsContent)
      await ctx.sql.rows('free-memory-key', FREE_KEY, [ctx.actor.accountId, situation.id]);
    else if (situation.sameKey) return { memory: replay(situation, fingerprint), replayed: true };
    refuseBadPlace(situation, input);
    if (attempt > 0 && (await isFull(ctx, input)))
      throw new ServiceError('capacity_full', { detail: 'capacity' });
    const memory = await insert(ctx, input, fingerprint, situation.parentDepth).catch(onLostRace);
    if (memory) return { memory, replayed: false };
  }
  throw new ServiceError('capacity_full', { detail: 'capacity' });
}

async function look(ctx: Writing, input: AddMemoryInput): Promise<Situation> {
  const [situation] = await ctx.sql.rows<Situation>('add-memory-situation', SITUATION, [
    ctx.actor.accountId,
    input.spaceId,
    input.parentId,
    input.idempotencyKey,
  ]);
  if (!situation) throw new Error('a SELECT without FROM rows');
  return situation;
}

function replay(situation: Situation, fingerprint: Uint8Array): MemoryRecord {
  if (!situation.fingerprint || Buffer.compare(situation.fingerprint, fingerprint) !== 0)
    throw new ServiceError('idempotency_conflict');
  return situation as MemoryRecord;
}

function refuseBadPlace(situation: Situation, input: AddMemoryInput): void {
  if (!situation.spaceExists) throw spaceNotFound();
  if (input.parentId === null) return;
  if (situation.parentSpaceId === null)
    throw new ServiceError('not_found', {
      message: 'La mémoire parente (parentId) est introuvable dans ce compte.',
      problems: [{ field: 'parentId', message: 'Mémoire introuvable.' }],
    });
  const refuse = (message: string) => {
    throw new ServiceError('invalid_request', {
      message: `parentId\u00a0: ${message}`,
      problems: [{ field: 'parentId', message }],
    });
  };
  if (situation.parentSpaceId !== input.spaceId) refuse('La mémoire parente est dans un autre espace.');
  if (situation.parentRole !== input.pillar) refuse('La mémoire parente est dans un autre pilier.');
  if ((situation.parentDepth ?? 0) >= MAX_MEMORY_DEPTH)
    refuse(`L’imbrication dépasse ${MAX_MEMORY_DEPTH} niveaux.`);
}

const ROOM = `SELECT "usedCu" + $2::int <= "capacityCu" AS fits FROM "Account" WHERE id = $1`;

async function isFull(ctx: Writing, input: AddMemoryInput): Promise<boolean> {
  const params = [ctx.actor.accountId, capacityUnits(input.title, input.body)];
  const [account] = await ctx.sql.rows<{ fits: boolean }>('account-room', ROOM, params);
  return !account?.fits;
}

const UNIQUE_VIOLATION = '23505';

/** The one statement that claims capacity and writes; null when some condition did not hold, nothing written then. */
async function insert(
  ctx: Writing,
  input: AddMemoryInput,
  fingerprint: Uint8Array,
  parentDepth: number | null,
): Promise<MemoryRecord | null> {
  const now = ctx.clock.now();
  const record: MemoryRecord = {
    id: createId('memory', now),
    spaceId: input.spaceId,
    role: input.pillar,
    parentId: input.parentId,
    kind: input.kind ?? defaultKind(input.pillar),
    title: input.title,
    body: input.body,
    source: input.source,
    createdAt: input.imported?.createdAt ?? now,
    updatedAt: input.imported?.updatedAt ?? now,
  };
  const rows = await ctx.sql.rows('insert-memory', INSERT_MEMORY, [
    ctx.actor.accountId,
    record.id,
    record.spaceId,
    record.role,
    record.parentId,
    parentDepth === null ? 0 : parentDepth + 1,
    record.kind,
    record.title,
    record.body,
    record.source,
    input.sourceRef ?? null,
    input.file ? JSON.stringify(input.file) : null,
    capacityUnits(record.title, record.body),
    now,
    input.idempotencyKey,
    input.idempotencyKey === null ? null : fingerprint,
    createId('revision', now),
    actorLabel(ctx.actor),
    createId('audit', now),
    ctx.requestId,
    input.imported?.key ?? null,
    record.createdAt,
    record.updatedAt,
  ]);
  return rows.length === 1 ? record : null;
}

function fingerprintOf(input: AddMemoryInput): Uint8Array<ArrayBuffer> {
  return sha256(JSON.stringify([input.spaceId, input.pillar, input.title, input.body, input.parentId]));
}
