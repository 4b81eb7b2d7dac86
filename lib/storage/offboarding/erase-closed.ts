import { sql } from 'kysely';
import type { SystemActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import { readJobCursor, saveJobCursor } from '#lib/core/resource-limits/job-cursor.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { findClosingRecipients, mailClosing } from '#lib/identity/closing/closing-notices.ts';
import { CLOSING_DAYS } from '#lib/identity/closing/closing-rules.ts';
import type { Post } from '#lib/identity/notices/mail-notices.ts';
import type { FilesContext } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import { generationFolder, importFolder, referenceFolder, thumbnailPathname } from '../pathnames.ts';
import { inStoreTime } from '../retention/budget.ts';
import { exportFolder } from './exports.ts';
import { deleteUnder } from './run-export.ts';

/** Journal rows whose files go in one step, and are then erased. */
const STEP = 100;
/** Folders that are emptied at once. */
const TOGETHER = 16;
/** How long a night gives to it; the next one goes on. */
const MAX_MS = 30_000;
/** Accounts of one night: those after the last one that was tried. */
const ACCOUNTS = 20;
/** Its row of `CronCursor`. */
const JOB = 'erase-closed-accounts';
/** What an instance without a file store deletes. */
const NOTHING = { deleted: 0, isEmpty: true };

/**
 * Erases the accounts closed more than 30 days ago: files first, then every row, except wallets and lines, which keep figures and identifiers.
 * Once begun, nobody can enter the account. Can be cut anywhere; of two concurrent runs, one finishes an account. Returns how many this run
 * finished. The error of one account (`account.erasure_failed`) is thrown once the others were tried. `post` tells its former founders and the
 * operator's, whose addresses are then forgotten.
 */
export async function eraseClosed(
  ctx: FilesContext<SystemActor>,
  post?: Post,
  within?: TimeLimit,
): Promise<number> {
  const limit = timeLimit(ctx, MAX_MS, within);
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const begun = await tx
      .updateTable('Account')
      .set({ erasingAt: now })
      .where('closedAt', '<=', new Date(now.getTime() - CLOSING_DAYS * 86_400_000))
      .where('erasingAt', 'is', null)
      .where('erasedAt', 'is', null)
      .returning('id')
      .execute();
    if (begun.length === 0) return;
    // Nobody can enter any more. The persons are kept until the last step, which erases those in no other account; their addresses too, except
    // those of members who had left or were suspended: they were not told that it closed, and are not told that it is gone.
    await tx
      .updateTable('Member')
      .set((eb) => ({
        status: 'REMOVED' as const,
        email: eb.case().when('status', '=', 'ACTIVE').then(eb.ref('email')).else(null).end(),
      }))
      .where(
        isAnyOf(
          'accountId',
          begun.map(({ id }) => id),
        ),
      )
      .execute();
  });
  const due = await ctx.kysely
    .selectFrom('Account')
    .select('id')
    // One that is being erased is closed: said, as the index of closed accounts says it.
    .where('closedAt', 'is not', null)
    .where('erasingAt', 'is not', null)
    .where('erasedAt', 'is', null)
    // After the last one tried, in turn, however many the store refuses.
    .orderBy(sql`"id" <= ${await readJobCursor(ctx, JOB)}`)
    .orderBy('id')
    .limit(ACCOUNTS)
    .execute();
  let erased = 0;
  let reached = '';
  const failures: unknown[] = [];
  for (const [index, { id }] of due.entries()) {
    if (limit.isOver()) break;
    reached = id;
    // An even part of the remaining time: an account that takes many nights does not use up the others' time.
    const own = limit.upTo(limit.leftMs / (due.length - index));
    try {
      if (await eraseOne(ctx, id, { limit: own, post })) erased += 1;
    } catch (error) {
      if (await isErased(ctx, id)) continue;
      // An account that the store refuses is tried again in its turn: it must not block the others.
      ctx.log.error('account.erasure_failed', { accountId: id, ...faultFields(error) });
      failures.push(error);
    }
  }
  if (reached !== '') await saveJobCursor(ctx, JOB, reached);
  if (failures.length > 0) throw failures[0];
  return erased;
}

