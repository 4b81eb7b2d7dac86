import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import { lastParisDays, parisDayStart } from '#lib/core/text/paris-day.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { countRows, isAnyOf } from '#lib/db/values.ts';
import { auditedCosts, type Followed, type Scope, scopeOf, withGeneration } from './audited-costs.ts';
import { requireOperations } from './require-operations.ts';
import { restOf } from './settle-generation-rest.ts';

const DIVERGENCE_DAYS = 30;

type Divergence = Followed & {
  id: string;
  at: Date;
  kind: GenerationKind | null;
  /** The row that it is about, for the operator's decision; nothing of it is shown. */
  subjectId: string | null;
  /** What the gateway billed. */
  gatewayUsd: number;
  /** What the member was debited: the gateway's figure, or what was held when that figure could not be true. */
  debitedUsd: number;
  /** What is left of the gateway's figure, for the operator to debit or not; 0 when it was debited whole. */
  restMicros: Micros;
  /** What the published price gave. */
  formulaUsd: number;
};

export type Divergences = {
  /** Each of the last 30 days of Paris, oldest first, with how many costs were more than 20 % off the formula. */
  days: { day: string; count: number }[];
  total: number;
  /** The latest, at most 20. */
  latest: Divergence[];
};

type Since = { accountId: string; since: Date };

const statements = (scope: Scope) => ({
  countByDay: prepared(`operations.divergences.days.${scope}`, (db, p: Params<Since>) =>
    auditedCosts(db, scope, p.accountId, 'generation.cost_divergence')
      .clearSelect()
      .clearOrderBy()
      .select([
        sql<string>`to_char(${sql.ref('at')} at time zone 'Europe/Paris', 'YYYY-MM-DD')`.as('day'),
        countRows.as('count'),
      ])
      .where('at', '>=', p.since)
      .groupBy('day'),
  ),
  findLatest: prepared(`operations.divergences.latest.${scope}`, (db, p: Params<Since>) =>
    withGeneration(
      db,
      p.accountId,
      auditedCosts(db, scope, p.accountId, 'generation.cost_divergence').where('at', '>=', p.since).limit(20),
    ),
  ),
});
const divergences = { account: statements('account'), service: statements('service') };

const findSettled = prepared('operations.divergences.settled', (db, p: Params<{ ids: string[] }>) =>
  db
    .selectFrom('LedgerLine')
    .select('generationId')
    .where('kind', '=', 'REST')
    .where(isAnyOf('generationId', p.ids)),
);

/**
 * Costs that the gateway billed more than 20 % above or below the formula, over 30 days (audit `generation.cost_divergence`). Founders; the
 * operator's, of every account.
 */
export async function readDivergences(ctx: Context<AccountActor>): Promise<Divergences> {
  requireOperations(ctx);
  const days = lastParisDays(ctx.clock.now(), DIVERGENCE_DAYS);
  const since = { accountId: ctx.actor.accountId, since: parisDayStart(days[0]) as Date };
  const { countByDay, findLatest } = divergences[scopeOf(ctx.actor)];
  const [counts, entries] = await Promise.all([
    countByDay.all(ctx.kysely, since),
    findLatest.all(ctx.kysely, since),
  ]);
  const settled = new Set(
    (
      await findSettled.all(ctx.kysely, {
        ids: entries.flatMap(({ subjectId }) => subjectId ?? []),
      })
    ).map(({ generationId }) => generationId),
  );
  const latest = entries.map(({ data, ...entry }) => {
    const { gatewayCostUsd, formulaCostUsd, debitedUsd } = (data ?? {}) as Record<string, unknown>;
    const isWhole = settled.has(entry.subjectId);
    return {
      ...entry,
      gatewayUsd: Number(gatewayCostUsd ?? 0),
      formulaUsd: Number(formulaCostUsd ?? 0),
      debitedUsd: Number((isWhole ? undefined : debitedUsd) ?? gatewayCostUsd ?? 0),
      restMicros: isWhole ? 0n : restOf(data),
    };
  });
  const byDay = new Map(counts.map(({ day, count }) => [day, count]));
  return {
    days: days.map((day) => ({ day, count: byDay.get(day) ?? 0 })),
    total: counts.reduce((sum, { count }) => sum + count, 0),
    latest,
  };
}
