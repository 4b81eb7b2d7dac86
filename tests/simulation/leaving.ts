import type pg from 'pg';
import type { SystemActor } from '#lib/core/actor.ts';
import type { Connection } from '#lib/db/connection.ts';
import { reopenAccount } from '#lib/identity/closing/close-account.ts';
import { CLOSING_DAYS } from '#lib/identity/closing/closing-rules.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { handleRenderCallback } from '#lib/studio/webhooks/handle-render-callback.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import type { Door } from './door.ts';
import { type Act, type Call, MINUTE_MS, type Plan } from './plan.ts';
import { CALM, type Scene } from './scene.ts';
import type { Closer } from './simulate.ts';

/** What erases closed accounts; the proof that the simulation bites puts a broken one here. */
export type Night = (ctx: FilesContext<SystemActor>) => Promise<unknown>;

export const honestNight: Night = (ctx) => eraseClosed(ctx);

type Means = { closer: Closer; door: Door; night: Night };

type AccountRow = {
  id: string;
  name: string;
  closedAt: Date | null;
  erasingAt: Date | null;
  erasedAt: Date | null;
};

/** Everything there is of the accounts of a scene. */
type Whole = {
  accounts: AccountRow[];
  /** Of each account, its tables, with what they hold. */
  tables: Map<string, Map<string, string>>;
  /** Of each account, what its erasure leaves: figures, instants and identifiers. */
  figures: Map<string, string>;
  files: ReadonlySet<string>;
};

const DAY_MS = 24 * 60 * MINUTE_MS;
const FIGURES = ['LedgerLine', 'BudgetLine', 'Wallet', 'Budget', 'SpendMonth'];
const KEPT: ReadonlySet<string> = new Set([...FIGURES, 'Generation', 'AuditEntry']);

const READ_ACCOUNTS = `SELECT "id", "name", "closedAt", "erasingAt", "erasedAt" FROM "Account" WHERE "id" = ANY($1) ORDER BY "id"`;
const READ_TABLES = `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'accountId'
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1`;
const READ_FIGURES = `SELECT account, md5(string_agg(line, chr(10) ORDER BY line)) AS hash FROM (
  ${FIGURES.map((table) => `SELECT "accountId" AS account, '${table} ' || (to_jsonb(t) - 'note' - 'idempotencyKey')::text AS line FROM "${table}" t`).join(' UNION ALL ')}
  UNION ALL SELECT "accountId", 'Generation ' || jsonb_build_array("id", "memberId", "state", "costMicros", "closedAt")::text FROM "Generation" g
    WHERE EXISTS (SELECT FROM "LedgerLine" l WHERE l."generationId" = g."id")) kept
  WHERE account = ANY($1) GROUP BY 1`;
/** Words that an erasure leaves. */
const READ_WORDS = `SELECT 'a journal row' AS what FROM "Generation" WHERE "accountId" = $1
    AND ("params"::text <> '{}' OR "searchText" <> '' OR "artifacts"::text <> '[]' OR "idempotencyKey" IS NOT NULL)
  UNION SELECT 'a line' FROM "LedgerLine" WHERE "accountId" = $1 AND ("note" IS NOT NULL OR "idempotencyKey" IS NOT NULL)
  UNION SELECT 'a line of its budget' FROM "BudgetLine" WHERE "accountId" = $1 AND ("note" IS NOT NULL OR "idempotencyKey" IS NOT NULL)`;

/**
 * 30 days after everything: nights that erase what was closed, with faults and deaths, beside the first of which an account may be opened
 * again, then two without. One that stayed closed leaves its figures and nothing else; one that is open lost nothing, whoever was
 * erased; and what comes late for what is no more moves nothing.
 */
