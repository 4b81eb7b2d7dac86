import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';
import type { ClosedBy } from '#lib/db/generated/tables.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import { sendSpendAlerts } from '#lib/ledger/spend-alert.ts';
import { FAILURE_SENTENCES, generation as sentences } from '#lib/messages/studio.ts';
import type { StudioContext } from '../context.ts';
import { readRow } from '../generation/find-generation.ts';
import type { Generation } from '../generation/generation.ts';
import type { Delivered, Ending, Failed, PaidNotDelivered } from '../generation/outcome.ts';
import type { Artifact, Params } from '../generation/params.ts';
import { isOverdue, statusFacts } from '../generation/status.ts';
import { ALERT_WAIT_MS } from '../limits.ts';
import { audit, divergence, paidNotDelivered } from './audit-events.ts';
import { AlreadySettled, type CloseOutcome, type Closing, commitClosing } from './commit-closing.ts';
import { type Cost, decideCost } from './decide-cost.ts';
import { deferCharge } from './defer-charge.ts';
import { debitedArtifacts, recoveredFacts } from './recover-files.ts';
import { NotStored, storeDelivered } from './store-files.ts';

type CloseInput = { row: Generation; ending: Ending; closedBy: ClosedBy };

/** The row as recorded, and whether this call is the one that recorded it. */
type Closed = { row: Generation; won: boolean };

/** A job or render reached its deadline while its file was being stored: nothing was written, and the deadline decides the row's end. */
export class TimeRanOut extends Error {
  override readonly name = 'TimeRanOut';
}

/**
 * The only verb that ends a generation: stores the files under deterministic pathnames, then writes row, ledger line and audit in one
 * transaction. Of concurrent callers exactly one writes; all get the recorded row. If the debit cannot be written, the member gets the file
 * and the row stays open (`chargePending`) for the sweep. If the ledger already has a debit, the row is completed at that amount. Throws
 * NotStored and TimeRanOut (asynchronous kinds only), and the database's error when nothing could be recorded: the sweep then finishes the
 * row.
 */
export async function closeGeneration(ctx: StudioContext, input: CloseInput): Promise<Closed> {
  try {
    return await closeAs(ctx, input);
  } catch (error) {
    if (!(error instanceof AlreadySettled)) throw error;
    return closeCharged(ctx, input, error.amountMicros);
  }
}

async function closeAs(ctx: StudioContext, input: CloseInput): Promise<Closed> {
  const { ending } = input;
  switch (ending.result) {
    case 'delivered':
      return closeDelivered(ctx, input, ending);
    case 'failed':
      return closeFailed(ctx, input, ending);
    case 'charged':
      return closeCharged(ctx, input, ending.amountMicros);
    case 'charge-due':
      return finish(ctx, input.row, {
        state: 'COMPLETED',
        chargePending: input.row.chargePending,
        closedBy: input.closedBy,
        costMicros: ending.costMicros,
        artifacts: ending.artifacts,
        facts: {
          ...recoveredFacts(input.row, ending.artifacts),
          // The cost was not measured, and the row must not claim it was.
          ...(ending.from === 'estimate' ? { costSource: 'estimate' as const } : {}),
        },
        audits: [
          audit(input.row, 'generation.reconciled', {
            from: ending.from,
            costMicros: ending.costMicros.toString(),
          }),
        ],
      });
  }
}

async function closeDelivered(ctx: StudioContext, input: CloseInput, outcome: Delivered): Promise<Closed> {
  const { row, closedBy } = input;
  let artifacts: Artifact[];
  try {
    artifacts = await storeDelivered(ctx, row, outcome);
  } catch (error) {
    // A job is visited again later; the bytes of a synchronous request exist only now.
    if (!(error instanceof NotStored) || closedBy !== 'request') throw error;
    return closeFailed(ctx, input, lostInStore(outcome));
  }
  // A reader in the meantime was told that it is refunded, and may have sent the request again.
  if (isOverdue(statusFacts(row), ctx.clock.now())) throw new TimeRanOut();
  const cost = decideCost(outcome.cost, row.heldMicros);
  const { costMicros } = cost;
  // Measured from the stored file, which another closer may have written from another answer.
  const measured = { ...outcome.facts, ...recoveredFacts(row, artifacts) };
  const facts = { ...measured, costSource: cost.costSource };
  const { gatewayGenerationId } = outcome;
  const costAudits = divergence(row, outcome, cost);
  try {
    const closed = await finish(ctx, row, {
      state: 'COMPLETED',
      chargePending: false,
      closedBy,
      costMicros,
      artifacts,
      facts,
      ...(gatewayGenerationId ? { gatewayGenerationId } : {}),
      audits: [
        audit(row, 'generation.completed', { closedBy, costMicros: costMicros.toString() }),
        ...costAudits,
      ],
    });
    if (closed.won) await reportImplausibleCost(ctx, row, cost);
    else await auditLateResult(ctx, closed.row, closedBy, lostInStore(outcome).paid);
    return closed;
  } catch (error) {
    if (error instanceof AlreadySettled)
      return closeCharged(ctx, input, error.amountMicros, { artifacts, facts: measured });
    ctx.log.error('generation.close_failed', {
      generationId: row.id,
      ...faultFields(error),
    });
    const deferral = { artifacts, facts, costMicros, gatewayGenerationId, costAudits, cause: error };
    const deferred = await deferCharge(ctx, row, deferral);
    await reportImplausibleCost(ctx, row, cost);
    return { row: deferred, won: true };
  }
}

