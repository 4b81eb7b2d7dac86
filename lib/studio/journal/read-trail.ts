import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { LedgerKind } from '#lib/db/generated/prisma/client.ts';
import { auditNames } from '#lib/identity/audit/audit-names.ts';

export type TrailLine = {
  id: string;
  kind: LedgerKind;
  at: Date;
  amountMicros: Micros;
  heldMicros: Micros;
  balanceAfterMicros: Micros;
  actor: string;
};

export type TrailEntry = {
  id: string;
  at: Date;
  action: string;
  actor: string;
  /** The name of the member, key or application; null for one that is not of the account. */
  actorName: string | null;
  subjectType: string | null;
  subjectId: string | null;
  data: Record<string, unknown>;
  requestId: string;
  traceId: string | null;
};

const MAX_ENTRIES = 200;

/**
 * What was written about one generation of the account: its ledger lines, oldest first, for the member whose wallet it is and
 * for founders, and the audit entries about it and its files for those who may read the audit; at most 200 of each. Null: not theirs to read.
 */
export async function readTrail(
  ctx: Context<AccountActor>,
  input: { generationId: string; memberId: string; assetIds: readonly string[] },
): Promise<{ lines: TrailLine[] | null; audit: TrailEntry[] | null }> {
  const { accountId, memberId } = ctx.actor;
  const seesMoney = input.memberId === memberId || hasPermission(ctx.actor, 'ledger.grant');
  const [lines, audit] = await Promise.all([
    seesMoney
      ? ctx.db.ledgerLine.findMany({
          where: { accountId, generationId: input.generationId },
          orderBy: { position: 'asc' },
          take: MAX_ENTRIES,
          select: {
            id: true,
            kind: true,
            at: true,
            amountMicros: true,
            heldMicros: true,
            balanceAfterMicros: true,
            actor: true,
          },
        })
      : null,
    hasPermission(ctx.actor, 'audit.read')
      ? ctx.db.auditEntry.findMany({
          where: {
            accountId,
            OR: [
              { subjectType: 'generation', subjectId: input.generationId },
              { subjectType: 'asset', subjectId: { in: [...input.assetIds] } },
            ],
          },
          orderBy: [{ at: 'asc' }, { id: 'asc' }],
          take: MAX_ENTRIES,
          select: {
            id: true,
            at: true,
            action: true,
            actor: true,
            subjectType: true,
            subjectId: true,
            data: true,
            requestId: true,
            traceId: true,
          },
        })
      : null,
  ]);
  const names = await auditNames(
    ctx,
    (audit ?? []).map(({ actor }) => ({ actor, subjectId: null })),
  );
  return {
    lines,
    audit:
      audit?.map((entry) => ({
        ...entry,
        actorName: names.get(entry.actor.slice(entry.actor.indexOf(':') + 1)) ?? null,
        data: (entry.data ?? {}) as Record<string, unknown>,
      })) ?? null,
  };
}
