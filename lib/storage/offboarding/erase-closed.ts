import { sql } from 'kysely';
import type { SystemActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { findClosingRecipients, mailClosing } from '#lib/identity/closing/closing-notices.ts';
import { CLOSING_DAYS } from '#lib/identity/closing/closing-rules.ts';
import type { Post } from '#lib/identity/notices/mail-notices.ts';
import type { FilesContext } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import { importFolder, thumbnailPathname } from '../pathnames.ts';
import { exportFolder } from './exports.ts';
import { deleteUnder } from './run-export.ts';

/** Journal rows whose files go in one step, and are then erased. */
const STEP = 100;
/** How long a night gives to it; the next one goes on. */
const MOST_MS = 30_000;

/**
 * Erases the accounts that were closed more than 30 days ago: files first, then every row, but for wallets and lines, which keep figures and
 * identifiers. Once begun, nobody enters the account. Can be cut anywhere. Returns how many accounts are gone.
 * `post` tells those who were its founders, and the operator's, whose address nothing here keeps.
 */
export async function eraseClosed(ctx: FilesContext<SystemActor>, post?: Post): Promise<number> {
  const startMs = ctx.clock.now().getTime();
  const isSpent = () => ctx.clock.now().getTime() - startMs >= MOST_MS;
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const begun = await tx
      .updateTable('Account')
      .set({ erasingAt: now })
      .where('closedAt', '<=', new Date(now.getTime() - CLOSING_DAYS * 86_400_000))
      .where('erasingAt', 'is', null)
      .returning('id')
      .execute();
    if (begun.length === 0) return;
    // Nobody enters any more; who they are is known until the last step, which erases people who are in no other account.
    await tx
      .updateTable('Member')
      .set({ status: 'REMOVED' })
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
    .where('erasingAt', 'is not', null)
    .where('erasedAt', 'is', null)
    .orderBy('erasingAt')
    .limit(20)
    .execute();
  let erased = 0;
  for (const { id } of due) {
    if (isSpent()) break;
    if (await eraseOne(ctx, id, { isSpent, post })) erased += 1;
  }
  return erased;
}

async function eraseOne(
  ctx: FilesContext<SystemActor>,
  accountId: string,
  { isSpent, post }: { isSpent: () => boolean; post: Post | undefined },
): Promise<boolean> {
  const { store } = ctx.files;
  let generations = 0;
  let files = await eraseNamedFiles(ctx, store, accountId);
  for (let after = ''; ; ) {
    if (isSpent()) return false;
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
    // The whole folder: a runner may have left there what no row names.
    if (store) for (const id of ids) files += await deleteUnder(store, `generations/${id}/`);
    await sql`select erase_generations(${accountId}, ${ids}::text[])`.execute(ctx.kysely);
    generations += ids.length;
  }
  const recipients = await findClosingRecipients(ctx.kysely, accountId);
  await transaction(ctx, async (tx) => {
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

/** Files that members brought, signed documents and exports, then what was sent and never recorded. Returns how many went. */
async function eraseNamedFiles(
  ctx: FilesContext<SystemActor>,
  store: FileStore | null,
  accountId: string,
): Promise<number> {
  if (!store) return 0;
  let files = await deleteUnder(store, exportFolder(accountId));
  files += await deleteUnder(store, importFolder(accountId));
  const products = await ctx.kysely
    .selectFrom('Upload')
    .select('productId')
    .distinct()
    .where('accountId', '=', accountId)
    .execute();
  for (const productId of new Set(['libre', ...products.map((one) => one.productId)]))
    files += await deleteUnder(store, `references/${productId}/${accountId}/`);
  for (const table of ['Asset', 'Upload', 'CaptureRush', 'Consent'] as const) {
    for (let after = ''; ; ) {
      const { rows } = await sql<{
        id: string;
        pathname: string | null;
      }>`select "id", "pathname" from ${sql.table(table)}
        where "accountId" = ${accountId} and "id" > ${after} and "pathname" is not null order by "id" limit 200`.execute(
        ctx.kysely,
      );
      if (rows.length === 0) break;
      after = rows.at(-1)?.id ?? '';
      const named = rows.flatMap(({ pathname }) => pathname ?? []);
      await store.delete(table === 'Asset' ? [...named, ...named.map(thumbnailPathname)] : named);
    }
  }
  return files;
}
