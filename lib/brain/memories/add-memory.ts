import { sql } from 'kysely';
import { type AccountActor, actorLabel, readsBrain } from '#lib/core/actor.ts';
import { auditRecords } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { KeyedLimiter } from '#lib/db/keyed-limiter.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { givenSpaces, reaches } from '#lib/db/space-rights.ts';
import type { Executor, Transaction } from '#lib/db/types.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';
import { closedMeanwhile } from '../account-closed.ts';
import { capacityFull } from '../capacity-full.ts';
import { capacityUnits } from '../capacity-units.ts';
import {
  type Comparison,
  confirmSimilar,
  prepareComparison,
  type Similar,
  sketchParams,
} from '../likeness/similar.ts';
import { type LikenessParams, likenessOf } from '../likeness/statements.ts';
import type { MemoryFile } from '../memory-file.ts';
import { spaceNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import { defaultKind, type MemoryKind, type MemorySource, type PillarRole } from '../templates.ts';
import { insertMemory } from './insert-memory.ts';
import { refusalOfParent } from './refusal-of-parent.ts';
import { textHash } from './text-hash.ts';

type AddMemoryInput = {
  spaceId: string;
  pillar: PillarRole;
  /** Already trimmed, 1 to 200 characters. */
  title: string;
  body: string;
  parentId: string | null;
  source: MemorySource;
  kind?: MemoryKind;
  sourceRef?: string | null;
  file?: MemoryFile | null;
  /** 1 to 200 visible ASCII characters; null where a request is never sent twice. */
  idempotencyKey: string | null;
  /** The key was derived from the content, not chosen by the caller: deleting the Memory frees it. False when absent. */
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

/** What was added, and the Memories that it is much like. */
export type AddedMemory = { memory: MemoryRecord; replayed: boolean; similar: Similar[] };

type Situation = NonNullable<Awaited<ReturnType<typeof findSituation.first>>>;

const findSituation = prepared(
  'add-memory-situation',
  (
    db,
    p: Params<LikenessParams & { spaceId: string; parentId: string | null; idempotencyKey: string | null }>,
  ) =>
    db
      .selectFrom(db.selectNoFrom((eb) => eb.lit(1).as('one')).as('one'))
      .leftJoin('Memory as p', (join) =>
        join.on('p.id', '=', p.parentId).on('p.accountId', '=', p.accountId).on('p.deletedAt', 'is', null),
      )
      .leftJoin('Memory as e', (join) =>
        join.on('e.accountId', '=', p.accountId).on('e.idempotencyKey', '=', p.idempotencyKey),
      )
      .select((eb) => [
        eb
          .exists(
            eb
              .selectFrom('Space')
              .select('id')
              .where('id', '=', p.spaceId)
              .where('accountId', '=', p.accountId)
              .where('archivedAt', 'is', null),
          )
          .as('spaceExists'),
        'p.spaceId as parentSpaceId',
        'p.role as parentRole',
        'p.depth as parentDepth',
        eb('e.id', 'is not', null).as('sameKey'),
        eb('e.deletedAt', 'is not', null).as('sameKeyDeleted'),
        'e.idempotencyFingerprint as fingerprint',
        'e.id',
        'e.spaceId',
        'e.role',
        'e.parentId',
        'e.kind',
        'e.title',
        'e.body',
        'e.source',
        'e.createdAt',
        'e.updatedAt',
        likenessOf(p, sql`null`).as('likeness'),
      ]),
);

/** Additions to one account lock the same row: one runs while the next prepares, the others hold no connection. */
const writers = new KeyedLimiter(2);

/**
 * Adds one Memory, exactly once per idempotency key of the account, even with concurrent requests; a key replays what it wrote, deleted since
 * or not (docs/decisions/0002-context-api.md). Memories that say nearly the same are named, none is refused; a credential that may not read
 * the Brain is named none, and a replay shows it only what it sent. Concurrent writers never exceed the capacity. Errors, leaving nothing
 * behind: `insufficient_scope` (member may not write), `not_found`, `invalid_request` (parentId), `idempotency_conflict`, `capacity_full`,
 * `account_closed` (`conflict` in the cockpit) in an account that was closed meanwhile.
 */
export async function addMemory(ctx: Context<AccountActor>, input: AddMemoryInput): Promise<AddedMemory> {
  const inTurn = (work: () => Promise<MemoryRecord | null>) =>
    writers.run(ctx.actor.accountId, work).catch((error: unknown) => {
      if (!isUniqueViolation(error) || input.idempotencyKey === null) throw error;
      return null;
    });
  return add(ctx, ctx.kysely, input, inTurn);
}

/**
 * The same inside the caller's transaction, which a key taken meanwhile ends: PostgreSQL's own `23505` then, and the whole
 * transaction may be tried again.
 */
export async function addMemoryWithin(
  ctx: Context<AccountActor>,
  tx: Transaction,
  input: AddMemoryInput,
): Promise<AddedMemory> {
  return add(ctx, tx, input, (work) => work());
}

async function add(
  ctx: Context<AccountActor>,
  on: Executor,
  input: AddMemoryInput,
  claim: (work: () => Promise<MemoryRecord | null>) => Promise<MemoryRecord | null>,
): Promise<AddedMemory> {
  requireBrainWrite(ctx, input.spaceId);
  const fingerprint = fingerprintOf(input);
  const text = await prepareComparison(ctx.actor.accountId, input);
  // The attempt after a lost race finds out why: the key is taken, or the capacity, the parent or the Space is gone.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const situation = await readSituation(ctx, on, input, text);
    if (situation.sameKeyDeleted && input.keyIsContent) await freeKey(ctx, on, situation);
    else if (situation.sameKey) {
      const found = replay(situation, fingerprint);
      // What came after it was no part of the first answer.
      const similar = await similarFor(ctx, text, situation, found.id);
      return { memory: readsBrain(ctx.actor) ? found : asSent(found, input), replayed: true, similar };
    }
    refuseBadPlace(ctx, situation, input);
    if (attempt > 0) await refuseClosedOrFull(ctx, on, input);
    const memory = await claim(() => insert(ctx, on, input, fingerprint, situation, text));
    if (memory) return { memory, replayed: false, similar: await similarFor(ctx, text, situation) };
  }
  throw capacityFull(undefined, 'capacity');
}

async function readSituation(
  ctx: Context<AccountActor>,
  on: Executor,
  input: AddMemoryInput,
  { sketch }: Comparison,
): Promise<Situation> {
  const situation = await findSituation.first(on, {
    accountId: ctx.actor.accountId,
    spaceId: input.spaceId,
    parentId: input.parentId,
    idempotencyKey: input.idempotencyKey,
    given: givenSpaces(ctx.actor),
    ...sketch,
  });
  if (!situation) throw new Error('a SELECT without FROM has one row');
  return situation;
}

/** A Memory restored meanwhile keeps its key: the next attempt replays it. */
async function freeKey(ctx: Context<AccountActor>, on: Executor, situation: Situation): Promise<void> {
  await on
    .updateTable('Memory')
    .set({ idempotencyKey: null, idempotencyFingerprint: null })
    .where('id', '=', situation.id)
    .where('accountId', '=', ctx.actor.accountId)
    .where('deletedAt', 'is not', null)
    .execute();
}

function replay(situation: Situation, fingerprint: Uint8Array): MemoryRecord {
  if (!situation.fingerprint || Buffer.compare(situation.fingerprint, fingerprint) !== 0)
    throw new ServiceError('idempotency_conflict');
  return situation as MemoryRecord;
}

/** A Memory as this request wrote it, whatever changed since. */
function asSent(memory: MemoryRecord, input: AddMemoryInput): MemoryRecord {
  const { pillar, parentId, title, body, kind = defaultKind(pillar) } = input;
  return { ...memory, role: pillar, parentId, kind, title, body, updatedAt: memory.createdAt };
}

/** The Memories that say nearly the same, named to who may read them. */
async function similarFor(
  ctx: Context<AccountActor>,
  text: Comparison,
  { likeness }: Situation,
  before: string | null = null,
): Promise<Similar[]> {
  return readsBrain(ctx.actor) ? confirmSimilar(text, likeness, before) : [];
}

function refuseBadPlace(ctx: Context<AccountActor>, situation: Situation, input: AddMemoryInput): void {
  if (!situation.spaceExists) throw spaceNotFound();
  if (input.parentId === null) return;
  if (situation.parentSpaceId === null || !reaches(ctx.actor, situation.parentSpaceId))
    throw new ServiceError('not_found', {
      message: 'La mémoire parente (parentId) est introuvable dans ce compte.',
      problems: [{ field: 'parentId', message: 'Mémoire introuvable.' }],
    });
  const parent = {
    spaceId: situation.parentSpaceId,
    role: situation.parentRole ?? input.pillar,
    depth: situation.parentDepth ?? 0,
  };
  const message = refusalOfParent(parent, { spaceId: input.spaceId, pillar: input.pillar, height: 0 });
  if (message !== null)
    throw new ServiceError('invalid_request', {
      message: `parentId\u00a0: ${message}`,
      problems: [{ field: 'parentId', message }],
    });
}

async function refuseClosedOrFull(
  ctx: Context<AccountActor>,
  on: Executor,
  input: AddMemoryInput,
): Promise<void> {
  const account = await on
    .selectFrom('Account')
    .select(['usedCu', 'capacityCu', 'closedAt'])
    .where('id', '=', ctx.actor.accountId)
    .executeTakeFirst();
  if (account?.closedAt) throw closedMeanwhile(ctx.actor);
  if (!account || account.usedCu + capacityUnits(input.title, input.body) > account.capacityCu)
    throw capacityFull(account?.capacityCu, 'capacity');
}

/** The one statement that claims capacity and writes; null when some condition did not hold, nothing written then. */
async function insert(
  ctx: Context<AccountActor>,
  on: Executor,
  input: AddMemoryInput,
  fingerprint: Uint8Array,
  { parentDepth, likeness }: Situation,
  { sketch }: Comparison,
): Promise<MemoryRecord | null> {
  const now = ctx.clock.now();
  const cu = capacityUnits(input.title, input.body);
  const { accountId } = ctx.actor;
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
  const written = await insertMemory.first(on, {
    ...record,
    accountId,
    depth: parentDepth === null ? 0 : parentDepth + 1,
    sourceRef: input.sourceRef ?? null,
    file: input.file ? JSON.stringify(input.file) : null,
    cu,
    idempotencyKey: input.idempotencyKey,
    idempotencyFingerprint: input.idempotencyKey === null ? null : fingerprint,
    importKey: input.imported?.key ?? null,
    importedHash: input.imported ? textHash(input) : null,
    revisedIds: [record.id],
    revisionIds: [createId('revision', now)],
    change: 'CREATED',
    actor: actorLabel(ctx.actor),
    now,
    ...sketchParams(sketch, likeness),
    auditRecords: auditRecords(ctx, [
      {
        action: 'memory.added',
        accountId,
        subject: { type: 'memory', id: record.id },
        data: { spaceId: record.spaceId, pillar: record.role, source: record.source, cu },
      },
    ]),
  });
  return written ? record : null;
}

function fingerprintOf(input: AddMemoryInput): Uint8Array<ArrayBuffer> {
  return sha256(JSON.stringify([input.spaceId, input.pillar, input.title, input.body, input.parentId]));
}
