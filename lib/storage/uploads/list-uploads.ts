import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { UploadKind } from '#lib/db/generated/prisma/client.ts';
import { RETENTION_MS } from '../keep-reason.ts';
import type { UploadRecord } from './record-upload.ts';

/** The account's uploads that are still there, newest first, with the date on which each expires untouched. At most 200. */
export async function listUploads(
  ctx: Context<AccountActor>,
  input: { productId?: string; kind?: UploadKind } = {},
): Promise<(UploadRecord & { expiresAt: Date })[]> {
  const rows = await ctx.db.upload.findMany({
    where: { accountId: ctx.actor.accountId, deletedAt: null, expiringAt: null, ...input },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 200,
  });
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
    expiresAt: new Date(row.touchedAt.getTime() + RETENTION_MS),
  }));
}
