import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { requireOperations } from './require-operations.ts';

const DIVERGENCE_DAYS = 30;

export type Divergence = {
  id: string;
  at: Date;
  generationId: string | null;
  kind: GenerationKind | null;
  brief: string | null;
  /** What the gateway billed, and the member was debited. */
  gatewayUsd: number;
  /** What the published price gave. */
  formulaUsd: number;
};

export type Divergences = {
  /** Each of the last 30 UTC days, oldest first, with how many costs were more than 20 % off the formula. */
  days: { day: string; count: number }[];
  total: number;
  /** The latest, at most 20. */
  latest: Divergence[];
};

/** Costs that the gateway billed more than 20 % above or below the formula, over 30 days (audit `generation.cost_divergence`). Founders. */
export async function readDivergences(ctx: Context<AccountActor>): Promise<Divergences> {
  requireOperations(ctx);
  const now = ctx.clock.now();
  const days = Array.from({ length: DIVERGENCE_DAYS }, (_, index) =>
    new Date(now.getTime() - (DIVERGENCE_DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
  const scope = [ctx.actor.accountId, new Date(`${days[0]}T00:00:00Z`)];
  const [counts, latest] = await Promise.all([
    ctx.sql.rows<{ day: string; count: number }>(
      'operations.divergences.days',
      `SELECT to_char("at" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day", count(*)::int AS "count" FROM "AuditEntry"
       WHERE "accountId" = $1 AND "action" = 'generation.cost_divergence' AND "at" >= $2 GROUP BY 1`,
      scope,
    ),
    ctx.sql.rows<Divergence>(
      'operations.divergences.latest',
      `SELECT e."id", e."at", g."id" AS "generationId", g."kind", left(g."params" ->> 'brief', 140) AS "brief",
         COALESCE((e."data" ->> 'gatewayCostUsd')::float8, 0) AS "gatewayUsd", COALESCE((e."data" ->> 'formulaCostUsd')::float8, 0) AS "formulaUsd"
       FROM (SELECT * FROM "AuditEntry" WHERE "accountId" = $1 AND "action" = 'generation.cost_divergence' AND "at" >= $2
         ORDER BY "at" DESC, "id" DESC LIMIT 20) e
       LEFT JOIN "Generation" g ON g."id" = e."subjectId" AND g."accountId" = $1
       ORDER BY e."at" DESC, e."id" DESC`,
      scope,
    ),
  ]);
  const byDay = new Map(counts.map(({ day, count }) => [day, count]));
  return {
    days: days.map((day) => ({ day, count: byDay.get(day) ?? 0 })),
    total: counts.reduce((sum, { count }) => sum + count, 0),
    latest,
  };
}
