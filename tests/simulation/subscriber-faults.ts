import type { Connection } from '#lib/db/connection.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { MINUTE_MS } from './plan.ts';
import { CALM, type Scene } from './scene.ts';

/** A rest and a wait of an endpoint that failed all evening are over by then. */
const DRAIN_PASSES = 12;

/** Once subscribers answer again: each end came at least once, as what it is, under one identifier, and nothing else came. */
export async function subscriberFaults({ pool }: Connection, scene: Scene): Promise<string[]> {
  const { accountIds, clock, taken, founder } = scene;
  const pending = async () => {
    const { rows } = await pool.query(
      `SELECT 1 FROM "WebhookDelivery" WHERE "accountId" = ANY($1) AND "state" = 'PENDING' LIMIT 1`,
      [accountIds],
    );
    return rows.length > 0;
  };
  for (let pass = 0; pass < DRAIN_PASSES && (await pending()); pass += 1) {
    await scene.run(CALM, founder, (ctx) => deliverDue(ctx), { answer: 200 });
    clock.advance(30 * MINUTE_MS);
  }
  const { rows } = await pool.query<{ id: string; subjectId: string; state: string; status: string }>(
    `SELECT "id", "subjectId", "state"::text, "data"->>'status' AS status FROM "WebhookDelivery" WHERE "accountId" = ANY($1)`,
    [accountIds],
  );
  const faults: string[] = [];
  for (const { id, subjectId, state, status } of rows) {
    if (state !== 'DELIVERED') faults.push(`${subjectId}: its event is ${state}`);
    const came = taken.filter((one) => one.id === id);
    if (came.length === 0) faults.push(`${subjectId}: its event never came`);
    if (came.some((one) => one.generationId !== subjectId || one.status !== status))
      faults.push(`${subjectId}: another event came under its identifier`);
  }
  const known = new Set(rows.map(({ id }) => id));
  for (const { id, generationId } of taken)
    if (!known.has(id)) faults.push(`${generationId}: an event came that was never written`);
  return faults;
}