/** Whether a concurrent run has finished the account: an error here is then no failure. */
async function isErased({ kysely }: FilesContext<SystemActor>, accountId: string): Promise<boolean> {
  const account = await kysely
    .selectFrom('Account')
    .select('erasedAt')
    .where('id', '=', accountId)
    .executeTakeFirst()
    .catch(() => undefined);
  return account?.erasedAt != null;
}

async function eraseOne(
  ctx: FilesContext<SystemActor>,
  accountId: string,
  { limit, post }: { limit: TimeLimit; post: Post | undefined },
): Promise<boolean> {
  const { store } = ctx.files;
  let generations = 0;
  const named = await eraseNamedFiles(ctx, store, { accountId, limit });
  let files = named.deleted;
  if (!named.isEmpty) return false;
  for (let after = ''; ; ) {
    if (limit.isOver()) return false;
    const rows = await ctx.kysely
      .selectFrom('Generation')
      .select('id')
      .where('accountId', '=', accountId)
      .where('id', '>', after)
      .where((eb) => eb.or([eb('filesDeletedBy', 'is', null), eb('filesDeletedBy', '<>', 'erasure')]))
      .orderBy('id')
      .limit(STEP)
      .execute();
    const ids = rows.map(({ id }) => id);
    after = ids.at(-1) ?? '';
    if (ids.length === 0) break;
    const { emptied, deleted, failures } = await emptyFolders(store, ids, limit);
    files += deleted;
    // Recorded however few: the next night does not list emptied folders again.
    await sql`select erase_generations(${accountId}, ${emptied}::text[])`.execute(ctx.kysely);
    generations += emptied.length;
    if (failures.length > 0) throw failures[0];
    if (emptied.length < ids.length) return false;
  }
  const recipients = await findClosingRecipients(ctx.kysely, accountId);
  await transaction(ctx, async (tx) => {
    await lockWhatGoes(tx, accountId);
    // Their deliveries go with them.
    await tx.deleteFrom('WebhookEndpoint').where('accountId', '=', accountId).execute();
    await tx.deleteFrom('ShareLink').where('accountId', '=', accountId).execute();
    await tx.deleteFrom('WebhookThreshold').where('accountId', '=', accountId).execute();
    // Rows that the ledger points at stay, and what was said of them goes; mentions go with it.
    await tx.deleteFrom('GenerationComment').where('accountId', '=', accountId).execute();
    await tx.deleteFrom('SavedFilter').where('accountId', '=', accountId).execute();
    await sql`select erase_account(${accountId}, ${ctx.clock.now()}::timestamptz)`.execute(tx);
    await recordAudits(tx, ctx, [
      {
        action: 'account.erased',
        accountId,
        subject: { type: 'account', id: accountId },
        data: { generations, files },
      },
    ]);
  });
  mailClosing(post, recipients, { kind: 'erased', accountId, at: ctx.clock.now() });
  return true;
}

/**
 * Empties the folders of these generations, several at once: each is two or three calls to the store, and a night is short. Once one has
 * failed none is begun; those on their way end. Returns the generations whose folder is empty.
 */
async function emptyFolders(
  store: FileStore | null,
  generationIds: readonly string[],
  limit: TimeLimit,
): Promise<{ emptied: string[]; deleted: number; failures: unknown[] }> {
  const emptied: string[] = [];
  const failures: unknown[] = [];
  let deleted = 0;
  const waiting = [...generationIds];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && failures.length === 0; id = waiting.shift())
      try {
        // The whole folder: a runner may have left there what no row names.
        const folder = store ? await deleteUnder(store, generationFolder(id), limit) : NOTHING;
        deleted += folder.deleted;
        if (folder.isEmpty) emptied.push(id);
      } catch (error) {
        failures.push(error);
      }
  };
  await Promise.all(Array.from({ length: Math.min(TOGETHER, waiting.length) }, work));
  return { emptied, deleted, failures };
}

/**
 * Locks rows in the order of concurrent transactions: proofs, sessions, then what a person in several accounts ends with them
 * (`revokeAllSessions`), and an application's codes and tokens before its grants (refreshing).
 */
