import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isBeyond } from '#lib/db/values.ts';
import { auditedCosts, type Followed, type Scope, scopeOf, withGeneration } from './audited-costs.ts';
import { requireOperations } from './require-operations.ts';

export type UndeliveredPayment = Followed & {
  id: string;
  at: Date;
  kind: GenerationKind | null;
  /** `svg-unsafe`, `setting-dropped`, `composition-failed`, `step-failed`… */
  reason: string | null;
  dropped: string[];
  truncated: boolean;
};

const findUndelivered = (scope: Scope) =>
  prepared(
    `operations.undelivered.${scope}`,
    (db, p: Params<{ accountId: string; before: string | null; limit: number }>) => {
      const own = scope === 'account' ? p.accountId : undefined;
      return withGeneration(
        db,
        p.accountId,
        auditedCosts(db, scope, p.accountId, 'generation.paid_not_delivered')
          .where(isBeyond('<', 'AuditEntry', ['at', 'id'], p.before, own))
          .limit(sql<number>`${p.limit}`),
      );
    },
  );
const undelivered = { account: findUndelivered('account'), service: findUndelivered('service') };

/**
 * What a provider was paid for and no member was billed (audit `generation.paid_not_delivered`), the latest first, by keyset. Founders; the
 * operator's, of every account.
 */
export async function listUndelivered(
  ctx: Context<AccountActor>,
  input: { before?: string | undefined; limit?: number } = {},
): Promise<{ incidents: UndeliveredPayment[]; nextBefore: string | null }> {
  requireOperations(ctx);
  const limit = input.limit ?? 20;
  const rows = await undelivered[scopeOf(ctx.actor)].all(ctx.kysely, {
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
