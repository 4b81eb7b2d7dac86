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
};

/** A row that is over, and what the audit and its subscribers were told of it. */
type EndedRow = Row & {
  told: { action: string; costMicros: string | null }[];
  /** What subscribers are told of its end. */
  events: string[];
};

export type Snapshot = Map<string, string>;

const COLUMNS = `g."id", g."kind", g."state", g."code", g."costMicros", g."chargePending", g."artifacts",
    g."providerWebhookSecret" AS secret, g."closedAt", l.settled, l.settles, l.refunds, l.reserves`;
const ROWS = `"Generation" g CROSS JOIN LATERAL (
    SELECT max(-"amountMicros") FILTER (WHERE "kind" = 'SETTLE') AS settled, count(*) FILTER (WHERE "kind" = 'SETTLE') AS settles,
      count(*) FILTER (WHERE "kind" = 'REFUND') AS refunds, count(*) FILTER (WHERE "kind" = 'RESERVE') AS reserves
    FROM "LedgerLine" WHERE "generationId" = g."id") l
  WHERE g."accountId" = ANY($1) AND g."state" <> 'CANCELLED'`;
const READ = `SELECT ${COLUMNS} FROM ${ROWS}`;
const READ_ENDED = `SELECT ${COLUMNS},
    (SELECT coalesce(jsonb_agg(jsonb_build_object('action', a."action", 'costMicros', a."data"->>'costMicros')), '[]')
       FROM "AuditEntry" a WHERE a."accountId" = g."accountId" AND a."subjectId" = g."id") AS told,
    ARRAY(SELECT w."data"->>'status' FROM "WebhookDelivery" w WHERE w."accountId" = g."accountId" AND w."subjectId" = g."id") AS events
  FROM ${ROWS}`;

/**
 * What must hold at every moment (S-174 to S-182): at most one close per reserve, a shown file is settled or waits for its
 * debit, nothing closed ever changes. `before` remembers the closed rows and is brought up to date.
 */
export async function faultsNow(
  pool: pg.Pool,
  accountIds: readonly string[],
  before: Snapshot,
): Promise<string[]> {
  const { rows } = await pool.query<Row>(READ, [accountIds]);
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
  accountIds: readonly string[],
  store: MemoryStore,
): Promise<{ faults: string[]; rows: number; states: Record<string, number> }> {
  const { rows } = await pool.query<EndedRow>(READ_ENDED, [accountIds]);
  const faults = await bookFaults({ pool });
  const states: Record<string, number> = {};
  for (const row of rows) {
    const key = row.state === 'FAILED' ? `FAILED ${row.code}` : row.state;
    states[key] = (states[key] ?? 0) + 1;
    const fault = (text: string) => faults.push(`${row.kind} ${row.id} ${key}: ${text}`);
    if (row.closedAt === null) fault('is still open');
    if (row.secret !== null) fault('kept its secret');
    if (Number(row.settles) + Number(row.refunds) !== 1) fault('is not closed once in the ledger');
    for (const text of toldFaults(row)) fault(text);
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

const ENDS = ['generation.completed', 'generation.failed', 'generation.reconciled'];
/** What says what was debited. */
const DEBITS = ['generation.completed', 'generation.reconciled', 'generation.close_pending'];
/** What is told once at most: each is a loss to whoever adds them up. */
const ONCE = ['generation.late_look', 'generation.paid_not_delivered'];

/** What is wrong with what the audit tells of a row that is over: its end once, at the figure that was debited, and a loss once at most. */
export function toldFaults({ told, settled }: Pick<EndedRow, 'told' | 'settled'>): string[] {
  const faults: string[] = [];
  const ends = told.filter(({ action }) => ENDS.includes(action));
  if (ends.length !== 1) return [`its end is told ${ends.length} times`];
  for (const { action, costMicros } of told)
    if (DEBITS.includes(action) && costMicros !== settled)
      faults.push(`${action} tells ${costMicros}, debited ${settled}`);
  for (const action of ONCE) {
    const times = told.filter((one) => one.action === action).length;
    if (times > 1) faults.push(`${action} is told ${times} times`);
  }
  return faults;
}

/** A request that the ledger refused: no line, no call, no event, and a code that says which. Adds how many there were to `states`. */
export async function refusalFaults(
  pool: pg.Pool,
  accountIds: readonly string[],
  paid: ReadonlyMap<string, number>,
  states: Record<string, number>,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; code: string | null; effects: string }>(
    `SELECT g."id", g."code", (SELECT count(*) FROM "LedgerLine" l WHERE l."generationId" = g."id")
       + (SELECT count(*) FROM "WebhookDelivery" w WHERE w."subjectId" = g."id") AS effects
     FROM "Generation" g WHERE g."accountId" = ANY($1) AND g."state" = 'CANCELLED'`,
    [accountIds],
  );
  return rows.flatMap(({ id, code, effects }) => {
    states[`CANCELLED ${code}`] = (states[`CANCELLED ${code}`] ?? 0) + 1;
    return [
      ...(code === 'balance' || code === 'cap' ? [] : [`${id}: refused with ${code}`]),
      ...(effects === '0' && !paid.has(id) ? [] : [`${id}: refused, and something was done`]),
    ];
  });
}
