import { AUDIT_COLUMNS, AUDIT_RECORD, type AuditEvent, auditRecords, recordAudits } from '#lib/core/audit.ts';
import type { Micros } from '#lib/core/money.ts';
import { settle } from '#lib/ledger/close-reserve.ts';
import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import type { Artifact, Params } from '../generation/params.ts';
import { isOpen } from '../generation/states.ts';
import { SETTLE_AFTER_MS } from '../limits.ts';
import { assetRecords, readRow } from './commit-closing.ts';

type Deferral = {
  artifacts: Artifact[];
  facts: Partial<Params>;
  costMicros: Micros;
  gatewayGenerationId?: string | undefined;
  /** Entries about the cost, written with whatever can be written, once. */
  costAudits: AuditEvent[];
  cause: unknown;
};

const DEFER = `
  WITH kept AS (
    UPDATE "Generation" g SET "state" = 'SUBMITTED', "chargePending" = true, "artifacts" = $2::jsonb, "updatedAt" = $3,
      "gatewayGenerationId" = COALESCE($8, g."gatewayGenerationId"),
      "submittedAt" = COALESCE(g."submittedAt", $3), "params" = g."params" || $4::jsonb, "dueAt" = GREATEST($5, $3::timestamptz)
    WHERE g."id" = $1 AND g."state" IN ('STARTING', 'SUBMITTED') AND NOT g."chargePending" RETURNING g.*),
  assets AS (
    INSERT INTO "Asset" ("id", "accountId", "memberId", "productId", "generationId", "type", "pathname", "contentType",
      "bytes", "width", "height", "durationMs", "etag", "position", "createdAt", "updatedAt")
    SELECT a."id", c."accountId", c."memberId", c."productId", c."id", c."assetType", a."pathname", a."contentType",
      a."bytes", a."width", a."height", a."durationMs", a."etag", a."position", $3, $3
    FROM kept c, jsonb_to_recordset($6::jsonb) AS a("id" text, "pathname" text, "contentType" text, "bytes" bigint,
      "width" int, "height" int, "durationMs" int, "etag" text, "position" int)
    ON CONFLICT ("pathname") DO NOTHING),
  audits AS (
    INSERT INTO "AuditEntry" (${AUDIT_COLUMNS})
    SELECT entry.* FROM kept, jsonb_to_recordset($7::jsonb) ${AUDIT_RECORD})
  SELECT ${generationColumns('c')} FROM kept c`;

/**
 * The file is stored and the closing transaction failed. Tries, in this order: the row alone (`chargePending`, audit
 * `generation.settle_pending`); the debit alone (audit `generation.close_pending`). The member has the file in both. Throws the
 * first failure when neither could be written: the sweep then finds the file in the store and settles the estimate.
 */
export async function deferCharge(
  ctx: StudioContext,
  row: Generation,
  deferral: Deferral,
): Promise<Generation> {
  const event = (action: 'generation.settle_pending' | 'generation.close_pending'): AuditEvent => ({
    action,
    accountId: row.accountId,
    subject: { type: 'generation', id: row.id },
    data: {
      costMicros: deferral.costMicros.toString(),
      ...(deferral.gatewayGenerationId ? { gatewayGenerationId: deferral.gatewayGenerationId } : {}),
    },
  });
  const params = { ...deferral.facts, pendingCostMicros: Number(deferral.costMicros) };
  const sinceMs = (row.startedAt ?? row.createdAt).getTime();
  try {
    const [kept] = await ctx.sql.rows<Record<string, unknown>>('studio.defer', DEFER, [
      row.id,
      JSON.stringify(deferral.artifacts),
      ctx.clock.now(),
      JSON.stringify(params),
      new Date(sinceMs + SETTLE_AFTER_MS),
      assetRecords(ctx, deferral.artifacts),
      auditRecords(ctx, [event('generation.settle_pending'), ...deferral.costAudits]),
      deferral.gatewayGenerationId ?? null,
    ]);
    if (kept) return readGeneration(kept);
  } catch {
    // Whatever stops the row from being written may not stop the ledger.
  }
  // Written after all, and its answer lost; or by another closer.
  const current = await readRow(ctx, row.id).catch(() => null);
  if (current && (!isOpen(current.state) || current.chargePending)) return current;
  try {
    await ctx.sql.transaction(async (tx) => {
      const debit = await settle(tx, ctx, {
        generationId: row.id,
        costMicros: deferral.costMicros,
        spendAlertMicros: ctx.studio.config.spendAlertMicros,
      });
      const costAudits = debit.found === 'open' ? deferral.costAudits : [];
      await recordAudits(tx, ctx, [event('generation.close_pending'), ...costAudits]);
    });
  } catch {
    throw deferral.cause;
  }
  return {
    ...row,
    artifacts: deferral.artifacts,
    params: { ...row.params, ...params },
    gatewayGenerationId: deferral.gatewayGenerationId ?? row.gatewayGenerationId,
    chargePending: false,
  };
}
