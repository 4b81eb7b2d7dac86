import { type AuditEvent, recordAudits } from '#lib/core/audit.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { IN_FLIGHT } from '../file-facts.ts';
import type { StoredFile } from '../file-store.ts';
import { type PendingOrphan, saveCursor } from './cursor.ts';
import { type Doomed, deleteBytes } from './delete-bytes.ts';
import type { Pass } from './pass.ts';

/** The folders that are listed; `avatars/` never is. */
export const ORPHAN_FOLDERS = ['generations/', 'products/', 'references/'] as const;

export type Listed = Omit<StoredFile, 'contentType'>;

// A file of a running generation's folder is its own; one of a closed row counts as long as the row has its files.
const NAMED = `WITH ${IN_FLIGHT}
  SELECT n."pathname" FROM unnest($1::text[]) AS n("pathname") WHERE
    EXISTS (SELECT 1 FROM "Asset" a WHERE a."pathname" = n."pathname" AND a."deletedAt" IS NULL)
    OR EXISTS (SELECT 1 FROM "Upload" u WHERE u."pathname" = n."pathname" AND u."deletedAt" IS NULL)
    OR EXISTS (SELECT 1 FROM "Avatar" v WHERE v."pathname" = n."pathname" AND v."deletedAt" IS NULL)
    OR EXISTS (SELECT 1 FROM "CaptureRush" r WHERE r."pathname" = n."pathname" AND r."clearedAt" IS NULL AND r."deletedAt" IS NULL)
    OR EXISTS (SELECT 1 FROM "Consent" c WHERE c."pathname" = n."pathname")
    OR EXISTS (SELECT 1 FROM in_flight f WHERE f."name" = n."pathname")
    OR EXISTS (SELECT 1 FROM "Generation" g WHERE g."id" = split_part(n."pathname", '/', 2)
      AND starts_with(n."pathname", 'generations/') AND g."state" IN ('STARTING', 'SUBMITTED'))`;

// Asked apart, as a join: inside an EXISTS the planner reads the whole journal for each name instead of its index.
const NAMED_BY_ARTIFACT = `SELECT DISTINCT n."pathname" FROM unnest($1::text[]) AS n("pathname") CROSS JOIN LATERAL (
    SELECT g."id" FROM "Generation" g WHERE g."artifacts" <> '[]'::jsonb AND g."filesDeletedAt" IS NULL
      AND g."artifacts" @> jsonb_build_array(jsonb_build_object('pathname', n."pathname")) OFFSET 0) g
  WHERE NOT EXISTS (SELECT 1 FROM "Asset" a WHERE a."pathname" = n."pathname" AND a."deletedAt" IS NOT NULL)`;

/** Which of these pathnames some row names: asset, upload, avatar, capture rush, consent, artifact or running generation. */
async function namedPathnames(sql: SqlTransaction, pathnames: readonly string[]): Promise<Set<string>> {
  if (pathnames.length === 0) return new Set();
  type Row = { pathname: string };
  const named = new Set(
    (await sql.rows<Row>('retention.named', NAMED, [pathnames])).map((row) => row.pathname),
  );
  const others = pathnames.filter((pathname) => !named.has(pathname));
  if (others.length === 0) return named;
  for (const row of await sql.rows<Row>('retention.named_by_artifact', NAMED_BY_ARTIFACT, [others]))
    named.add(row.pathname);
  return named;
}

/** The objects of a page that are older than 30 days and that no row names. */
export async function findOrphans(
  sql: SqlTransaction,
  files: readonly Listed[],
  cutoff: Date,
): Promise<Listed[]> {
  const old = files.filter((file) => file.uploadedAt < cutoff);
  const named = await namedPathnames(
    sql,
    old.map((file) => file.pathname),
  );
  return old.filter((file) => !named.has(file.pathname));
}

/** Lists the store's folders page by page and deletes what is old and named by nothing. */
export async function expireOrphans(pass: Pass): Promise<void> {
  const { ctx, budget } = pass;
  // Decided by a pass that was cut: asked again, for a row may name one by now, and that pass's clock may have been ahead.
  if (pass.cursor.pending.length > 0) {
    const named = await namedPathnames(
      ctx.sql,
      pass.cursor.pending.map((file) => file.pathname),
    );
    await remove(pass, {
      orphans: pass.cursor.pending.filter(
        (file) => !named.has(file.pathname) && new Date(file.uploadedAt) < pass.cutoff,
      ),
      next: { folder: pass.cursor.folder, page: pass.cursor.page },
    });
  }
  // Only a place kept from an earlier pass may be forgotten, and it is left once: a page that fails while the others answer
  // would otherwise send the pass back to the first one until its time is spent.
  let isFromEarlier = pass.cursor.page !== null;
  while (!budget.isSpent() && pass.cursor.folder < ORPHAN_FOLDERS.length) {
    const page = await listPage(pass, { isFromEarlier });
    if (!page) return;
    isFromEarlier = false;
    pass.report.orphans.scanned += page.files.length;
    const orphans = (await findOrphans(ctx.sql, page.files, pass.cutoff)).map(
      ({ pathname, etag, uploadedAt }) => ({ pathname, etag, uploadedAt: uploadedAt.toISOString() }),
    );
    await remove(pass, { orphans, next: page.next });
  }
  if (pass.cursor.folder >= ORPHAN_FOLDERS.length && !budget.isSpent()) pass.report.complete = true;
}

