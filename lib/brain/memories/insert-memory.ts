import { type Kysely, sql } from 'kysely';
import { AUDIT_ENTRY, auditEntries } from '#lib/core/audit.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';
import type { SketchParams } from '../likeness/statements.ts';
import type { MemoryKind, MemorySource, PillarRole } from '../templates.ts';
import { keepSketch } from './keep-sketch.ts';
import { type ReviseParams, revise } from './revise.ts';

type InsertMemoryParams = ReviseParams &
  SketchParams & {
    accountId: string;
    id: string;
    spaceId: string;
    role: PillarRole;
    parentId: string | null;
    depth: number;
    kind: MemoryKind;
    title: string;
    body: string;
    source: MemorySource;
    sourceRef: string | null;
    /** JSON. */
    file: string | null;
    cu: number;
    idempotencyKey: string | null;
    idempotencyFingerprint: Uint8Array | null;
    importKey: string | null;
    importedHash: Uint8Array | null;
    createdAt: Date;
    updatedAt: Date;
    auditRecords: string;
  };

/** Locks the `parent` where it is, then the `space`, which is no row without it. */
function withPlace(db: Kysely<DB>, p: Params<InsertMemoryParams>) {
  return db
    .with('parent', (one) =>
      one
        .selectFrom('Memory')
        .select('id')
        .where('id', '=', p.parentId)
        .where('accountId', '=', p.accountId)
        .where('spaceId', '=', p.spaceId)
        .where('role', '=', p.role)
        .where('deletedAt', 'is', null)
        .where((eb) => eb(eb('depth', '+', eb.lit(1)), '=', p.depth))
        .forShare(),
    )
    .with('space', (one) =>
      one
        .selectFrom('Space')
        .select('id')
        .where('id', '=', p.spaceId)
        .where('accountId', '=', p.accountId)
        .where('archivedAt', 'is', null)
        .where((eb) =>
          eb.or([sql<boolean>`${p.parentId}::text is null`, eb.exists(eb.selectFrom('parent').select('id'))]),
        )
        .forNoKeyUpdate(),
    );
}

/** The account's row, `claimed` when it has the room, and the Space's counters. */
function withRoom(db: ReturnType<typeof withPlace>, p: Params<InsertMemoryParams>) {
  return db
    .with('claimed', (one) =>
      one
        .updateTable('Account')
        .set((eb) => ({ usedCu: eb('usedCu', '+', p.cu), updatedAt: p.now }))
        .where('id', '=', p.accountId)
        .where((eb) => eb(eb('usedCu', '+', p.cu), '<=', eb.ref('capacityCu')))
        .where('closedAt', 'is', null)
        .where((eb) => eb.exists(eb.selectFrom('space').select('id')))
        .returning('id'),
    )
    .with('counted', (one) =>
      one
        .updateTable('Space')
        .set((eb) => ({
          cu: eb('cu', '+', p.cu),
          memories: eb('memories', '+', eb.lit(1)),
          version: eb('version', '+', eb.lit(1)),
          updatedAt: p.now,
        }))
        .where('id', '=', p.spaceId)
        .where((eb) => eb.exists(eb.selectFrom('claimed').select('id')))
        .returning('id'),
    );
}

/** The Memory, in the CTE that `revise` and `keepSketch` read. */
function withMemory(db: ReturnType<typeof withRoom>, p: Params<InsertMemoryParams>) {
  return db.with('changed', (one) =>
    one
      .insertInto('Memory')
      .columns([
        'id',
        'accountId',
        'spaceId',
        'role',
        'parentId',
        'depth',
        'kind',
        'title',
        'body',
        'source',
        'sourceRef',
        'file',
        'cu',
        'createdAt',
        'updatedAt',
        'idempotencyKey',
        'idempotencyFingerprint',
        'importKey',
        'importedHash',
      ])
      .expression((eb) =>
        eb
          .selectFrom('counted')
          .select([
            p.id.as('id'),
            p.accountId.as('accountId'),
            p.spaceId.as('spaceId'),
            p.role.as('role'),
            p.parentId.as('parentId'),
            p.depth.as('depth'),
            p.kind.as('kind'),
            p.title.as('title'),
            p.body.as('body'),
            p.source.as('source'),
            p.sourceRef.as('sourceRef'),
            p.file.as('file'),
            p.cu.as('cu'),
            p.createdAt.as('createdAt'),
            p.updatedAt.as('updatedAt'),
            p.idempotencyKey.as('idempotencyKey'),
            p.idempotencyFingerprint.as('idempotencyFingerprint'),
            p.importKey.as('importKey'),
            p.importedHash.as('importedHash'),
          ]),
      )
      .returningAll(),
  );
}

/**
 * Adds one Memory in one statement, hence one transaction: the parent is locked where it is, then the Space, then the account's row is locked
 * and its capacity claimed (every writer's order of locks: Memory, Space, Account; no Memory is changed before its Space is held: a key that
 * is sent again waits, in its unique index, for whoever changes the row that has it), and the Memory, its first revision, its sketch, the
 * Space's counters and the audit entry are written. Returns no row, having written nothing, when the Space, the parent or the room is not
 * there, or the account is closed.
 */
export const insertMemory = prepared('insert-memory', (db, p: Params<InsertMemoryParams>) =>
  keepSketch(revise(withMemory(withRoom(withPlace(db, p), p), p), p), p)
    .with('audited', (one) =>
      one
        .insertInto('AuditEntry')
        .columns(AUDIT_ENTRY.columns)
        .expression((eb) =>
          eb.selectFrom([auditEntries(p.auditRecords), 'changed']).select(AUDIT_ENTRY.select),
        ),
    )
    .selectFrom('changed')
    .select('changed.id'),
);
