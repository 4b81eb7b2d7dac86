import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyLocked, isAnyOf } from '#lib/db/values.ts';
import type { StudioContext } from '../context.ts';

/** A file of the account that a reference names. */
export type OwnFile = {
  id: string;
  pathname: string;
  productId: string;
  source: 'asset' | 'upload' | 'avatar';
};

type Named = { accountId: string; ids: string[]; pathnames: string[] };

const COLUMNS = ['id', 'pathname', 'productId'] as const;

const touchFiles = prepared('studio.own_files', (db, p: Params<Named & { now: Date }>) => {
  const isNamed = sql<boolean>`(${isAnyOf('id', p.ids)} or ${isAnyOf('pathname', p.pathnames)})`;
  const source = (name: OwnFile['source']) => sql<OwnFile['source']>`${sql.lit(name)}::text`.as('source');
  const live = (table: 'Upload' | 'Asset') =>
    db
      .selectFrom(table)
      .select('id')
      .where('accountId', '=', p.accountId)
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .where(isNamed)
      .orderBy('id')
      .forNoKeyUpdate();
  return db
    .with('upload', (qb) =>
      qb
        .updateTable('Upload')
        .set({ touchedAt: p.now })
        .where(isAnyLocked('id', live('Upload')))
        .returning(COLUMNS),
    )
    .with('asset', (qb) =>
      qb
        .updateTable('Asset')
        .set({ usedAt: p.now })
        .where(isAnyLocked('id', live('Asset')))
        .returning(COLUMNS),
    )
    .selectFrom('upload')
    .select([...COLUMNS, source('upload')])
    .unionAll((eb) => eb.selectFrom('asset').select([...COLUMNS, source('asset')]))
    .unionAll((eb) =>
      eb
        .selectFrom('Avatar')
        .select([...COLUMNS, source('avatar')])
        .where('accountId', '=', p.accountId)
        .where('deletedAt', 'is', null)
        .where(isNamed),
    );
});

/**
 * The files of the account behind these identifiers and pathnames, in one round trip; what is deleted or another account's
 * is not found. An upload that is found is touched: retention counts its 30 days from now; an asset is kept for the next hour.
 */
export async function findOwnFiles(
  ctx: StudioContext<AccountActor>,
  input: { ids: readonly string[]; pathnames: readonly string[] },
): Promise<OwnFile[]> {
  if (input.ids.length + input.pathnames.length === 0) return [];
  const { accountId } = ctx.actor;
  return touchFiles.all(ctx.kysely, {
    accountId,
    ids: [...input.ids],
    pathnames: [...input.pathnames],
    now: ctx.clock.now(),
  });
}
