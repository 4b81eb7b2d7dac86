import { sql } from 'kysely';
import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { formatUsd, type Micros } from '#lib/core/money.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';
import { line, quoted } from '#lib/core/text/one-line.ts';
import { plural } from '#lib/core/text/plural.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { spentIn } from '../lines.ts';
import { daysLeft, isLow, paceMs } from '../low-balance.ts';
import { utcMonth } from '../month.ts';

/** Wallets of one night; the next one takes the others. */
const MAX_WALLETS = 5_000;
/** How long a night gives to it, and waits for the mail server that takes one account's mails; the next one goes on. */
const MAX_MS = 60_000;
const SEND_MS = 20_000;
/** How long a claim lasts: after a crash, another run mails the wallet again. */
const LEASE_MS = 30 * 60_000;

/** Sends mails; throws when none of them was taken. */
export type Send = (mails: readonly Mail[]) => Promise<void>;

type Low = {
  id: string;
  accountId: string;
  accountName: string;
  memberName: string;
  availableMicros: Micros;
  monthSpentMicros: Micros;
};

/**
 * Mails the active founders of each account the wallets of active members that became low since the last mail. A wallet is told once in a UTC
 * month, and again when a credit ended its low balance and it became low anew. It is claimed before the mails leave, so that concurrent runs
 * do not repeat it, and marked as told once the mail server accepted one: after a crash or a failure the next run tries again. Returns how
 * many mails left.
 */
export async function mailLowBalances(
  ctx: Context<SystemActor>,
  send: Send | undefined,
  within?: TimeLimit,
): Promise<number> {
  if (!send) return 0;
  const limit = timeLimit(ctx, MAX_MS, within);
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const wallets = Map.groupBy(await claimLow(ctx, { now, until }), ({ accountId }) => accountId);
  if (wallets.size === 0) return 0;
  const rows = await ctx.kysely
    .selectFrom('Member')
    .select(['accountId', 'name', 'email'])
    .where(isAnyOf('accountId', [...wallets.keys()]))
    .where('role', '=', 'FOUNDER')
    .where('status', '=', 'ACTIVE')
    .where('email', 'is not', null)
    .orderBy('id')
    .execute();
  const founders = Map.groupBy(rows, ({ accountId }) => accountId);
  let mailed = 0;
  for (const [accountId, low] of wallets) {
    if (limit.isOver()) break;
    const mails = (founders.get(accountId) ?? []).map(({ name, email }) =>
      lowBalanceMail({ email: email ?? '', name }, low, now),
    );
    const ids = low.map(({ id }) => id);
    // Recorded whenever the server accepts one, even after this run stopped waiting: the founders were told.
    const recorded = isTaken(ctx, send, mails).then(async (taken) => {
      if (taken) await markTold(ctx, { ids, now, until });
      return taken;
    });
    if (await waitAtMost(recorded, Math.min(SEND_MS, limit.leftMs), false)) mailed += mails.length;
  }
  return mailed;
}

async function markTold(
  ctx: Context<SystemActor>,
  { ids, now, until }: { ids: readonly string[]; now: Date; until: Date },
): Promise<void> {
  await ctx.kysely
    .updateTable('Wallet')
    .set({ lowToldAt: now, lowClaimedUntil: null })
    .where(isAnyOf('id', ids))
    // A credit in between has reset the mark: it stays reset.
    .where('lowClaimedUntil', '=', until)
    .execute();
}

async function isTaken(ctx: Context<SystemActor>, send: Send, mails: readonly Mail[]): Promise<boolean> {
  try {
    await send(mails);
    return true;
  } catch (error) {
    ctx.log.error('ledger.low_balance.mail_failed', faultFields(error));
    return false;
  }
}

/** Claims, in this one statement, the low wallets that were not told and that no other run is telling. */
async function claimLow(
  ctx: Context<SystemActor>,
  { now, until }: { now: Date; until: Date },
): Promise<Low[]> {
  const month = sql<string>`${utcMonth(now)}`;
  // A month begins with nothing debited, and so with no low balance: what is low in it became so in it.
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return ctx.kysely
    .updateTable('Wallet')
    .set({ lowClaimedUntil: until })
    .from((eb) =>
      eb
        .selectFrom('Wallet as w')
        .innerJoin('Member as m', (join) =>
          join.onRef('m.id', '=', 'w.memberId').onRef('m.accountId', '=', 'w.accountId'),
        )
        .innerJoin('Account as a', 'a.id', 'w.accountId')
        .select(['w.id', 'm.name as memberName', 'a.name as accountName'])
        .where('m.status', '=', 'ACTIVE')
        .where('a.closedAt', 'is', null)
        // The others had nothing debited in it: the index passes over them.
        .where('w.month', '=', month)
        .where(isLow('w', { month, paceMs: sql<bigint>`${paceMs(now)}` }))
        .where((where) => where.or([where('w.lowToldAt', 'is', null), where('w.lowToldAt', '<', monthStart)]))
        .where((where) =>
          where.or([where('w.lowClaimedUntil', 'is', null), where('w.lowClaimedUntil', '<=', now)]),
        )
        .orderBy('w.id')
        .limit(MAX_WALLETS)
        .forNoKeyUpdate('w')
        .skipLocked()
        .as('low'),
    )
    .whereRef('Wallet.id', '=', 'low.id')
    .returning((eb) => [
      'Wallet.id',
      'Wallet.accountId',
      'low.accountName',
      'low.memberName',
      eb('Wallet.balanceMicros', '-', eb.ref('Wallet.heldMicros')).as('availableMicros'),
      spentIn(month).as('monthSpentMicros'),
    ])
    .execute();
}

function lowBalanceMail(founder: { email: string; name: string }, low: readonly Low[], now: Date): Mail {
  const account = quoted(low[0]?.accountName ?? '');
  const many = low.length;
  const lines = low
    .toSorted((a, b) => a.memberName.localeCompare(b.memberName, 'fr'))
    .map((wallet) => {
      const available = formatUsd(wallet.availableMicros);
      const spent = formatUsd(wallet.monthSpentMicros);
      const days = lasts(daysLeft(wallet, now) ?? 0);
      return `- ${line(wallet.memberName)}\u00a0: disponible ${available}, débité ce mois ${spent}, ${days}`;
    });
  return {
    to: founder.email,
    subject: `Atelier\u00a0: ${many === 1 ? 'un solde faible' : `${many} soldes faibles`} dans ${account}`,
    text: [
      `Bonjour ${line(founder.name)},`,
      many === 1
        ? `Au rythme du mois, un solde du compte ${account} ne suffit plus pour une semaine\u00a0:`
        : `Au rythme du mois, ${many} soldes du compte ${account} ne suffisent plus pour une semaine\u00a0:`,
      lines.join('\n'),
      `Rien n’est bloqué tant que ce qui est disponible couvre une demande. Vous accordez du crédit dans ${quoted('Portefeuille')}, onglet ${quoted('Membres du compte')}.`,
      'Chaque solde est annoncé une fois par mois, et de nouveau s’il redevient faible après un crédit.',
      '',
    ].join('\n\n'),
  };
}

function lasts(days: number): string {
  if (days === 0) return 'moins d’une journée';
  return `${days} ${plural(days, 'jour')} environ`;
}
