import { type Expression, type QueryCreator, type Selectable, sql } from 'kysely';
import { AUDIT_ENTRY, auditEntries } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import type { DB } from '#lib/db/generated/tables.ts';
import { selectedRow } from '#lib/db/values.ts';
import type { GenerationRow } from '../generation/generation.ts';
import type { Artifact } from '../generation/params.ts';

/** A statement whose conditional update of a row is the CTE `changed`: what selects from it is written only if the update was made. */
type WithChanged = QueryCreator<DB & { changed: GenerationRow }>;

type AssetRecord = Pick<
  Selectable<DB['Asset']>,
  'id' | 'pathname' | 'contentType' | 'bytes' | 'width' | 'height' | 'durationMs' | 'etag' | 'position'
>;

/** What `insertAssets` needs to write the assets of some artifacts. */
export function assetRecords(ctx: Pick<Context, 'clock'>, artifacts: readonly Artifact[]): string {
  const now = ctx.clock.now();
  return JSON.stringify(
    artifacts.map((artifact, position) => ({ id: createId('asset', now), position, ...artifact })),
  );
}

/** The assets of the row that was changed. A file that is an asset already stays as it is. */
export function insertAssets(qb: WithChanged, records: Expression<string>, at: Expression<Date>) {
  const row = (name: keyof GenerationRow) => sql.ref<string>(`changed.${name}`);
  const file = <K extends keyof AssetRecord>(name: K) => sql.ref<AssetRecord[K]>(`file.${name}`);
  const asset = selectedRow<'Asset'>({
    id: file('id'),
    accountId: row('accountId'),
    memberId: row('memberId'),
    productId: row('productId'),
    generationId: row('id'),
    type: sql.ref('changed.assetType'),
    pathname: file('pathname'),
    contentType: file('contentType'),
    bytes: file('bytes'),
    width: file('width'),
    height: file('height'),
    durationMs: file('durationMs'),
    etag: file('etag'),
    position: file('position'),
    createdAt: at,
    updatedAt: at,
  });
  const files = sql<AssetRecord>`jsonb_to_recordset(${records}::jsonb)`.as<'file'>(
    sql`file("id" text, "pathname" text, "contentType" text, "bytes" bigint, "width" int, "height" int, "durationMs" int,
      "etag" text, "position" int)`,
  );
  return qb
    .insertInto('Asset')
    .columns(asset.columns)
    .expression((eb) => eb.selectFrom(['changed', files]).select(asset.selection))
    .onConflict((conflict) => conflict.column('pathname').doNothing());
}

/** The audit entries about the row that was changed. */
export function insertAudits(qb: WithChanged, records: Expression<string>) {
  return qb
    .insertInto('AuditEntry')
    .columns(AUDIT_ENTRY.columns)
    .expression((eb) => eb.selectFrom(['changed', auditEntries(records)]).select(AUDIT_ENTRY.select));
}
