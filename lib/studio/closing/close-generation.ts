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
import { recoveredFacts, storedArtifacts } from './recover-files.ts';
import { NotStored, storeDelivered } from './store-files.ts';

type CloseInput = { row: Generation; ending: Ending; closedBy: ClosedBy };

/** The row as recorded, and whether this call is the one that recorded it. */
type Closed = { row: Generation; won: boolean };

/** The time of a job or of a render ran out while its file was stored: nothing was written, and the clock decides how its row ends. */
export class TimeRanOut extends Error {
  override readonly name = 'TimeRanOut';
}

/**
 * The one verb that ends a generation: files first, under deterministic pathnames; then row, ledger line and audit in one
 * transaction. Called by several at once, exactly one writes; all get the row that was recorded. A debit that cannot be
 * written leaves the member the file and the row open (`chargePending`), for the sweep. A debit that is there already has the last word:
 * the row is completed at its figure. Throws NotStored and TimeRanOut (what goes on outside only), and what the database throws when nothing
 * at all could be recorded: the sweep then finishes the row.
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
          // Nobody measured it: the row may not say so.
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
    // A job is looked at again; the bytes of a request go with it.
    if (!(error instanceof NotStored) || closedBy !== 'request') throw error;
    return closeFailed(ctx, input, lostInStore(outcome));
  }
  // Who looked while it was stored was told that it is refunded, and may have asked for it again.
  if (isOverdue(statusFacts(row), ctx.clock.now())) throw new TimeRanOut();
  const cost = decideCost(outcome.cost, row.heldMicros);
  const { costMicros } = cost;
  // Of the file that lies there, which another closer may have written from another answer.
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
 * A figure that cannot be true is for a person to look at: logged and mailed by the one that debited the reserve in its place. Everything
 * is written by then: a mail server that hangs is waited for a little, and its message goes on alone.
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
      // The audit and « Exploitation » tell it still.
      ctx.log.error('generation.cost_implausible.mail_failed', { generationId, ...faultFields(error) });
    }
  };
  await waitAtMost(mail(), ALERT_WAIT_MS, undefined);
}

/** A request that ends after the sweep refunded its row: it stays refunded, and what the provider was paid is audited. */
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
 * The debit is written and the row is open: completes it at the ledger's amount, with what was delivered, else with the files that the
 * store holds. Whose answer was debited is not known any more.
 */
async function closeCharged(
  ctx: StudioContext,
  input: CloseInput,
  amountMicros: bigint,
  delivered?: { artifacts: Artifact[]; facts: Partial<Params> },
): Promise<Closed> {
  const { row, closedBy } = input;
  const lying = row.artifacts.length > 0 ? row.artifacts : delivered?.artifacts;
  const artifacts = lying ?? (await storedArtifacts(ctx, row));
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
    // The commit's answer may have been lost on the way: what the row says decides, of this closing or of another's.
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
