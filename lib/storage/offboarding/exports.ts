import { type AccountActor, actorLabel, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import { json } from '#lib/db/values.ts';
import { requireErasureRights } from '#lib/identity/closing/require-erasure-rights.ts';
import { type FilesContext, requireStore } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import { headAll } from '../head-all.ts';
import { byteRange, quotedEtag, rangeStillHolds } from '../serving/byte-range.ts';
import { countAll } from './sections.ts';

/** How long an export can be opened, from when it is whole. */
export const OPEN_MS = 24 * 3_600_000;
/** How long one may take before it is given up. */
const GIVEN_UP_MS = 48 * 3_600_000;

export type ExportView = {
  id: string;
  state: 'RUNNING' | 'READY' | 'FAILED';
  done: number;
  total: number;
  bytes: bigint;
  createdAt: Date;
  expiresAt: Date;
};

/** Where the parts of one account's exports lie: of no use to anything but `openExport`. */
export const exportFolder = (accountId: string) => `exports/${accountId}/`;
export const partPath = (accountId: string, exportId: string, position: number) =>
  `${exportFolder(accountId)}${exportId}/${String(position).padStart(6, '0')}`;

/**
 * Begins an export of everything the account has; `runExport` makes it. Founders. Errors: `forbidden`, `conflict` while one is being made,
 * `not_configured` without a file store.
 */
export async function startExport(ctx: FilesContext<AccountActor>): Promise<{ exportId: string }> {
  const { accountId, memberId } = ctx.actor;
  await requireErasureRights(ctx, { accountId });
  requireStore(ctx);
  const now = ctx.clock.now();
  const exportId = createId('accountExport', now);
  const total = await countAll(ctx.kysely, accountId);
  await transaction(ctx, async (tx) => {
    // An expired export is no longer shown and does not continue: it must not block a new one until the night deletes it.
    await tx
      .updateTable('AccountExport')
      .set({ state: 'FAILED', updatedAt: now })
      .where('accountId', '=', accountId)
      .where('state', '=', 'RUNNING')
      .where('expiresAt', '<=', now)
      .execute();
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('AccountExport')
      .values({
        id: exportId,
        accountId,
        memberId,
        cursor: json({ step: 0, after: '', page: 1 }),
        total,
        createdAt: now,
        updatedAt: now,
        expiresAt: new Date(now.getTime() + GIVEN_UP_MS),
      })
      .onConflict((one) => one.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n)
      throw new ServiceError('conflict', { message: 'Un export de ce compte est déjà en préparation.' });
    await recordAudits(tx, ctx, [
      {
        action: 'account.export_started',
        accountId,
        subject: { type: 'account', id: accountId },
        data: { exportId },
      },
    ]);
  });
  return { exportId };
}

const FIELDS = {
  id: true,
  state: true,
  done: true,
  total: true,
  bytes: true,
  createdAt: true,
  expiresAt: true,
} as const;

/** More than are made, one after another, in the day that they can be opened. */
const MAX_LISTED = 50;

/** The account's exports that can still be followed or opened, the latest first. Errors: `forbidden`. */
export async function listExports(ctx: Context<AccountActor>): Promise<ExportView[]> {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  return ctx.db.accountExport.findMany({
    where: { accountId: ctx.actor.accountId, expiresAt: { gt: ctx.clock.now() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_LISTED,
    select: FIELDS,
  });
}

type OpenedExport = {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | null;
};

/**
 * The zip of a complete export, or one range of it to resume a download; parts follow each other as they are read. Audited once a download,
 * not for each range nor for its size alone (`head`); a first request for a later range counts as opening it. Errors: `forbidden` (also at
 * each part, for a former founder), `not_found` for one that is incomplete, expired, another account's, or of which the store has lost a part:
 * reported before the first byte, and it is never offered again.
 */
export async function openExport(
  ctx: FilesContext<AccountActor>,
  input: { exportId: string; range: string | null; ifRange?: string | null; head?: boolean },
): Promise<OpenedExport> {
  const { accountId } = ctx.actor;
  await requireErasureRights(ctx, { accountId });
  const found = await ctx.db.accountExport.findFirst({
    where: { id: input.exportId, accountId, state: 'READY', expiresAt: { gt: ctx.clock.now() } },
    select: { id: true, bytes: true, createdAt: true },
  });
  if (!found)
    throw new ServiceError('not_found', { message: 'Cet export n’existe pas, ou n’est plus disponible.' });
  const store = requireStore(ctx);
  const size = Number(found.bytes);
  const etag = quotedEtag(found.id);
  const headers: Record<string, string> = { 'Accept-Ranges': 'bytes', ETag: etag };
  // A range is asked of GET alone (RFC 9110, 14.2).
  const isAsked = !input.head && rangeStillHolds(input.ifRange ?? null, etag);
  const range = isAsked ? byteRange(input.range, size) : null;
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, body: null };
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers['Content-Length'] = String(end - start + 1);
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${size}`;
  const parts = await ctx.db.accountExportPart.findMany({
    where: { exportId: found.id, accountId },
    orderBy: { position: 'asc' },
    select: { position: true, bytes: true },
  });
  if (!(await isWhole(store, { accountId, exportId: found.id, size, parts }))) {
    await ctx.db.accountExport.updateMany({
      where: { id: found.id, accountId, state: 'READY' },
      data: { state: 'FAILED', updatedAt: ctx.clock.now() },
    });
    throw new ServiceError('not_found', {
      message: 'Une partie de cet export a disparu\u00a0: préparez-en un autre. Rien n’a été envoyé.',
    });
  }
  if (input.head) return { status: 200, headers, body: null };
  if (start === 0 || !(await hasOpened(ctx, found)))
    await recordAudits(ctx.kysely, ctx, [
      {
        action: 'account.export_opened',
        accountId,
        subject: { type: 'account', id: accountId },
        data: { exportId: found.id },
      },
    ]);
  const body = async function* () {
    let before = 0;
    let isBegun = false;
    for (const { position, bytes } of parts) {
      const length = Number(bytes);
      const from = Math.max(start - before, 0);
      const to = Math.min(end - before, length - 1);
      before += length;
      if (from >= length || to < 0) continue;
      if (isBegun) await requireErasureRights(await withCurrentRights(ctx), { accountId });
      isBegun = true;
      const pathname = partPath(accountId, found.id, position);
      const read = await store.read(pathname, { maxBytes: length });
      if (!read) throw new Error('A part of an export is missing.');
      yield read.bytes.subarray(from, to + 1);
    }
  };
  return { status: range ? 206 : 200, headers, body: body() };
}

/** Whether the audit says already that this actor opened this export. */
async function hasOpened(
  ctx: FilesContext<AccountActor>,
  made: { id: string; createdAt: Date },
): Promise<boolean> {
  const entry = await ctx.db.auditEntry.findFirst({
    where: {
      accountId: ctx.actor.accountId,
      action: 'account.export_opened',
      actor: actorLabel(ctx.actor),
      at: { gte: made.createdAt },
      data: { path: ['exportId'], equals: made.id },
    },
    select: { id: true },
  });
  return entry !== null;
}

/** Whether the store has every part, of the size that was written, and they make the whole: whoever reads a zip that is cut in the middle gets no error. */
async function isWhole(
  store: FileStore,
  made: {
    accountId: string;
    exportId: string;
    size: number;
    parts: readonly { position: number; bytes: bigint }[];
  },
): Promise<boolean> {
  const kept = new Map<string, number>();
  for (let cursor: string | undefined; ; ) {
    const prefix = `${exportFolder(made.accountId)}${made.exportId}/`;
    const page = await store.list({ prefix, ...(cursor ? { cursor } : {}) });
    for (const { pathname, bytes } of page.files) kept.set(pathname, bytes);
    cursor = page.cursor;
    if (!cursor) break;
  }
  const pathOf = ({ position }: { position: number }) => partPath(made.accountId, made.exportId, position);
  const doubtful = made.parts.filter((part) => kept.get(pathOf(part)) !== Number(part.bytes));
  // A list may be late: of what it does not show, the store is asked.
  const found = await headAll(store, doubtful.map(pathOf));
  if (doubtful.some((part) => found.get(pathOf(part))?.bytes !== Number(part.bytes))) return false;
  const size = made.parts.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  return size === made.size;
}
