import { sql } from 'kysely';
import type { AccountActor, SystemActor } from '#lib/core/actor.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { erasedBefore } from '#lib/core/bin-time.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { mayHaveMore, rowsOfEach, takeTurns } from '#lib/core/resource-limits/account-turns.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { memoryNotFound } from '../not-found.ts';
import { indexPending } from '../search/index/maintain.ts';

/** Memories erased in one transaction, shared evenly among the accounts of the turn. */
const AT_ONCE = 200;
/** Time limit in a nightly run; the next one continues. */
const MAX_MS = 60_000;
/** Its row of `CronCursor`. */
const JOB = 'erase-deleted-memories';
/** What an import is called whose own name was erased: « Import d’un fichier effacé ». */
const ERASED_FILE = 'un fichier effacé';
const ERASED_PAGE = 'une page effacée';

const accountsOfExpired = prepared('bin.accounts-of-expired', (db, p: Params<{ before: Date }>) =>
  db.selectFrom('Memory').select('accountId').where('deletedAt', '<', p.before).distinct(),
);

/** Locks the oldest expired ones of each account, up to its part. None can be restored once locked; those being restored are skipped. */
const lockExpired = prepared(
  'bin.lock-expired',
  (db, p: Params<{ accountIds: readonly string[]; before: Date; each: number }>) =>
    db
      .selectFrom(sql<{ id: string }>`unnest(${p.accountIds}::text[])`.as<'a'>(sql`a("id")`))
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('Memory as m')
            .select(['m.id', 'm.accountId'])
            .whereRef('m.accountId', '=', 'a.id')
            .where('m.deletedAt', '<', p.before)
            .orderBy('m.deletedAt')
            .limit(sql<number>`${p.each}::int`)
            .forUpdate()
            .skipLocked()
            .as('due'),
        (join) => join.onTrue(),
      )
      .select(['due.id', 'due.accountId']),
);

const lockDeletion = prepared(
  'bin.lock-deletion',
  (db, p: Params<{ accountId: string; deletionId: string }>) =>
    db
      .selectFrom('Memory')
      .select(['id', 'accountId', 'spaceId'])
      .where('deletionId', '=', p.deletionId)
      .where('accountId', '=', p.accountId)
      .where('deletedAt', 'is not', null)
      .orderBy('id')
      .forUpdate(),
);

const eraseRevisions = prepared('bin.erase-revisions', (db, p: Params<{ ids: string[] }>) =>
  db.deleteFrom('MemoryRevision').where(isAnyOf('memoryId', p.ids)),
);

const eraseMemories = prepared('bin.erase-memories', (db, p: Params<{ ids: string[] }>) =>
  db.deleteFrom('Memory').where(isAnyOf('id', p.ids)).where('deletedAt', 'is not', null),
);

/** Reports of imports hold the titles of what they wrote, and of the Memories that it was like: their lines that name one of these go. */
const eraseInReports = prepared(
  'bin.erase-in-reports',
  (db, p: Params<{ ids: string[]; accountIds: string[] }>) => {
    const namesOne = sql<boolean>`(said ->> 'id' = any(${p.ids}::text[]) or exists (
      select 1 from jsonb_array_elements(said -> 'similar') other where other ->> 'id' = any(${p.ids}::text[])))`;
    const lines = sql`jsonb_array_elements("similar") said`;
    return db
      .updateTable('ImportJob')
      .set({ similar: sql`coalesce((select jsonb_agg(said) from ${lines} where not ${namesOne}), '[]')` })
      .where(isAnyOf('accountId', p.accountIds))
      .where(sql<boolean>`exists (select 1 from ${lines} where ${namesOne})`);
  },
);

/**
 * Reports of imports name what a Memory came from: its file, of a part with its heading, or its page. These names are content too. The lines
 * with them go, and a report that is called so is renamed; what it counted stays.
 */
