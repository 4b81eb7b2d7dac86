import type { AuditAction, AuditDetail, AuditEvent } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import type { ClosedBy } from '#lib/db/generated/prisma/client.ts';
import { sendSpendAlerts } from '#lib/ledger/spend-alert.ts';
import { FAILURE_SENTENCES, generation as sentences } from '#lib/messages/studio.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Delivered, Failed, Outcome, PaidNotDelivered } from '../generation/outcome.ts';
import type { Artifact } from '../generation/params.ts';
import { isOpen } from '../generation/states.ts';
import { AlreadySettled, type CloseOutcome, type Closing, commitClose, readRow } from './commit-closing.ts';
import { type Cost, decideCost } from './decide-cost.ts';
import { deferCharge } from './defer-charge.ts';
import { recoveredFacts, storedArtifacts } from './recover-files.ts';
import { storeFiles } from './store-files.ts';

/** The store did not take the file: the job is left open, to be closed at the next look. */
export class NotStored extends Error {
  constructor(cause: unknown) {
    super('the file could not be stored', { cause });
    this.name = 'NotStored';
  }
}

export type CloseInput = { generationId: string; outcome: Outcome; closedBy: ClosedBy };

/**
 * The one verb that ends a generation: files first, under deterministic pathnames; then row, ledger line and audit in one
 * transaction. Called by several at once, exactly one writes; all get the row that was recorded. A debit that cannot be
 * written leaves the member the file and the row open (`chargePending`), for the sweep. Throws NotStored (jobs only) and
 * what the database throws when nothing at all could be recorded: the sweep then finishes the row.
 */
export async function closeGeneration(ctx: StudioContext, input: CloseInput): Promise<Generation> {
  const row = await readRow(ctx, input.generationId);
  if (!row) throw new Error('generation not found');
  return (await closeRow(ctx, row, input.outcome, input.closedBy)).row;
}

/** The row as recorded, and whether this call is the one that recorded it. */
export type Closed = { row: Generation; won: boolean };

/** `closeGeneration` for a row at hand: one read less. A row whose debit is pending stays as it is: only the sweep settles it. */
export async function closeRow(
  ctx: StudioContext,
  row: Generation,
  outcome: Outcome,
  closedBy: ClosedBy,
): Promise<Closed> {
  if (!isOpen(row.state) || row.chargePending) return { row, won: false };
  if (outcome.result === 'failed') return closeFailed(ctx, row, outcome, closedBy);
  const artifacts = await keepFiles(ctx, row, outcome, closedBy);
  if (artifacts === null) {
    return closeFailed(ctx, row, notStored(outcome), closedBy);
  }
  return closeDelivered(ctx, row, { outcome, artifacts, closedBy });
}

const STORE_ATTEMPTS = 2;

/** Null: the store refused a file whose bytes only this request holds. */
async function keepFiles(
  ctx: StudioContext,
  row: Generation,
  outcome: Delivered,
  closedBy: ClosedBy,
): Promise<Artifact[] | null> {
  if (outcome.stored) return outcome.stored;
  let failure: unknown = new Error('no file store');
  for (let attempt = 0; ctx.studio.store && attempt < STORE_ATTEMPTS; attempt += 1) {
    try {
      return await storeFiles(ctx.studio.store, row.id, outcome.files);
    } catch (error) {
      failure = error;
    }
  }
  ctx.log.error('generation.not_stored', {
    generationId: row.id,
    ...faultFields(failure),
  });
  if (closedBy !== 'request') throw new NotStored(failure);
  return null;
}

function notStored(outcome: Delivered): Failed {
  return {
    result: 'failed',
    code: 'internal-error',
    message: sentences.notStored,
    errorMessage: 'file store refused the file',
    paid: {
      reason: 'step-failed',
      ...(outcome.cost.gatewayMicros === undefined ? {} : { costMicros: outcome.cost.gatewayMicros }),
    },
    ...(outcome.facts ? { facts: outcome.facts } : {}),
    ...(outcome.gatewayGenerationId ? { gatewayGenerationId: outcome.gatewayGenerationId } : {}),
  };
}

