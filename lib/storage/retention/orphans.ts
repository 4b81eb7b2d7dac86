import { sql } from 'kysely';
import { type AuditEvent, recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor, Transaction } from '#lib/db/types.ts';
import { pathnameTable, readObjectFacts } from '../facts/object-facts.ts';
import type { StoredFile } from '../file-store.ts';
import { type FileFacts, factsSince } from '../keep-reason.ts';
import { uploadTimeOf } from '../upload-time.ts';
import { type Cursor, type PendingOrphan, saveCursor } from './cursor.ts';
import { deleteBytes, type StoredVersion } from './delete-bytes.ts';
import { countChanged, type Pass } from './pass.ts';

/** The folders that are listed; `avatars/` never is. No export lives for 30 days: what is left of one is nobody's. */
export const ORPHAN_FOLDERS = ['generations/', 'products/', 'references/', 'imports/', 'exports/'] as const;

/** An object of the store as far as the pass looks at it. */
type StoredObject = StoredVersion & { uploadedAt: Date | null };
type Dated = { uploadedAt: Date };
type Listed = Omit<StoredFile, 'contentType'>;

/** The objects of a page that nothing keeps: older than 30 days, and named by no row. One whose age the store does not say is kept. */
export async function findOrphans<Listed extends StoredObject>(
  on: Executor,
  objects: readonly Listed[],
  now: Date,
  rule: Pass['rule'],
): Promise<(Listed & Dated)[]> {
  const old = objects.filter(
    (object): object is Listed & Dated =>
      object.uploadedAt !== null && rule(factsSince(object.uploadedAt), now) === null,
  );
  const facts = await readObjectFacts(on, old);
  return old.filter((_, index) => rule(facts[index] as FileFacts, now) === null);
}

/** Lists the folders of a store that is this database's, page by page, and deletes what is old and named by nothing. */
export async function expireOrphans(pass: Pass): Promise<void> {
  const { ctx, budget } = pass;
  if (budget.isSpent()) return;
  if (pass.standing !== 'own') return refuseOrphans(pass);
  // Chosen by an interrupted pass: checked again, because a row may name one by now, and that pass's clock may have been ahead.
  if (pass.cursor.pending.length > 0) {
    const pending = pass.cursor.pending.map((file) => ({
      ...file,
      uploadedAt: uploadTimeOf(new Date(file.uploadedAt)),
    }));
    await remove(pass, {
      orphans: await findOrphans(ctx.kysely, pending, pass.now, pass.rule),
      next: { folder: pass.cursor.folder, page: pass.cursor.page },
    });
  }
  // Only a position from an earlier pass may be reset, and once: a page that fails while others succeed would otherwise send the pass back to the
  // first one until its time is over.
  let isFromEarlier = pass.cursor.page !== null;
  while (!budget.isSpent() && pass.cursor.folder < ORPHAN_FOLDERS.length) {
    const page = await listPage(pass, { isFromEarlier });
    // The next night begins with the files of rows, then asks for the same page: a folder that cannot be listed must not stop them.
    if (!page) return beginWithRows(pass, pass.cursor);
    isFromEarlier = false;
    pass.report.orphans.scanned += page.files.length;
    const orphans = await findOrphans(ctx.kysely, page.files, pass.now, pass.rule);
    await remove(pass, { orphans, next: page.next });
  }
  if (pass.cursor.folder >= ORPHAN_FOLDERS.length && !budget.isSpent()) pass.report.complete = true;
}

/** Reports that orphans are left alone, because the store is marked as another database's. */
async function refuseOrphans(pass: Pass): Promise<void> {
  pass.ctx.log.error('retention.orphans_refused');
  pass.report.orphansRefused = true;
  await beginWithRows(pass, null);
}

/** The next night looks at files of rows first, then for orphans where it was; null: from their beginning. */
async function beginWithRows(pass: Pass, place: Cursor | null): Promise<void> {
  await saveCursor(pass.ctx.kysely, pass.ctx, place && { ...place, phase: 'assets', after: null });
}

type Next = { folder: number; page: string | null };

/** The next page; null when listing fails: the pass stops there, and the next one asks for the same page. */
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
      ...faultFields(error),
    });
    pass.budget.stop();
    return null;
  }
}

/** Records the orphans about to be deleted, deletes them, then writes the audit and the next position in one transaction. */
async function remove(
  pass: Pass,
  input: { orphans: readonly (StoredVersion & Dated)[]; next: Next },
): Promise<void> {
  const { ctx, report } = pass;
  const orphans = input.orphans.map(
    ({ pathname, etag, uploadedAt }): PendingOrphan => ({
      pathname,
      etag,
      uploadedAt: uploadedAt.toISOString(),
    }),
  );
  if (orphans.length > 0) {
    // Still at the same page: were the pass cut now, the next one would finish this and move on.
    await saveCursor(ctx.kysely, ctx, { ...pass.cursor, ...input.next, pending: orphans });
  }
  const results = await deleteBytes(pass, orphans);
  const having = (wanted: string) => orphans.filter((_, index) => results[index] === wanted);
  const [removed, changed, failed, left] = [
    having('removed'),
    having('changed'),
    having('failed'),
    having('left'),
  ];
  pass.cursor = { ...pass.cursor, ...input.next, pending: left };
  await transaction(ctx, async (tx) => {
    await recordAudits(tx, ctx, [
      ...(await entries(tx, removed, 'generation.files_expired')),
      ...(await entries(tx, failed, 'generation.files_delete_failed')),
    ]);
    await saveCursor(tx, ctx, pass.cursor);
  });
  report.orphans.expired += removed.length;
  report.orphans.failed += failed.length;
  countChanged(pass, changed);
}

const owners = prepared('retention.owners', (db, p: Params<{ pathnames: readonly string[] }>) =>
  db
    .selectFrom(pathnameTable(p.pathnames))
    .leftJoin('Generation as g', (join) =>
      join
        .on('g.id', '=', sql<string>`split_part(${sql.ref('n.pathname')}, '/', 2)`)
        .on(sql<boolean>`starts_with(${sql.ref('n.pathname')}, 'generations/')`),
    )
    .leftJoin('Upload as u', 'u.pathname', 'n.pathname')
    .select(({ fn }) => ['n.pathname', fn.coalesce('g.accountId', 'u.accountId').as('accountId')]),
);

/** One entry per folder and account whose generation or upload it was; what belonged to nobody has no account. */
async function entries(
  tx: Transaction,
  files: readonly StoredVersion[],
  action: 'generation.files_expired' | 'generation.files_delete_failed',
): Promise<AuditEvent[]> {
  if (files.length === 0) return [];
  const named = await owners.all(tx, { pathnames: files.map((file) => file.pathname) });
  const folderOf = (pathname: string) => pathname.slice(0, pathname.indexOf('/') + 1);
  const groups = Map.groupBy(named, (owner) => `${folderOf(owner.pathname)} ${owner.accountId}`);
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
