import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { requireOperations } from './require-operations.ts';

export type UndeliveredPayment = {
  id: string;
  at: Date;
  generationId: string | null;
  kind: GenerationKind | null;
  brief: string | null;
  /** `svg-unsafe`, `setting-dropped`, `composition-failed`, `step-failed`… */
  reason: string | null;
  dropped: string[];
  truncated: boolean;
};

/** What a provider was paid for and no member was billed (audit `generation.paid_not_delivered`), the latest first, by keyset. Founders. */
export async function listUndelivered(
  ctx: Context<AccountActor>,
  input: { before?: string | undefined; limit?: number } = {},
): Promise<{ incidents: UndeliveredPayment[]; nextBefore: string | null }> {
  requireOperations(ctx);
  const limit = input.limit ?? 20;
  const rows = await ctx.sql.rows<UndeliveredPayment & { data: Record<string, unknown> }>(
    'operations.undelivered',
    `SELECT e."id", e."at", e."data", g."id" AS "generationId", g."kind", left(g."params" ->> 'brief', 140) AS "brief"
     FROM (SELECT * FROM "AuditEntry" WHERE "accountId" = $1 AND "action" = 'generation.paid_not_delivered'
         AND ($2::text IS NULL OR ("at", "id") < (SELECT p."at", p."id" FROM "AuditEntry" p WHERE p."id" = $2 AND p."accountId" = $1))
       ORDER BY "at" DESC, "id" DESC LIMIT $3) e
     LEFT JOIN "Generation" g ON g."id" = e."subjectId" AND g."accountId" = $1
     ORDER BY e."at" DESC, e."id" DESC`,
    [ctx.actor.accountId, input.before ?? null, limit + 1],
  );
  const incidents = rows.slice(0, limit).map(({ data, ...row }) => ({
    ...row,
    reason: typeof data.reason === 'string' ? data.reason : null,
    dropped: Array.isArray(data.dropped) ? data.dropped.map(String) : [],
    truncated: data.truncated === true,
  }));
  return { incidents, nextBefore: rows.length > limit ? (incidents.at(-1)?.id ?? null) : null };
}