export async function leavingFaults(
  { pool }: Connection,
  scene: Scene,
  leaving: NonNullable<Plan['leaving']>,
  means: Means,
): Promise<{ faults: string[]; erased: number }> {
  const { accountIds, clock, founder } = scene;
  const { rows: generations } = await pool.query<{ id: string; accountId: string }>(
    `SELECT "id", "accountId" FROM "Generation" WHERE "accountId" = ANY($1) ORDER BY "id"`,
    [accountIds],
  );
  const before = await readWhole(pool, scene);
  clock.advance(CLOSING_DAYS * DAY_MS + 5 * MINUTE_MS);
  const pass = (call: Call) =>
    scene.run(call, founder, (ctx) => means.night({ ...ctx, actor: { type: 'system', job: 'retention' } }));
  const [first = CALM, ...others] = leaving.nights;
  const [reopenedId] = await Promise.all([reopen(scene, leaving.reopened), pass(first)]);
  await scene.quiet();
  for (const call of [...others, CALM, CALM]) {
    clock.advance(DAY_MS);
    await pass(call);
    await scene.quiet();
  }
  const after = await readWhole(pool, scene);
  const faults: string[] = [];
  let erased = 0;
  for (const account of after.accounts) {
    const own = generations.flatMap(({ id, accountId }) => (accountId === account.id ? [id] : []));
    const wasClosed = before.accounts.some(({ id, closedAt }) => id === account.id && closedAt !== null);
    const found: string[] = [];
    if (account.erasedAt && wasClosed) {
      erased += 1;
      if (reopenedId === account.id) found.push('was opened again, and is erased');
      found.push(...(await erasedFaults(pool, scene, { account, own, before, after, door: means.door })));
      found.push(...(await lateFaults(pool, scene, { account, own, closer: means.closer })));
    } else {
      if (account.closedAt || account.erasingAt)
        found.push(wasClosed ? 'was closed 30 days ago, and is not erased' : 'was open, and is being erased');
      found.push(...untouchedFaults({ account, own, before, after, wasClosed }));
    }
    const number = [0, 1, 2].find((one) => scene.ownerOf(one)?.accountId === account.id);
    faults.push(...found.map((text) => `account ${number}: ${text}`));
  }
  faults.push(...(await bookFaults({ pool })).map((fault) => `after the nights: ${fault}`));
  return { faults, erased };
}

/** A founder opens the account again: which one, if that was answered. */
async function reopen(scene: Scene, act: Act | null): Promise<string | null> {
  if (act?.does !== 'change') return null;
  const owner = scene.ownerOf(act.account);
  if (!owner) return null;
  const { accountId } = owner;
  const isAnswered = await scene.run(act, owner.actors.founder, async (ctx) => {
    await reopenAccount(ctx, { accountId });
    return true;
  });
  return isAnswered ? accountId : null;
}

async function readWhole(pool: pg.Pool, { accountIds, store }: Scene): Promise<Whole> {
  const { rows: accounts } = await pool.query<AccountRow>(READ_ACCOUNTS, [accountIds]);
  const { rows: figures } = await pool.query<{ account: string; hash: string }>(READ_FIGURES, [accountIds]);
  return {
    accounts,
    tables: await readTables(pool, accountIds),
    figures: new Map(figures.map(({ account, hash }) => [account, hash])),
    files: new Set(store.files.keys()),
  };
}

/** What every table that names an account holds of each of these, in one statement. */
async function readTables(
  pool: pg.Pool,
  accountIds: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const { rows: tables } = await pool.query<{ name: string }>(READ_TABLES);
  const reads = tables.map(
    ({ name }) =>
      `SELECT "accountId" AS account, '${name}' AS name, md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS hash
       FROM "${name}" t WHERE "accountId" = ANY($1) GROUP BY 1`,
  );
  const { rows } = await pool.query<{ account: string; name: string; hash: string }>(
    reads.join(' UNION ALL '),
    [accountIds],
  );
  const held = new Map(accountIds.map((id) => [id, new Map<string, string>()]));
  for (const { account, name, hash } of rows) held.get(account)?.set(name, hash);
  return held;
}

type Judged = { account: AccountRow; own: readonly string[]; before: Whole; after: Whole };

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The tables that hold another thing than they did. */
function moved(
  before: ReadonlyMap<string, string> = NOTHING,
  after: ReadonlyMap<string, string> = NOTHING,
): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

