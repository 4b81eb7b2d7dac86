import { type Expression, sql } from 'kysely';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { commonSpaces, isReached } from '#lib/db/space-rights.ts';
import { isAnyOf } from '#lib/db/values.ts';
import type { WebhookContext } from '../context.ts';
import { FAILURES_TO_REST, LEASE_MS } from '../limits.ts';
import type { Message, Target } from './send.ts';

export type Claimed = Message & { attempts: number; endsAt: Date; accountId: string; endpoint: Target };

type ClaimValues = {
  now: Date;
  until: Date;
  /** Only in the statement for a single account. */
  accountId: string;
  busy: string[];
  salt: string;
  endpoints: number;
  each: number;
};

/** Due events of an endpoint that are looked at for one that may be sent: an endpoint of more is taken to have one. */
const LOOKED_AT = 16;

/** Another event of the same object waits before the event. */
const isBehind = (event: 'w' | 'd') => {
  const ref = (column: string) => sql.ref(`${event}.${column}`);
  return sql<boolean>`exists (select from "WebhookDelivery" as earlier where earlier."endpointId" = ${ref('endpointId')}
    and earlier."subjectId" = ${ref('subjectId')} and earlier."position" < ${ref('position')} and earlier."state" = 'PENDING')`;
};

/** The endpoint `e` has an event that may be sent, or so many due that looking at each, at every claim, would cost the others more. */
const hasNext = (now: Expression<Date>) => sql<boolean>`exists (select from (
    select w."endpointId", w."subjectId", w."position", row_number() over (order by w."dueAt") as "rank" from "WebhookDelivery" as w
    where w."endpointId" = ${sql.ref('e.id')} and w."state" = 'PENDING' and w."dueAt" <= ${now}
    order by w."dueAt" limit ${sql.lit(LOOKED_AT + 1)}) as w
  where w."rank" > ${sql.lit(LOOKED_AT)} or not ${isBehind('w')})`;

/** What was written at the very moment when its reader lost the right to it was told by the rights before: they are asked again as it leaves. */
const isStillTold = sql<boolean>`may_be_told(claimed."type", m."role"::text, m."permissions") and (claimed."data" ->> 'spaceId' is null
  or ${isReached(commonSpaces('m.role', 'm.spaceRights'), sql`claimed."data" ->> 'spaceId'`)})`;

// A failing endpoint is tried with one event; endpoints are shuffled, so that none is always last. One statement for each scope: a single one with an
// optional account would get a plan that reads every account's endpoints.
const claimOf = (scope: 'account' | 'service') =>
  prepared(`webhooks.claim.${scope}`, (db, p: Params<ClaimValues>) =>
    db
      .with('ready', (qb) =>
        qb
          .selectFrom('WebhookEndpoint as e')
          .innerJoin('Member as m', 'm.id', 'e.createdById')
          .innerJoin('Account as a', 'a.id', 'e.accountId')
          .select(['e.id', 'e.failures'])
          .where('e.disabledAt', 'is', null)
          .where('m.status', '=', sql.lit('ACTIVE'))
          .where('a.closedAt', 'is', null)
          .where((eb) => eb.or([eb('e.restsUntil', 'is', null), eb('e.restsUntil', '<=', p.now)]))
          .where((eb) => eb.not(isAnyOf(eb.ref('e.id'), p.busy)))
          .where((eb) => (scope === 'account' ? eb('e.accountId', '=', p.accountId) : sql<boolean>`true`))
          .where(hasNext(p.now))
          .orderBy(sql`hashtext("e"."id" || ${p.salt}::text)`)
          .limit(sql<number>`${p.endpoints}`),
      )
      .with('due', (qb) =>
        qb
          .selectFrom('ready')
          .innerJoinLateral(
            (eb) =>
              eb
                .selectFrom('WebhookDelivery as d')
                .select('d.id')
                .whereRef('d.endpointId', '=', 'ready.id')
                .where('d.state', '=', sql.lit('PENDING'))
                .where('d.dueAt', '<=', p.now)
                .where((where) => where.not(isBehind('d')))
                .orderBy('d.position')
                .limit(
                  sql<number>`case when "ready"."failures" >= ${sql.lit(FAILURES_TO_REST)} then 1 else ${p.each}::int end`,
                )
                .forUpdate()
                .skipLocked()
                .as('one'),
            (join) => join.onTrue(),
          )
          .select('one.id'),
      )
      .with('claimed', (qb) =>
        qb
          .updateTable('WebhookDelivery as d')
          .from('due')
          .set((eb) => ({ dueAt: p.until, attempts: eb('d.attempts', '+', eb.lit(1)) }))
          .whereRef('d.id', '=', 'due.id')
          .returning([
            'd.id',
            'd.accountId',
            'd.endpointId',
            'd.type',
            'd.at',
            'd.data',
            'd.attempts',
            'd.endsAt',
            'd.position',
          ]),
      )
      .selectFrom('claimed')
      .innerJoin('WebhookEndpoint as e', 'e.id', 'claimed.endpointId')
      .innerJoin('Member as m', 'm.id', 'e.createdById')
      .select(isStillTold.as('isTold'))
      .select([
        'claimed.id',
        'claimed.accountId',
        'claimed.type',
        'claimed.at',
        'claimed.data',
        'claimed.attempts',
        'claimed.endsAt',
        'e.id as endpointId',
        'e.url',
        'e.secret',
        'e.previousSecret',
        'e.previousEndsAt',
      ])
      .orderBy('claimed.position'),
  );
const claim = { account: claimOf('account'), service: claimOf('service') };

/**
 * Claims due events, at most `each` of an endpoint, each by one pass until its lease ends. The next event of an object waits until the one
 * before it is delivered or given up; endpoints in `busy`, resting or disabled are skipped. Those that their endpoint's creator may not read any
 * more are deleted instead.
 */
export async function claimDeliveries(
  ctx: Pick<WebhookContext, 'kysely' | 'clock' | 'webhooks'>,
  input: { accountId: string | null; busy: Iterable<string>; endpoints: number; each: number },
): Promise<Claimed[]> {
  const now = ctx.clock.now();
  const { accountId, ...taken } = input;
  const rows = await claim[accountId === null ? 'service' : 'account'].all(ctx.kysely, {
    now,
    until: new Date(now.getTime() + LEASE_MS),
    salt: String(ctx.webhooks.chance()),
    ...taken,
    accountId: accountId ?? '',
    busy: [...input.busy],
  });
  const told = rows.filter(({ isTold }) => isTold);
  // One at a time: each holds no other row while it waits for whoever changes the rights.
  for (const { id, isTold } of rows)
    if (!isTold) await ctx.kysely.deleteFrom('WebhookDelivery').where('id', '=', id).execute();
  // Others may be due behind them: an empty answer would end the pass.
  if (told.length === 0 && rows.length > 0) return claimDeliveries(ctx, input);
  return told.map(({ endpointId, url, secret, previousSecret, previousEndsAt, isTold: _, ...message }) => ({
    ...message,
    endpoint: { id: endpointId, url, secret, previousSecret, previousEndsAt },
  }));
}
