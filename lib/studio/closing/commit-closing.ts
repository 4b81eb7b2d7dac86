import { AUDIT_COLUMNS, AUDIT_RECORD, type AuditEvent, auditRecords, recordAudits } from '#lib/core/audit.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import type { ClosedBy } from '#lib/db/generated/prisma/client.ts';
import { refund, type SpendCrossing, settle } from '#lib/ledger/close-reserve.ts';
import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import type { Artifact, Params } from '../generation/params.ts';

/** How a row ends, and what the ledger writes with it. */
export type Closing = {
  closedBy: ClosedBy;
  facts?: Partial<Params>;
  gatewayGenerationId?: string;
  audits: AuditEvent[];
  /** Closes only a row whose debit is pending, or only one whose debit is not; absent: either. */
  chargePending?: boolean;
} & (
  | { state: 'COMPLETED'; costMicros: Micros; artifacts: Artifact[] | null }
  | { state: 'FAILED'; code: string; message: string; errorMessage: string | null }
);

export type CloseOutcome = {
  /** False: another closer had closed it; `row` is what was recorded. */
  won: boolean;
  row: Generation;
  alert: SpendCrossing | null;
};

/** A failure met a reserve that is settled already: it is never refunded, the row is to be completed at that amount. */
export class AlreadySettled extends Error {
  readonly amountMicros: Micros;
  constructor(amountMicros: Micros) {
    super('the reserve is settled already');
    this.name = 'AlreadySettled';
    this.amountMicros = amountMicros;
  }
}

// The row, its assets and its audit entries in one statement; all three hang on the conditional update.
const CLOSE = `
  WITH closed AS (
    UPDATE "Generation" g SET "state" = $2::"GenerationState", "closedAt" = $3, "closedBy" = $4::"ClosedBy", "updatedAt" = $3,
      "artifacts" = COALESCE($5::jsonb, g."artifacts"), "costMicros" = $6::bigint, "chargePending" = false,
      "code" = $7, "message" = $8, "errorMessage" = $9, "providerWebhookSecret" = NULL,
      "gatewayGenerationId" = COALESCE($10, g."gatewayGenerationId"), "params" = g."params" || $11::jsonb
    WHERE g."id" = $1 AND g."state" IN ('STARTING', 'SUBMITTED')
      AND ($14::boolean IS NULL OR g."chargePending" = $14)
    RETURNING g.*),
  assets AS (
    INSERT INTO "Asset" ("id", "accountId", "memberId", "productId", "generationId", "type", "pathname", "contentType",
      "bytes", "width", "height", "durationMs", "etag", "position", "createdAt", "updatedAt")
    SELECT a."id", c."accountId", c."memberId", c."productId", c."id", c."assetType", a."pathname", a."contentType",
      a."bytes", a."width", a."height", a."durationMs", a."etag", a."position", $3, $3
    FROM closed c, jsonb_to_recordset($12::jsonb) AS a("id" text, "pathname" text, "contentType" text, "bytes" bigint,
      "width" int, "height" int, "durationMs" int, "etag" text, "position" int)
    ON CONFLICT ("pathname") DO NOTHING),
  audits AS (
    INSERT INTO "AuditEntry" (${AUDIT_COLUMNS})
    SELECT entry.* FROM closed, jsonb_to_recordset($13::jsonb) ${AUDIT_RECORD})
  SELECT ${generationColumns('c')} FROM closed c`;

/** What a statement needs to write the assets of some artifacts. */
export function assetRecords(ctx: StudioContext, artifacts: readonly Artifact[]): string {
  const now = ctx.clock.now();
  return JSON.stringify(
    artifacts.map((artifact, position) => ({ id: createId('asset', now), position, ...artifact })),
  );
}

/** A row now, whatever its account; null when there is none. */
export async function readRow(ctx: StudioContext, generationId: string): Promise<Generation | null> {
  const [row] = await ctx.sql.rows<Record<string, unknown>>(
    'studio.row',
    `SELECT ${generationColumns('g')} FROM "Generation" g WHERE g."id" = $1`,
    [generationId],
  );
  return row ? readGeneration(row) : null;
}

/**
 * The one transaction that ends a row: conditional update with assets and audit, then the ledger's line. Whoever loses the
 * race changes nothing and reads what was recorded. Throws AlreadySettled, or whatever the database threw; then nothing of
 * it was written, unless the answer to the commit was lost (read the row again).
 */
export async function commitClose(
  ctx: StudioContext,
  generationId: string,
  closing: Closing,
): Promise<CloseOutcome> {
  const done = closing.state === 'COMPLETED';
  const artifacts = done ? closing.artifacts : null;
  const closed = await ctx.sql.transaction(async (tx) => {
    const [raw] = await tx.rows<Record<string, unknown>>('studio.close', CLOSE, [
      generationId,
      closing.state,
      ctx.clock.now(),
      closing.closedBy,
      artifacts ? JSON.stringify(artifacts) : null,
      done ? closing.costMicros : null,
      done ? null : closing.code,
      done ? null : closing.message,
      done ? null : closing.errorMessage?.slice(0, 2000),
      closing.gatewayGenerationId ?? null,
      JSON.stringify(closing.facts ?? {}),
      assetRecords(ctx, artifacts ?? []),
      auditRecords(ctx, closing.audits),
      closing.chargePending ?? null,
    ]);
    if (!raw) return null;
    const row = readGeneration(raw);
    if (!done) {
      const released = await refund(tx, ctx, { generationId });
      if (released.found === 'closed' && released.kind === 'SETTLE')
        throw new AlreadySettled(released.amountMicros);
      return { row, alert: null };
    }
    const debit = await settle(tx, ctx, {
      generationId,
      costMicros: closing.costMicros,
      spendAlertMicros: ctx.studio.config.spendAlertMicros,
    });
    if (debit.found === 'open') return { row, alert: debit.alert };
    return { row: await correctCost(tx, ctx, row, debit), alert: null };
  });
  if (closed) return { won: true, ...closed };
  const row = await readRow(ctx, generationId);
  if (!row) throw new Error('generation not found');
  return { won: false, row, alert: null };
}

type Debit = Awaited<ReturnType<typeof settle>>;

/** The ledger has the last word on what was debited: an earlier line's amount, or nothing when no reserve was found. */
async function correctCost(
  tx: Parameters<Parameters<StudioContext['sql']['transaction']>[0]>[0],
  ctx: StudioContext,
  row: Generation,
  debit: Exclude<Debit, { found: 'open' }>,
): Promise<Generation> {
  if (debit.found === 'closed' && debit.kind === 'REFUND')
    throw new Error('the reserve was refunded already');
  const costMicros = debit.found === 'closed' ? debit.amountMicros : null;
  await tx.rows('studio.correct_cost', 'UPDATE "Generation" SET "costMicros" = $2 WHERE "id" = $1', [
    row.id,
    costMicros,
  ]);
  if (debit.found === 'missing')
    await recordAudits(tx, ctx, [
      {
        action: 'generation.charge_missing',
        accountId: row.accountId,
        subject: { type: 'generation', id: row.id },
        data: { costMicros: row.costMicros?.toString() ?? null },
      },
    ]);
  return { ...row, costMicros };
}