/**
 * Reports an implausible cost for review: logged and mailed by the closer that debited the reserve instead. Everything is already written, so
 * a slow mail server is waited for briefly, and its message goes on in the background.
 */
async function reportImplausibleCost(ctx: StudioContext, row: Generation, cost: Cost): Promise<void> {
  if (cost.costSource !== 'reserve') return;
  const { costMicros: debitedMicros, divergentMicros } = cost;
  const gatewayMicros = divergentMicros ?? 0n;
  ctx.log.error('generation.cost_implausible', {
    generationId: row.id,
    gatewayCostUsd: usdFromMicros(gatewayMicros),
    debitedUsd: usdFromMicros(debitedMicros),
  });
  const { accountId, id: generationId } = row;
  const mail = async (): Promise<void> => {
    try {
      await ctx.studio.mailImplausibleCost?.({ accountId, generationId, gatewayMicros, debitedMicros });
    } catch (error) {
      // The audit and the page « Exploitation » still show it.
      ctx.log.error('generation.cost_implausible.mail_failed', { generationId, ...faultFields(error) });
    }
  };
  await waitAtMost(mail(), ALERT_WAIT_MS, undefined);
}

/** The result of a request whose row the sweep has refunded: it stays refunded, and what the provider was paid is audited. */
async function auditLateResult(
  ctx: StudioContext,
  row: Generation,
  closedBy: ClosedBy,
  paid: PaidNotDelivered | undefined,
): Promise<void> {
  if (!paid || closedBy !== 'request' || row.state !== 'FAILED') return;
  await recordAudits(ctx.kysely, ctx, [paidNotDelivered(row, paid)]).catch((error: unknown) =>
    ctx.log.error('generation.late_result_unaudited', { generationId: row.id, ...faultFields(error) }),
  );
}

/** The store refused a file whose bytes only this request holds. */
function lostInStore(outcome: Delivered): Failed {
  const { gatewayMicros } = outcome.cost;
  return {
    result: 'failed',
    code: 'internal-error',
    message: sentences.notStored,
    errorMessage: 'file store refused the file',
    paid: { reason: 'step-failed', ...(gatewayMicros === undefined ? {} : { costMicros: gatewayMicros }) },
    ...(outcome.facts ? { facts: outcome.facts } : {}),
    ...(outcome.gatewayGenerationId ? { gatewayGenerationId: outcome.gatewayGenerationId } : {}),
  };
}

async function closeFailed(ctx: StudioContext, input: CloseInput, outcome: Failed): Promise<Closed> {
  const { row, closedBy } = input;
  if (outcome.fault !== undefined)
    ctx.log.error('generation.step_failed', { generationId: row.id, ...faultFields(outcome.fault) });
  const paid = outcome.paid ? [paidNotDelivered(row, outcome.paid)] : [];
  const closed = await finish(ctx, row, {
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
  if (!closed.won) await auditLateResult(ctx, closed.row, closedBy, outcome.paid);
  return closed;
}

/**
 * Completes an open row whose debit is written, at the ledger's amount, with the delivered files, else with those in the store. Which answer
 * was debited is no longer known.
 */
async function closeCharged(
  ctx: StudioContext,
  input: CloseInput,
  amountMicros: bigint,
  delivered?: { artifacts: Artifact[]; facts: Partial<Params> },
): Promise<Closed> {
  const { row, closedBy } = input;
  const lying = row.artifacts.length > 0 ? row.artifacts : delivered?.artifacts;
  const artifacts = lying ?? (await debitedArtifacts(ctx, row));
  return finish(ctx, row, {
    state: 'COMPLETED',
    isCharged: true,
    closedBy,
    costMicros: amountMicros,
    artifacts,
    facts: { ...delivered?.facts, ...recoveredFacts(row, artifacts) },
    audits: [
      audit(row, 'generation.reconciled', { from: 'settle-line', costMicros: amountMicros.toString() }),
    ],
  });
}

/** Commits, sends the spend alert if there is one, and logs who closed. */
async function finish(ctx: StudioContext, row: Generation, closing: Closing): Promise<Closed> {
  const at = ctx.clock.now();
  let outcome: CloseOutcome;
  try {
    outcome = await commitClosing(ctx, row.id, closing, at);
  } catch (error) {
    if (error instanceof AlreadySettled) throw error;
    // The commit may have succeeded although its answer was lost: the row tells whether this closing, or another, was recorded.
    const current = await readRow(ctx, row.id).catch(() => null);
    if (!current || isOpenState(current.state)) throw error;
    const won = current.closedBy === closing.closedBy && current.closedAt?.getTime() === at.getTime();
    outcome = { won, row: current, alert: null };
  }
  ctx.log.info('generation.closed', {
    generationId: row.id,
    state: outcome.row.state,
    closedBy: outcome.row.closedBy,
    won: outcome.won,
  });
  if (outcome.alert) await sendSpendAlerts(ctx, { mail: ctx.studio.mailSpendAlert, waitMs: ALERT_WAIT_MS });
  return { row: outcome.row, won: outcome.won };
}
