import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { auditedCosts, withGeneration } from './audited-costs.ts';
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

const findUndelivered = prepared(
  'operations.undelivered',
  (db, p: Params<{ accountId: string; before: string | null; limit: number }>) =>
    withGeneration(
      db,
      p.accountId,
      auditedCosts(db, p.accountId, 'generation.paid_not_delivered')
        .where((eb) =>
          eb.or([
            sql<boolean>`${p.before}::text is null`,
            eb(
              eb.refTuple('at', 'id'),
              '<',
              eb
                .selectFrom('AuditEntry as last')
                .select(['last.at', 'last.id'])
                .where('last.id', '=', p.before)
                .where('last.accountId', '=', p.accountId)
                .$asTuple('at', 'id'),
            ),
          ]),
        )
        .limit(sql<number>`${p.limit}`),
    ),
);

/** What a provider was paid for and no member was billed (audit `generation.paid_not_delivered`), the latest first, by keyset. Founders. */
export async function listUndelivered(
  ctx: Context<AccountActor>,
  input: { before?: string | undefined; limit?: number } = {},
): Promise<{ incidents: UndeliveredPayment[]; nextBefore: string | null }> {
  requireOperations(ctx);
  const limit = input.limit ?? 20;
  const rows = await findUndelivered.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    before: input.before ?? null,
    limit: limit + 1,
  });
  const incidents = rows.slice(0, limit).map(({ data: given, ...row }) => {
    const data = (given ?? {}) as Record<string, unknown>;
    return {
      ...row,
      reason: typeof data.reason === 'string' ? data.reason : null,
      dropped: Array.isArray(data.dropped) ? data.dropped.map(String) : [],
      truncated: data.truncated === true,
    };
  });
  return { incidents, nextBefore: rows.length > limit ? (incidents.at(-1)?.id ?? null) : null };
}
