import type { Connection } from '#lib/db/connection.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { MINUTE_MS } from './plan.ts';
import { CALM, type Scene } from './scene.ts';

/** A rest and a wait of an endpoint that failed all evening are over by then. */
const DRAIN_PASSES = 12;

type EventRow = { id: string; accountId: string; subjectId: string; state: string; status: string };

/**
 * Once subscribers answer again: each end came at least once, as what it is, under one identifier, and nothing else came. What a closed
 * account has to tell waits, and is sent to nobody.
 */
export async function subscriberFaults(
  { pool }: Connection,
  scene: Scene,
  closed: ReadonlySet<string>,
): Promise<string[]> {
  const { accountIds, clock, taken, founder } = scene;
  const pending = async () => {
    const { rows } = await pool.query(
      `SELECT 1 FROM "WebhookDelivery" WHERE "accountId" = ANY($1) AND "state" = 'PENDING' LIMIT 1`,
      [accountIds.filter((id) => !closed.has(id))],
    );
    return rows.length > 0;
  };
  const before = taken.length;
  const send = () => scene.run(CALM, founder, (ctx) => deliverDue(ctx), { answer: 200 });
  if (closed.size > 0) await send();
  for (let pass = 0; pass < DRAIN_PASSES && (await pending()); pass += 1) {
    await send();
    clock.advance(30 * MINUTE_MS);
  }
  const late = new Set(taken.slice(before).map(({ id }) => id));
  const { rows } = await pool.query<EventRow>(
    `SELECT "id", "accountId", "subjectId", "state"::text, "data"->>'status' AS status FROM "WebhookDelivery" WHERE "accountId" = ANY($1)`,
    [accountIds],
  );
  const faults: string[] = [];
  for (const { id, accountId, subjectId, state, status } of rows) {
    const isClosed = closed.has(accountId);
    const waits = isClosed && state === 'PENDING';
    if (state !== 'DELIVERED' && !waits) faults.push(`${subjectId}: its event is ${state}`);
    if (isClosed && late.has(id)) faults.push(`${subjectId}: its event was sent from a closed account`);
    const came = taken.filter((one) => one.id === id);
    if (came.length === 0 && !waits) faults.push(`${subjectId}: its event never came`);
    if (came.some((one) => one.generationId !== subjectId || one.status !== status))
      faults.push(`${subjectId}: another event came under its identifier`);
  }
  const known = new Set(rows.map(({ id }) => id));
  for (const { id, generationId } of taken)
    if (!known.has(id)) faults.push(`${generationId}: an event came that was never written`);
  return faults;
}
