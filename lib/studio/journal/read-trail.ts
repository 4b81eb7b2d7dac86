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

/** Audit entries that the page of a generation shows; the audit has the others. */
const TRAIL_SHOWN = 200;
/** More than a generation has: its reserve, what closed it, and a rest. */
const MAX_LINES = 200;

/**
 * What was written about one generation of the account: its ledger lines, oldest first, for the member whose wallet it is and
 * for founders, and the latest 200 audit entries about it and its files, oldest first, for those who may read the audit; `isCut`: there are older
 * ones. Null: not theirs to read.
 */
export async function readTrail(
  ctx: Context<AccountActor>,
  input: { generationId: string; memberId: string; assetIds: readonly string[] },
): Promise<{ lines: TrailLine[] | null; audit: TrailEntry[] | null; isCut: boolean }> {
  const { accountId, memberId } = ctx.actor;
  const seesMoney = input.memberId === memberId || hasPermission(ctx.actor, 'ledger.grant');
  const [lines, latest] = await Promise.all([
    seesMoney
      ? ctx.db.ledgerLine.findMany({
          where: { accountId, generationId: input.generationId },
          orderBy: { position: 'asc' },
          take: MAX_LINES,
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
          orderBy: [{ at: 'desc' }, { id: 'desc' }],
          take: TRAIL_SHOWN + 1,
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
  const audit = latest?.slice(0, TRAIL_SHOWN).reverse();
  const names = await auditNames(
    ctx,
    (audit ?? []).map(({ actor }) => ({ actor, subjectId: null })),
  );
  return {
    lines,
    isCut: (latest?.length ?? 0) > TRAIL_SHOWN,
    audit:
      audit?.map((entry) => ({
        ...entry,
        actorName: names.get(entry.actor.slice(entry.actor.indexOf(':') + 1)) ?? null,
        data: (entry.data ?? {}) as Record<string, unknown>,
      })) ?? null,
  };
}
