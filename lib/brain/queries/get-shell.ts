import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { hasPermission, type MemberActor, PERMISSIONS, type Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Queries } from '#lib/db/types.ts';
import { asCounted } from '#lib/db/values.ts';
import { ACCOUNTS_LISTED } from '#lib/identity/people/accounts-listed.ts';
import { spentIn } from '#lib/ledger/lines.ts';
import { daysLeft } from '#lib/ledger/low-balance.ts';
import { utcMonth } from '#lib/ledger/month.ts';
import { readLimit } from '../quota/consume-read.ts';
import { nextMonth } from '../quota/read-quota.ts';

/** Files are counted for as long as they are kept unjudged; older ones are only in the journal. */
const TO_REVIEW_MS = 31 * 86_400_000;
const MAX_TO_REVIEW = 100;
/** Files that are read to count them, at most: a generation leaves fifty (`MAX_RENDER_FILES`). */
const MAX_READ = 50 * MAX_TO_REVIEW;

type Waiting = { accountId: string; since: Date; judges: boolean };

/** The latest generations that left a file which nobody judged: as many as are counted, whatever waits behind them. */
function waitingFor(db: Queries, p: Params<Waiting>) {
  const newest = db
    .selectFrom('Asset as f')
    .select(['f.createdAt', 'f.generationId'])
    .where('f.accountId', '=', p.accountId)
    .where('f.state', '=', sql.lit('GENERATED'))
    .where('f.createdAt', '>', p.since)
    .where('f.deletedAt', 'is', null)
    .where('f.expiringAt', 'is', null)
    .where('f.imported', '=', sql.lit(false))
    .where('f.generationId', 'is not', null)
    .where(sql<boolean>`${p.judges}::boolean`)
    .orderBy('f.createdAt', 'desc')
    .orderBy('f.id', 'desc')
    .limit(sql.lit(MAX_READ));
  // Files of one generation are of one instant: in that order, the first hundred are found without reading the others.
  // Grouped: PostgreSQL before 16 sorts all of them first for a DISTINCT.
  return db
    .selectFrom(newest.as('newest'))
    .select(['newest.createdAt', 'newest.generationId'])
    .groupBy(['newest.createdAt', 'newest.generationId'])
    .orderBy('newest.createdAt', 'desc')
    .orderBy('newest.generationId')
    .limit(sql.lit(MAX_TO_REVIEW));
}

const readShell = prepared(
  'get-shell',
  (
    db,
    p: Params<{
      accountId: string;
      memberId: string;
      month: string;
      now: Date;
      judges: boolean;
      since: Date;
    }>,
  ) =>
    db
      .selectFrom('Member as m')
      .innerJoin('Account as a', 'a.id', 'm.accountId')
      .leftJoin('ReadMonth as r', (join) =>
        join.onRef('r.accountId', '=', 'a.id').on('r.month', '=', p.month),
      )
      .leftJoin('Wallet as w', 'w.memberId', 'm.id')
      .select((eb) => [
        'a.name as accountName',
        'm.name',
        'm.email',
        'm.role',
        readLimit(eb).as('limit'),
        eb.fn.coalesce('r.used', eb.lit(0)).as('used'),
        'w.id as walletId',
        eb('w.balanceMicros', '-', eb.ref('w.heldMicros')).as('availableMicros'),
        spentIn(p.month, 'w').as('monthSpentMicros'),
        jsonArrayFrom(
          eb
            .selectFrom('Member as other')
            .innerJoin('Account as theirs', 'theirs.id', 'other.accountId')
            .select(['other.id as memberId', 'theirs.name'])
            .whereRef('other.personId', '=', 'm.personId')
            .where('other.status', '=', 'ACTIVE')
            .whereRef('other.id', '<>', 'm.id')
            .orderBy((inner) => asCounted(inner.ref('theirs.name')))
            .orderBy('other.id')
            .limit(sql.lit(ACCOUNTS_LISTED + 1)),
        ).as('otherAccounts'),
        eb
          .selectFrom(waitingFor(db, p).as('waiting'))
          .select(sql<number>`count(distinct "waiting"."generationId")::int`.as('count'))
          .as('toReview'),
        eb
          .exists(
            eb
              .selectFrom('Member as invited')
              .select('invited.id')
              .whereRef('invited.email', '=', 'm.email')
              .where('invited.status', '=', 'INVITED')
              .where('invited.invitationEndsAt', '>', p.now),
          )
          .as('isInvited'),
      ])
      .where('m.id', '=', p.memberId)
      .where('a.id', '=', p.accountId),
);

type ShellView = {
  account: { name: string };
  member: { id: string; name: string; email: string; role: 'FOUNDER' | 'MEMBER' };
  /** The other accounts of the same person: their name, and the person's member there. One more than `ACCOUNTS_LISTED`: there are others. */
  otherAccounts: { memberId: string; name: string }[];
  /** Whether an invitation to another account waits for an answer. */
  isInvited: boolean;
  permissions: readonly Permission[];
  /** Whether the member may also create Spaces: not one who was granted some of them only. */
  createsSpaces: boolean;
  /** Generations of the last month with a file that nobody judged yet, 100 at most; 0 for who decides nothing. */
  toReview: number;
  reads: { used: number; total: number; resetsAt: Date };
  /** `daysLeft`: when it lasts less than a week at the pace of the month. */
  balance: { availableMicros: bigint; daysLeft: number | null } | null;
};

/** The data of the frame around every page of the cockpit, in one round trip: account, member, rights in effect, reads of the month, wallet. */
export async function getShell(ctx: Context<MemberActor>): Promise<ShellView> {
  const now = ctx.clock.now();
  const { accountId, memberId } = ctx.actor;
  const row = await readShell.first(ctx.kysely, {
    accountId,
    memberId,
    month: utcMonth(now),
    now,
    judges: hasPermission(ctx.actor, 'generate'),
    since: new Date(now.getTime() - TO_REVIEW_MS),
  });
  if (!row) throw new ServiceError('unauthenticated');
  return {
    account: { name: row.accountName },
    member: { id: memberId, name: row.name, email: row.email ?? '', role: row.role },
    otherAccounts: row.otherAccounts,
    isInvited: Boolean(row.isInvited),
    permissions: PERMISSIONS.filter((permission) => hasPermission(ctx.actor, permission)),
    createsSpaces: ctx.actor.spaces === undefined,
    toReview: row.toReview ?? 0,
    reads: { used: row.used, total: row.limit, resetsAt: nextMonth(now) },
    balance: row.walletId === null ? null : balanceOf(row, now),
  };
}

function balanceOf(
  row: { availableMicros: bigint | null; monthSpentMicros: bigint | null },
  now: Date,
): { availableMicros: bigint; daysLeft: number | null } {
  const availableMicros = row.availableMicros ?? 0n;
  return {
    availableMicros,
    daysLeft: daysLeft({ availableMicros, monthSpentMicros: row.monthSpentMicros ?? 0n }, now),
  };
}