type Next = { folder: number; page: string | null };

/** The next page; null when the store does not list: the pass stops there, and the next one asks for the same page. */
async function listPage(
  pass: Pass,
  place: { isFromEarlier: boolean },
): Promise<{ files: Listed[]; next: Next } | null> {
  const { cursor } = pass;
  const prefix = ORPHAN_FOLDERS[cursor.folder] as string;
  const list = (page: string | null) =>
    pass.budget.inTime(pass.store.list({ prefix, limit: pass.page, ...(page ? { cursor: page } : {}) }));
  try {
    // A store may forget a cursor of the night before: its folder is then listed again.
    const page = await list(cursor.page).catch((error) => {
      if (!place.isFromEarlier) throw error;
      return list(null);
    });
    const next = page.cursor
      ? { folder: cursor.folder, page: page.cursor }
      : { folder: cursor.folder + 1, page: null };
    return { files: page.files, next };
  } catch (error) {
    pass.ctx.log.warn('retention.list_failed', {
      folder: prefix,
      error: error instanceof Error ? error.name : 'unknown',
    });
    pass.budget.stop();
    return null;
  }
}

/** Keeps what is about to go, deletes it, then writes the audit and the next place in one transaction. */
async function remove(pass: Pass, input: { orphans: readonly PendingOrphan[]; next: Next }): Promise<void> {
  const { ctx, report } = pass;
  const orphans = [...input.orphans];
  if (orphans.length > 0) {
    // Still at the same page: were the pass cut now, the next one would finish this and move on.
    await saveCursor(ctx.sql, ctx, { ...pass.cursor, ...input.next, pending: orphans });
  }
  const results = await deleteBytes(pass.store, orphans, pass.budget);
  const having = (wanted: string) => orphans.filter((_, index) => results[index] === wanted);
  const [removed, changed, failed, left] = [
    having('removed'),
    having('changed'),
    having('failed'),
    having('left'),
  ];
  pass.cursor = { ...pass.cursor, ...input.next, pending: left };
  await ctx.sql.transaction(async (tx) => {
    await recordAudits(tx, ctx, [
      ...(await entries(tx, removed, 'generation.files_expired')),
      ...(await entries(tx, failed, 'generation.files_delete_failed')),
    ]);
    await saveCursor(tx, ctx, pass.cursor);
  });
  report.orphans.expired += removed.length;
  report.orphans.failed += failed.length;
  report.assets.kept.changed += changed.length;
}

/** One entry per folder and account whose generation or upload it was; what belonged to nobody has no account. */
async function entries(
  tx: SqlTransaction,
  files: readonly Doomed[],
  action: 'generation.files_expired' | 'generation.files_delete_failed',
): Promise<AuditEvent[]> {
  if (files.length === 0) return [];
  const owners = await tx.rows<{ pathname: string; accountId: string | null }>(
    'retention.owners',
    `SELECT n."pathname", COALESCE(g."accountId", u."accountId") AS "accountId" FROM unnest($1::text[]) AS n("pathname")
     LEFT JOIN "Generation" g ON g."id" = split_part(n."pathname", '/', 2) AND starts_with(n."pathname", 'generations/')
     LEFT JOIN "Upload" u ON u."pathname" = n."pathname"`,
    [files.map((file) => file.pathname)],
  );
  const folderOf = (pathname: string) => pathname.slice(0, pathname.indexOf('/') + 1);
  const groups = Map.groupBy(owners, (owner) => `${folderOf(owner.pathname)} ${owner.accountId}`);
  return [...groups.values()].map(
    (group): AuditEvent => ({
      action,
      accountId: group[0]?.accountId ?? null,
      subject: undefined,
      data: {
        by: 'orphan-scan',
        folder: folderOf(group[0]?.pathname ?? ''),
        pathnames: group.map((owner) => owner.pathname),
      },
    }),
  );
}
