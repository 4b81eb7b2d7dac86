import { type Kysely, sql } from 'kysely';
import { AUDIT_ENTRY, auditEntries } from '#lib/core/audit.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isReached } from '#lib/db/space-rights.ts';
import type { DB } from '#lib/db/types.ts';
import type { SketchParams } from '../likeness/statements.ts';
import type { MemoryKind } from '../templates.ts';
import { keepSketch } from './keep-sketch.ts';
import { type ReviseParams, revise } from './revise.ts';
import { textHashOf } from './text-hash.ts';

/** What a Memory said. */
export type Text = { title: string; body: string };

type UpdateParams = ReviseParams &
  SketchParams & {
    accountId: string;
    given: string | null;
    memoryId: string;
    expectedVersion: number | null;
    title: string;
    body: string;
    kind: MemoryKind | null;
    /** Of the text that an import brings; null where nothing is imported. */
    importedHash: Uint8Array | null;
    cu: number;
    auditRecords: string;
  };

const cuOf = (p: Params<UpdateParams>) => sql<number>`${p.cu}::int`;

const importedHashOf = (p: Params<UpdateParams>) => sql<Uint8Array | null>`${p.importedHash}::bytea`;

/** Locks the Memory as it is, the `target`; it is `current` too when its writer started from this version, or from any. */
function withTarget(db: Kysely<DB>, p: Params<UpdateParams>) {
  const importedHash = importedHashOf(p);
  // Asked by an import alone: any other edit need not read the text that was there.
  const wasEdited = sql<boolean>`case when ${importedHash} is null then false
    else coalesce(${sql.ref('m.importedHash')} <> ${textHashOf('m')}, false) end`;
  const replaced = sql<Text | null>`case when ${importedHash} is null then null
    else json_build_object('title', ${sql.ref('m.title')}, 'body', ${sql.ref('m.body')}) end`;
  return db
    .with('target', (one) =>
      one
        .selectFrom('Memory as m')
        .innerJoin('Space as s', 's.id', 'm.spaceId')
        .select(['m.id', 'm.spaceId', 'm.cu', 'm.version'])
        .select([wasEdited.as('wasEdited'), replaced.as('replaced')])
        .where('m.id', '=', p.memoryId)
        .where('m.accountId', '=', p.accountId)
        .where('m.deletedAt', 'is', null)
        .where('s.archivedAt', 'is', null)
        .where((eb) => isReached(p.given, eb.ref('s.id')))
        .forNoKeyUpdate('m'),
    )
    .with('current', (one) =>
      one
        .selectFrom('target')
        .selectAll()
        .where((eb) =>
          eb.or([sql<boolean>`${p.expectedVersion}::int is null`, eb('version', '=', p.expectedVersion)]),
        ),
    );
}

/** What the text takes more or less: in the Space, `counted` when it does not grow or has room, then in the account, `claimed`. */
function withRoom(db: ReturnType<typeof withTarget>, p: Params<UpdateParams>) {
  const cu = cuOf(p);
  return db
    .with('counted', (one) =>
      one
        .updateTable('Space as s')
        .from('current as c')
        .set((eb) => ({
          cu: sql<number>`${eb.ref('s.cu')} + ${cu} - ${eb.ref('c.cu')}`,
          version: eb('s.version', '+', eb.lit(1)),
          updatedAt: p.now,
        }))
        .whereRef('s.id', '=', 'c.spaceId')
        .where((eb) =>
          eb.or([
            eb(cu, '<=', eb.ref('c.cu')),
            eb.exists(
              eb
                .selectFrom('Account as a')
                .select('a.id')
                .where('a.id', '=', p.accountId)
                .where((on) =>
                  on(
                    sql<number>`${on.ref('a.usedCu')} + ${cu} - ${eb.ref('c.cu')}`,
                    '<=',
                    on.ref('a.capacityCu'),
                  ),
                ),
            ),
          ]),
        )
        .returning('s.id'),
    )
    .with('claimed', (one) =>
      one
        .updateTable('Account as a')
        .from('current as c')
        .set((eb) => ({
          usedCu: sql<number>`${eb.ref('a.usedCu')} + ${cu} - ${eb.ref('c.cu')}`,
          updatedAt: p.now,
        }))
        .where('a.id', '=', p.accountId)
        .where('a.closedAt', 'is', null)
        .where((eb) => eb.exists(eb.selectFrom('counted').select('counted.id')))
        .returning(['a.usedCu', 'a.capacityCu', 'c.cu as oldCu']),
    );
}

/** The new text, in the CTE that `revise` and `keepSketch` read. */
function withText(db: ReturnType<typeof withRoom>, p: Params<UpdateParams>) {
  return db.with('changed', (one) =>
    one
      .updateTable('Memory as m')
      .from('claimed')
      .set((eb) => ({
        title: p.title,
        body: p.body,
        kind: eb.fn.coalesce(sql<MemoryKind | null>`${p.kind}::"MemoryKind"`, 'm.kind'),
        importedHash: eb.fn.coalesce(importedHashOf(p), 'm.importedHash'),
        cu: cuOf(p),
        version: eb('m.version', '+', eb.lit(1)),
        updatedAt: p.now,
      }))
      .where('m.id', '=', p.memoryId)
      .returningAll('m'),
  );
}

/**
 * Writes a new text over a Memory in one statement, hence one transaction, with its revision, sketch, counters and audit entry. Locks in the
 * order that every writer follows: Memory, Space, Account. Returns no row when the Memory is not there; no `newVersion`, having written nothing,
 * when another version was expected, there is no room, or the account is closed. The capacity was read before the account was locked:
 * `usedCu` may be above `capacityCu`, which the caller refuses.
 */
export const updateStatement = prepared('update-memory', (db, p: Params<UpdateParams>) =>
  keepSketch(revise(withText(withRoom(withTarget(db, p), p), p), p), p)
    .with('audited', (one) =>
      one
        .insertInto('AuditEntry')
        .columns(AUDIT_ENTRY.columns)
        .expression((eb) =>
          eb
            .selectFrom([auditEntries(p.auditRecords), 'changed'])
            .select((on) =>
              AUDIT_ENTRY.select.map((column) =>
                column === 'entry.data'
                  ? sql`entry.data || jsonb_build_object('spaceId', ${on.ref('changed.spaceId')}, 'version', ${on.ref('changed.version')})`.as(
                      'data',
                    )
                  : column,
              ),
            ),
        ),
    )
    .selectFrom('target')
    .leftJoin('changed', (join) => join.onTrue())
    .leftJoin('claimed', (join) => join.onTrue())
    .select([
      'target.spaceId',
      'target.version as foundVersion',
      'target.wasEdited',
      'target.replaced',
      'changed.version as newVersion',
      'claimed.usedCu',
      'claimed.capacityCu',
      'claimed.oldCu',
    ]),
);
