import type pg from 'pg';
import { bookFaults } from '#tests/factories/ledger.ts';
import type { MemoryStore } from '#tests/factories/memory-store.ts';

type Row = {
  id: string;
  kind: string;
  state: string;
  code: string | null;
  costMicros: string | null;
  chargePending: boolean;
  artifacts: { pathname: string }[];
  secret: string | null;
  closedAt: Date | null;
  settled: string | null;
  refunds: string;
  settles: string;
  reserves: string;
  told: string;
  /** What subscribers are told of its end. */
  events: string[];
};

export type Snapshot = Map<string, string>;

const READ = `
  SELECT g."id", g."kind", g."state", g."code", g."costMicros", g."chargePending", g."artifacts",
    g."providerWebhookSecret" AS secret, g."closedAt",
    (SELECT -"amountMicros" FROM "LedgerLine" l WHERE l."generationId" = g."id" AND l."kind" = 'SETTLE') AS settled,
    (SELECT count(*) FROM "LedgerLine" l WHERE l."generationId" = g."id" AND l."kind" = 'SETTLE') AS settles,
    (SELECT count(*) FROM "LedgerLine" l WHERE l."generationId" = g."id" AND l."kind" = 'REFUND') AS refunds,
    (SELECT count(*) FROM "LedgerLine" l WHERE l."generationId" = g."id" AND l."kind" = 'RESERVE') AS reserves,
    (SELECT count(*) FROM "AuditEntry" a WHERE a."subjectId" = g."id"
       AND a."action" IN ('generation.completed', 'generation.failed', 'generation.reconciled')) AS told,
    ARRAY(SELECT w."data"->>'status' FROM "WebhookDelivery" w WHERE w."subjectId" = g."id") AS events
  FROM "Generation" g WHERE g."accountId" = $1 AND g."state" <> 'CANCELLED'`;

/**
 * What must hold at every moment (S-174 to S-182): at most one close per reserve, a shown file is settled or waits for its
 * debit, nothing closed ever changes. `before` remembers the closed rows and is brought up to date.
 */
export async function faultsNow(pool: pg.Pool, accountId: string, before: Snapshot): Promise<string[]> {
  const { rows } = await pool.query<Row>(READ, [accountId]);
  const faults: string[] = [];
  for (const row of rows) {
    const fault = (text: string) => faults.push(`${row.kind} ${row.id}: ${text}`);
    const closes = Number(row.settles) + Number(row.refunds);
    if (Number(row.reserves) !== 1) fault(`${row.reserves} reserves`);
    if (closes > 1) fault(`closed ${closes} times in the ledger`);
    if (row.closedAt === null && row.artifacts.length > 0 && !row.chargePending && closes === 0)
      fault('shows a file that is neither settled nor pending');
    if (row.closedAt === null) continue;
    const now = JSON.stringify([row.state, row.code, row.costMicros, row.closedAt, row.artifacts]);
    const then = before.get(row.id);
    if (then !== undefined && then !== now) fault(`changed after it closed: ${then} → ${now}`);
    before.set(row.id, now);
  }
  return faults;
}

/** What must hold once everything is over: every row closed, one line each, counters equal to sums, files where they are said to be. */
export async function faultsAtTheEnd(
  pool: pg.Pool,
  accountId: string,
  store: MemoryStore,
): Promise<{ faults: string[]; rows: number; states: Record<string, number> }> {
  const { rows } = await pool.query<Row>(READ, [accountId]);
  const faults = await bookFaults({ pool });
  const states: Record<string, number> = {};
  for (const row of rows) {
    const key = row.state === 'FAILED' ? `FAILED ${row.code}` : row.state;
    states[key] = (states[key] ?? 0) + 1;
    const fault = (text: string) => faults.push(`${row.kind} ${row.id} ${key}: ${text}`);
    if (row.closedAt === null) fault('is still open');
    if (row.secret !== null) fault('kept its secret');
    if (Number(row.settles) + Number(row.refunds) !== 1) fault('is not closed once in the ledger');
    if (Number(row.told) !== 1) fault(`its end is told ${row.told} times`);
    if (row.events.join() !== row.state.toLowerCase()) fault(`subscribers are told « ${row.events.join()} »`);
    if (row.state === 'COMPLETED') {
      if (row.settled === null || row.settled !== row.costMicros)
        fault(`cost ${row.costMicros}, debited ${row.settled}`);
      if (row.artifacts.length === 0) fault('is completed without a file');
      for (const { pathname } of row.artifacts)
        if (!store.files.has(pathname)) fault(`${pathname} is not in the store`);
    }
    if (row.state === 'FAILED') {
      if (row.settled !== null) fault('was refunded and settled');
      if (row.artifacts.length > 0) fault('failed with a file');
    }
  }
  return { faults, rows: rows.length, states };
}

/** A request that the ledger refused: no line, no call, no event, and a code that says which. Adds how many there were to `states`. */
export async function refusalFaults(
  pool: pg.Pool,
  accountId: string,
  paid: ReadonlyMap<string, number>,
  states: Record<string, number>,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; code: string | null; effects: string }>(
    `SELECT g."id", g."code", (SELECT count(*) FROM "LedgerLine" l WHERE l."generationId" = g."id")
       + (SELECT count(*) FROM "WebhookDelivery" w WHERE w."subjectId" = g."id") AS effects
     FROM "Generation" g WHERE g."accountId" = $1 AND g."state" = 'CANCELLED'`,
    [accountId],
  );
  return rows.flatMap(({ id, code, effects }) => {
    states[`CANCELLED ${code}`] = (states[`CANCELLED ${code}`] ?? 0) + 1;
    return [
      ...(code === 'balance' || code === 'cap' ? [] : [`${id}: refused with ${code}`]),
      ...(effects === '0' && !paid.has(id) ? [] : [`${id}: refused, and something was done`]),
    ];
  });
}