/** Whether a file is of the account: in the folder of a generation of its own, or in one that has its name. */
function isOf(pathname: string, accountId: string, own: ReadonlySet<string>): boolean {
  const [folder, id = ''] = pathname.split('/');
  return (folder === 'generations' && own.has(id)) || pathname.includes(accountId);
}

function untouchedFaults({ account, own, before, after, wasClosed }: Judged & { wasClosed: boolean }) {
  const { id } = account;
  const ids = new Set(own);
  // That it was opened again is told in its audit.
  const changed = moved(before.tables.get(id), after.tables.get(id)).filter(
    (name) => !(wasClosed && name === 'AuditEntry'),
  );
  const lost = [...before.files].filter((pathname) => isOf(pathname, id, ids) && !after.files.has(pathname));
  return [
    ...(changed.length > 0 ? [`was not erased, and lost or gained in ${changed.join(', ')}`] : []),
    ...lost.map((pathname) => `was not erased, and lost ${pathname}`),
  ];
}

async function erasedFaults(
  pool: pg.Pool,
  scene: Scene,
  { account, own, before, after, door }: Judged & { door: Door },
): Promise<string[]> {
  const { id, name } = account;
  const ids = new Set(own);
  const faults = [...after.files]
    .filter((pathname) => isOf(pathname, id, ids))
    .map((pathname) => `is erased, and ${pathname} lies in the store`);
  if (name !== 'Compte effacé') faults.push(`is erased, and called « ${name} »`);
  if (before.figures.get(id) !== after.figures.get(id)) faults.push('is erased, and its figures have moved');
  for (const table of after.tables.get(id)?.keys() ?? [])
    if (!KEPT.has(table)) faults.push(`is erased, and has rows in ${table}`);
  const { rows: words } = await pool.query<{ what: string }>(READ_WORDS, [id]);
  for (const { what } of words) faults.push(`is erased, and ${what} has words of it`);
  const { rows: told } = await pool.query<{ action: string }>(
    `SELECT "action" FROM "AuditEntry" WHERE "accountId" = $1`,
    [id],
  );
  const actions = told.map(({ action }) => action).join();
  if (actions !== 'account.erased') faults.push(`is erased, and its audit says « ${actions} »`);
  const owner = [0, 1, 2].map(scene.ownerOf).find((one) => one?.accountId === id);
  for (const [by, credential] of owner ? Object.entries(owner.credentials) : [])
    if (await door(scene.founderOf(id), credential)) faults.push(`is erased, and its ${by} is let in`);
  return faults;
}

/** Webhooks, callbacks, sweeps and events that come for what was erased: nothing of it comes back, and nobody is paid or told. */
async function lateFaults(
  pool: pg.Pool,
  scene: Scene,
  { account: { id }, own, closer }: Pick<Judged, 'account' | 'own'> & { closer: Closer },
): Promise<string[]> {
  const { founder, outside, store, taken } = scene;
  const ids = new Set(own);
  const look = async () => ({
    tables: (await readTables(pool, [id])).get(id),
    files: [...store.files.keys()].filter((pathname) => isOf(pathname, id, ids)).length,
    outside: JSON.stringify([...outside.paid, taken.length]),
  });
  const before = await look();
  for (const generationId of own) {
    await scene.run(CALM, founder, (ctx) => closer(ctx, generationId));
    const runId = `run_${generationId}`;
    if (outside.runs.has(runId))
      await scene.run(CALM, founder, (ctx) =>
        handleRenderCallback(ctx, { generationId, runId, durationMs: 1_000, status: 'success', files: [] }),
      );
  }
  await scene.run(CALM, founder, (ctx) =>
    sweepGenerations({ ...ctx, actor: { type: 'system', job: 'generations-sweep' } }),
  );
  await scene.run(CALM, founder, (ctx) => deliverDue(ctx), { answer: 200 });
  const after = await look();
  const changed = moved(before.tables, after.tables);
  return [
    ...(changed.length > 0 ? [`was erased, and what came late wrote in ${changed.join(', ')}`] : []),
    ...(after.files === before.files ? [] : ['was erased, and what came late wrote a file']),
    ...(after.outside === before.outside ? [] : ['was erased, and what came late paid or told somebody']),
  ];
}
