import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { UploadKind } from '#lib/db/generated/tables.ts';
import { liveUploads, withUploadFacts } from '../facts/upload-facts.ts';
import { type FileRetention, fileRetention } from '../keep-reason.ts';
import type { UploadRecord } from './record-upload.ts';

/**
 * The account's uploads that are still there, newest first, each with what keeps it or when it expires: the very rule of the nightly
 * retention. At most 200.
 */
export async function listUploads(
  ctx: Context<AccountActor>,
  input: { productId?: string; kind?: UploadKind } = {},
): Promise<(UploadRecord & FileRetention)[]> {
  const now = ctx.clock.now();
  let query = liveUploads(ctx.kysely)
    .select(['u.productId', 'u.kind', 'u.contentType', 'u.width', 'u.height', 'u.durationMs', 'u.via'])
    .select('u.createdAt')
    .where('u.accountId', '=', ctx.actor.accountId)
    .where('u.expiringAt', 'is', null);
  if (input.productId !== undefined) query = query.where('u.productId', '=', input.productId);
  if (input.kind !== undefined) query = query.where('u.kind', '=', input.kind);
  const rows = await query.orderBy('u.createdAt', 'desc').orderBy('u.id', 'desc').limit(200).execute();
  return rows.map((row) => ({
    id: row.id,
    productId: row.productId,
    kind: row.kind,
    pathname: row.pathname,
    contentType: row.contentType,
    bytes: Number(row.bytes),
    width: row.width,
    height: row.height,
    durationMs: row.durationMs,
    via: row.via,
    createdAt: row.createdAt,
    ...fileRetention(withUploadFacts(row), now),
  }));
}
