import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Micros, microsFromUsd, usdFromMicros } from '#lib/core/money.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';
import { requireOperator } from '#lib/ledger/access.ts';
import { settleRest } from '#lib/ledger/close-reserve.ts';
import { sendSpendAlerts } from '#lib/ledger/spend-alert.ts';
import { audit } from '../closing/audit-events.ts';
import type { StudioContext } from '../context.ts';
import { ALERT_WAIT_MS } from '../limits.ts';

const findDivergence = prepared('operations.divergence', (db, p: Params<{ generationId: string }>) =>
  db
    .selectFrom('AuditEntry')
    .select(['data', 'accountId'])
    .where('subjectId', '=', p.generationId)
    .where('action', '=', 'generation.cost_divergence')
    .limit(1),
);

type AddedCost = { id: string; restMicros: Micros; costSource: 'gateway' | 'usage' };

// The row's cost must include the rest: a row that is still open would otherwise be closed at the first debit alone.
const addCost = prepared('operations.add_cost', (db, p: Params<AddedCost>) =>
  db
    .updateTable('Generation')
    .set((eb) => ({
      costMicros: eb('costMicros', '+', sql<bigint>`${p.restMicros}::bigint`),
      params: sql`${eb.ref('params')} || jsonb_build_object('costSource', ${p.costSource}::text)`,
    }))
    .where('id', '=', p.id)
    .where('state', '=', 'COMPLETED')
    .returning('id'),
);

/** The part of a divergent cost that was not debited; 0 when it was debited whole. */
export function restOf(data: unknown): Micros {
  const { gatewayCostUsd, debitedUsd } = (data ?? {}) as Record<string, unknown>;
  if (typeof gatewayCostUsd !== 'number' || typeof debitedUsd !== 'number') return 0n;
  const rest = microsFromUsd(gatewayCostUsd) - microsFromUsd(debitedUsd);
  return rest > 0n ? rest : 0n;
}

/** Whether that figure is what the provider counted: no gateway billed it. */
function isCount(data: unknown): boolean {
  return ((data ?? {}) as { isCount?: unknown }).isCount === true;
}

/**
 * The operator's decision that a cost held to be implausible is true after all: debits what is left of that figure, whatever the balance,
 * once however often it is asked. Audited `generation.rest_settled`. Errors: `forbidden`, `not_found` for a row that no such
 * figure concerns, `conflict` while its closing waits.
 */
export async function settleGenerationRest(
  ctx: StudioContext<AccountActor>,
  input: { generationId: string },
): Promise<{ debitedMicros: Micros; replayed: boolean }> {
  requireOperator(ctx);
  const { generationId } = input;
  const entry = await findDivergence.first(ctx.kysely, { generationId });
  const restMicros = restOf(entry?.data);
  if (!entry?.accountId || restMicros === 0n) throw new ServiceError('not_found');
  const { accountId } = entry;
  const costSource = isCount(entry.data) ? 'usage' : 'gateway';
  const written = await debitOnce(ctx, { generationId, accountId, restMicros, costSource });
  if (written.found === 'missing') throw new ServiceError('not_found');
  if (written.found === 'open' && written.alert)
    await sendSpendAlerts(ctx, { mail: ctx.studio.mailSpendAlert, waitMs: ALERT_WAIT_MS });
  return { debitedMicros: written.amountMicros, replayed: written.found === 'closed' };
}

type Rest = {
  generationId: string;
  accountId: string;
  restMicros: Micros;
  costSource: AddedCost['costSource'];
};

/** Line, row and audit together; who loses the race reads what the winner wrote. */
async function debitOnce(ctx: StudioContext<AccountActor>, rest: Rest) {
  try {
    return await debit(ctx, rest);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return debit(ctx, rest);
  }
}

function debit(ctx: StudioContext<AccountActor>, { generationId, accountId, restMicros, costSource }: Rest) {
  const { spendAlertMicros } = ctx.studio.config;
  return transaction(ctx, async (tx) => {
    const written = await settleRest(tx, ctx, { generationId, restMicros, spendAlertMicros });
    if (written.found !== 'open') return written;
    if (!(await addCost.first(tx, { id: generationId, restMicros, costSource })))
      throw new ServiceError('conflict', {
        message: 'Cette génération n’est pas encore close\u00a0: réessayez dans un quart d’heure.',
      });
    await recordAudits(tx, ctx, [
      audit({ id: generationId, accountId }, 'generation.rest_settled', {
        debitedUsd: usdFromMicros(restMicros),
      }),
    ]);
    return written;
  });
}