const eraseOrigins = prepared('bin.erase-origins', (db, p: Params<{ ids: string[] }>) => {
  const lines = sql`jsonb_array_elements(j."refused") said`;
  // A refusal may also say of which other file it is the Memory.
  const namesOne = sql<boolean>`(said ->> 'path' = any(n.origins)
    or substring(said ->> 'reason' from '«\u00a0(.*?)\u00a0»') = any(n.origins))`;
  const isCalledSo = sql<boolean>`j."label" in (select left(one, 300) from unnest(n.origins) one)`;
  return db
    .with('named', (one) =>
      one
        .selectFrom('Memory as m')
        .innerJoinLateral(
          // As a report keeps them: of a refusal, the first thousand characters.
          sql<{ name: string }>`unnest(array[m."sourceRef", left(m."sourceRef", 1000),
            substring(m."importKey" from '^path:(.*)$'), left(substring(m."importKey" from '^path:(.*)$'), 1000)])`.as<'o'>(
            sql`o("name")`,
          ),
          (join) => join.onTrue(),
        )
        .select(['m.spaceId', sql<string[]>`array_agg(distinct o.name)`.as('origins')])
        .where(isAnyOf('m.id', p.ids))
        .where('o.name', 'is not', null)
        .groupBy('m.spaceId'),
    )
    .updateTable('ImportJob as j')
    .from('named as n')
    .set({
      refused: sql`coalesce((select jsonb_agg(said) from ${lines} where not coalesce(${namesOne}, false)), '[]')`,
      label: sql<string>`case when not ${isCalledSo} then j."label" when j."source" = 'WEBSITE' then ${sql.lit(ERASED_PAGE)}
        else ${sql.lit(ERASED_FILE)} end`,
    })
    .whereRef('j.spaceId', '=', 'n.spaceId')
    .where((eb) => eb.or([isCalledSo, sql<boolean>`exists (select 1 from ${lines} where ${namesOne})`]));
});

/** Proposals to change these Memories hold their texts. */
const eraseProposals = prepared('bin.erase-proposals', (db, p: Params<{ ids: string[] }>) =>
  db.deleteFrom('MemoryProposal').where(isAnyOf('memoryId', p.ids)),
);

/** Deletes everything that holds the text of these Memories, in the caller's transaction: texts, titles, revisions, sketches, reports, proposals. */
async function erase(tx: Transaction, rows: readonly { id: string; accountId: string }[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await eraseRevisions.run(tx, { ids });
  await eraseProposals.run(tx, { ids });
  await eraseInReports.run(tx, { ids, accountIds: [...new Set(rows.map(({ accountId }) => accountId))] });
  await eraseOrigins.run(tx, { ids });
  await eraseMemories.run(tx, { ids });
}

/**
 * Erases what was deleted more than 30 days ago, in every account: texts, titles, revisions. The audit keeps the fact and the count. Accounts
 * take turns, continued from night to night, so that one with endless deletions does not delay another's erasure. Can be cut anywhere; the
 * error of one turn is thrown once the others were tried. Returns how many Memories were erased. Their words leave the search index with the
 * same night's `tidyIndex`.
 */
export async function eraseExpired(
  ctx: Context<SystemActor>,
  within?: TimeLimit,
  { batch = AT_ONCE }: { batch?: number } = {},
): Promise<number> {
  const before = erasedBefore(ctx.clock.now());
  const due = await accountsOfExpired.all(ctx.kysely, { before });
  let erased = 0;
  const { failures } = await takeTurns(ctx, {
    job: JOB,
    due: due.map(({ accountId }) => accountId),
    batch,
    limit: timeLimit(ctx, MAX_MS, within),
    turn: async (accountIds) => {
      const each = rowsOfEach(batch, accountIds.length);
      const rows = await eraseOldest(ctx, { accountIds, before, each });
      erased += rows.length;
      return mayHaveMore(accountIds, rows, each);
    },
  });
  if (failures.length > 0) throw failures[0];
  return erased;
}

async function eraseOldest(
  ctx: Context<SystemActor>,
  input: { accountIds: readonly string[]; before: Date; each: number },
): Promise<{ accountId: string }[]> {
  return transaction(ctx, async (tx) => {
    const expired = await lockExpired.all(tx, input);
    if (expired.length === 0) return expired;
    await erase(tx, expired);
    await recordAudits(
      tx,
      ctx,
      [...Map.groupBy(expired, ({ accountId }) => accountId)].map(([accountId, all]) => ({
        action: 'memory.erased' as const,
        accountId,
        data: { memories: all.length, reason: 'expired' as const },
      })),
    );
    return expired;
  });
}

/**
 * Erases one deletion of the bin immediately, including its words in the search index. Founders (`storage.purge`), else `forbidden`. Errors:
 * `verification_required`, `not_found` (live, erased, or a stranger's).
 */
export async function eraseNow(
  ctx: Context<AccountActor>,
  input: { deletionId: string },
): Promise<{ erased: number }> {
  if (!hasPermission(ctx.actor, 'storage.purge')) throw new ServiceError('forbidden');
  requireRecentVerification(ctx);
  const { accountId } = ctx.actor;
  const erased = await transaction(ctx, async (tx) => {
    const rows = await lockDeletion.all(tx, { accountId, deletionId: input.deletionId });
    if (rows.length === 0) throw memoryNotFound();
    await erase(tx, rows);
    await recordAudits(tx, ctx, [
      {
        action: 'memory.erased',
        accountId,
        data: { memories: rows.length, reason: 'asked', deletionId: input.deletionId },
      },
    ]);
    return rows.length;
  });
  await indexPending(ctx, { accountId, compact: true });
  return { erased };
}