async function lockWhatGoes(tx: Transaction, accountId: string): Promise<void> {
  const leaving = tx
    .selectFrom('Member as m')
    .select('m.personId')
    .where('m.accountId', '=', accountId)
    .where('m.personId', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('Member as o')
            .select('o.id')
            .whereRef('o.personId', '=', 'm.personId')
            .where('o.accountId', '<>', accountId),
        ),
      ),
    );
  const grants = tx.selectFrom('OAuthGrant').select('id').where('accountId', '=', accountId);
  const ofAccount = sql<boolean>`"accountId" = ${accountId}`;
  const ofGrants = sql<boolean>`"grantId" in ${grants}`;
  const taken = [
    ['SignInCode', sql<boolean>`"email" in (select "email" from "Person" where "id" in ${leaving})`],
    ['Passkey', sql<boolean>`"personId" in ${leaving}`],
    ['Session', sql<boolean>`"accountId" = ${accountId} or "personId" in ${leaving}`],
    ['WebhookEndpoint', ofAccount],
    ['ShareLink', ofAccount],
    ['DeveloperKey', ofAccount],
    ['OAuthCode', ofGrants],
    ['OAuthToken', ofGrants],
  ] as const;
  for (const [table, rows] of taken)
    await sql`select "id" from ${sql.table(table)} where ${rows} order by "id" for update`.execute(tx);
  await tx
    .selectFrom('OAuthGrant')
    .select('id')
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** What is named by a row and lies in none of the folders that are emptied whole: a night that is cut does not begin with all of it again. */
const ELSEWHERE = {
  Asset: sql<boolean>`not "imported"
    and ("generationId" is null or not starts_with("pathname", 'generations/' || "generationId" || '/'))`,
  Upload: sql<boolean>`not starts_with("pathname", 'references/' || "productId" || '/' || "accountId" || '/')`,
  CaptureRush: sql<boolean>`true`,
  Consent: sql<boolean>`true`,
  // Those of the former application that have bytes of their own: no pass ever lists their folder.
  Avatar: sql<boolean>`starts_with("pathname", 'avatars/')`,
} as const;

/** Files that members brought, signed documents and exports, then what was sent and never recorded, for as long as it may take. */
async function eraseNamedFiles(
  ctx: FilesContext<SystemActor>,
  store: FileStore | null,
  { accountId, limit }: { accountId: string; limit: TimeLimit },
): Promise<{ deleted: number; isEmpty: boolean }> {
  if (!store) return NOTHING;
  let deleted = 0;
  // First: a running export finds its row deleted, and writes no further part.
  await ctx.kysely.deleteFrom('AccountExport').where('accountId', '=', accountId).execute();
  const products = await ctx.kysely
    .selectFrom('Upload')
    .select('productId')
    .distinct()
    .where('accountId', '=', accountId)
    .execute();
  const references = new Set(['libre', ...products.map((one) => one.productId)]);
  for (const folder of [
    exportFolder(accountId),
    importFolder(accountId),
    ...[...references].map((productId) => referenceFolder(accountId, productId)),
  ]) {
    const emptied = await deleteUnder(store, folder, limit);
    deleted += emptied.deleted;
    if (!emptied.isEmpty) return { deleted, isEmpty: false };
  }
  for (const table of ['Asset', 'Upload', 'CaptureRush', 'Consent', 'Avatar'] as const) {
    for (let after = ''; ; ) {
      if (limit.isOver()) return { deleted, isEmpty: false };
      const { rows } = await sql<{
        id: string;
        pathname: string | null;
      }>`select "id", "pathname" from ${sql.table(table)}
        where "accountId" = ${accountId} and "id" > ${after} and "pathname" is not null and ${ELSEWHERE[table]}
        order by "id" limit 200`.execute(ctx.kysely);
      if (rows.length === 0) break;
      after = rows.at(-1)?.id ?? '';
      const named = rows.flatMap(({ pathname }) => pathname ?? []);
      const pathnames = table === 'Asset' ? [...named, ...named.map(thumbnailPathname)] : named;
      await inStoreTime(store.delete(pathnames));
    }
  }
  return { deleted, isEmpty: true };
}