async function closeDelivered(
  ctx: StudioContext,
  row: Generation,
  delivery: { outcome: Delivered; artifacts: Artifact[]; closedBy: ClosedBy },
): Promise<Closed> {
  const { outcome, artifacts, closedBy } = delivery;
  const cost = decideCost(outcome.cost);
  const facts = { ...outcome.facts, costSource: cost.costSource };
  const { gatewayGenerationId } = outcome;
  const costAudits = divergence(row, outcome, cost);
  try {
    return await finish(ctx, row, {
      state: 'COMPLETED',
      chargePending: false,
      closedBy,
      costMicros: cost.costMicros,
      artifacts,
      facts,
      ...(gatewayGenerationId ? { gatewayGenerationId } : {}),
      audits: [
        audit(row, 'generation.completed', { closedBy, costMicros: cost.costMicros.toString() }),
        ...costAudits,
      ],
    });
  } catch (error) {
    ctx.log.error('generation.close_failed', {
      generationId: row.id,
      ...faultFields(error),
    });
    const { costMicros } = cost;
    const deferral = { artifacts, facts, costMicros, gatewayGenerationId, costAudits, cause: error };
    const kept = await deferCharge(ctx, row, deferral);
    return { row: kept, won: true };
  }
}

async function closeFailed(
  ctx: StudioContext,
  row: Generation,
  outcome: Failed,
  closedBy: ClosedBy,
): Promise<Closed> {
  const paid = outcome.paid ? [paidNotDelivered(row, outcome.paid)] : [];
  try {
    return await finish(ctx, row, {
      state: 'FAILED',
      chargePending: false,
      closedBy,
      code: outcome.code,
      message: outcome.message ?? FAILURE_SENTENCES[outcome.code],
      errorMessage: outcome.errorMessage ?? null,
      ...(outcome.facts ? { facts: outcome.facts } : {}),
      ...(outcome.gatewayGenerationId ? { gatewayGenerationId: outcome.gatewayGenerationId } : {}),
      audits: [audit(row, 'generation.failed', { closedBy, code: outcome.code }), ...paid],
    });
  } catch (error) {
    if (error instanceof AlreadySettled)
      return completeFromLedger(ctx, row, { amountMicros: error.amountMicros, closedBy });
    throw error;
  }
}

/** The debit is written and the row is open: completes it at the ledger's amount, with the files that the store holds. */
export async function completeFromLedger(
  ctx: StudioContext,
  row: Generation,
  input: { amountMicros: bigint; closedBy: ClosedBy },
): Promise<Closed> {
  const artifacts = row.artifacts.length > 0 ? row.artifacts : await storedArtifacts(ctx, row);
  return finish(ctx, row, {
    state: 'COMPLETED',
    closedBy: input.closedBy,
    costMicros: input.amountMicros,
    artifacts,
    facts: recoveredFacts(row, artifacts),
    audits: [
      audit(row, 'generation.reconciled', { from: 'settle-line', costMicros: input.amountMicros.toString() }),
    ],
  });
}

/** Commits, tells the spend alert if there is one, and logs who closed. */
export async function finish(ctx: StudioContext, row: Generation, closing: Closing): Promise<Closed> {
  let outcome: CloseOutcome;
  try {
    outcome = await commitClose(ctx, row.id, closing);
  } catch (error) {
    if (error instanceof AlreadySettled) throw error;
    // The commit's answer may have been lost on the way: what the row says decides.
    const current = await readRow(ctx, row.id).catch(() => null);
    if (!current || isOpen(current.state)) throw error;
    outcome = { won: true, row: current, alert: null };
  }
  ctx.log.info('generation.closed', {
    generationId: row.id,
    state: outcome.row.state,
    closedBy: outcome.row.closedBy,
    won: outcome.won,
  });
  if (outcome.alert) {
    await sendSpendAlerts(ctx, { mail: ctx.studio.mailSpendAlert }).catch(() => undefined);
  }
  return { row: outcome.row, won: outcome.won };
}

/** An audit entry about a row. */
export function audit<A extends AuditAction & `generation.${string}`>(
  row: Pick<Generation, 'id' | 'accountId'>,
  action: A,
  data: AuditDetail<A>,
): AuditEvent {
  return {
    action,
    accountId: row.accountId,
    subject: { type: 'generation', id: row.id },
    data,
  } as AuditEvent;
}

/** The audit entry of a provider paid for nothing. */
export function paidNotDelivered(
  row: Pick<Generation, 'id' | 'accountId'>,
  paid: PaidNotDelivered,
): AuditEvent {
  const { costMicros, ...facts } = paid;
  return audit(row, 'generation.paid_not_delivered', {
    ...facts,
    ...(costMicros === undefined ? {} : { costUsd: usdFromMicros(costMicros) }),
  });
}

function divergence(row: Generation, outcome: Delivered, cost: Cost): AuditEvent[] {
  if (!cost.diverges) return [];
  return [
    audit(row, 'generation.cost_divergence', {
      gatewayCostUsd: usdFromMicros(cost.costMicros),
      formulaCostUsd: usdFromMicros(outcome.cost.formulaMicros),
      gatewayGenerationId:
        outcome.cost.gatewayGenerationId ?? outcome.gatewayGenerationId ?? row.gatewayGenerationId,
    }),
  ];
}
