import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { fromBuffer, type ZipFile } from 'yauzl';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { closeAccount, reopenAccount } from '#lib/identity/closing/close-account.ts';
import { ERASED_NAME, eraseMember } from '#lib/identity/members/erase-member.ts';
import { listRemovedMembers } from '#lib/identity/members/list-members.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { eraseOrphanPersons } from '#lib/identity/people/erase-person.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { exportFolder, listExports, openExport, startExport } from '#lib/storage/offboarding/exports.ts';
import { runExport, runExports, tidyExports } from '#lib/storage/offboarding/run-export.ts';
import { countAll, readRows, SECTIONS } from '#lib/storage/offboarding/sections.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { reserve } from '#tests/factories/reserve.ts';
import { explainedQueries, NO_SHORT_CUTS } from '#tests/factories/statements/explained-queries.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { tablesHolding } from '#tests/factories/watching/byte-search.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 8 });
const DAY_MS = 86_400_000;

/** A populated account with every file that its rows name in a store. */
async function populated(marker: string, store = memoryStore()) {
  const account = await populatedAccount(service, { marker });
  for (const pathname of account.pathnames)
    await store.put(pathname, Buffer.from(`octets ${marker}`), { contentType: 'image/png' });
  const ports = { store, storeToken: null, storeApiUrl: null };
  const at = (days = 0) => ({ now: () => new Date(Date.now() + days * DAY_MS) });
  const ctx = (days = 0) => ({ ...testContext(service, account.actor, { clock: at(days) }), files: ports });
  // Its clock stands: each account has its share of a night's seconds, which a machine that is held would use up.
  const night = (days = 0) => ({
    ...testContext(service, { type: 'system', job: 'retention' } as const, {
      clock: manualClock(new Date(Date.now() + days * DAY_MS)),
    }),
    files: ports,
  });
  return { ...account, marker, store, ctx, night };
}

type Populated = Awaited<ReturnType<typeof populated>>;

/** A night so many days from now whose store takes ten seconds to list a page, and goes on listing what it says that it deleted. */
function nightOfStubbornStore(one: Populated, days: number) {
  const { list, delete: remove } = one.store;
  const clock = manualClock(new Date(Date.now() + days * DAY_MS));
  let pages = 0;
  one.store.list = (asked) => {
    pages += 1;
    if (pages > 100) throw new Error('the night does not end');
    clock.advance(10_000);
    return list(asked);
  };
  one.store.delete = async () => 'deleted';
  return { ctx: { ...one.night(), clock }, heal: () => Object.assign(one.store, { list, delete: remove }) };
}

async function zipOf(one: Populated, exportId: string): Promise<Buffer> {
  const { body } = await openExport(one.ctx(), { exportId, range: null });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function entriesOf(zip: Buffer): Promise<Map<string, Buffer>> {
  const file = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true }, (error, opened) =>
      error ? reject(error) : resolve(opened as ZipFile),
    ),
  );
  const entries = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    file.on('error', reject);
    file.on('end', resolve);
    file.on('entry', (entry) => {
      file.openReadStream(entry, (error, stream) => {
        if (error || !stream) return reject(error);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', reject);
        stream.on('end', () => {
          entries.set(entry.fileName, Buffer.concat(chunks));
          file.readEntry();
        });
      });
    });
    file.readEntry();
  });
  return entries;
}

/** What the erasure of an account leaves: its figures, the rows of the journal that they point at, and that it was erased. */
const LEFT_BY_ERASURE: ReadonlySet<string> = new Set([
  ...['AuditEntry', 'Budget', 'BudgetLine', 'Generation', 'LedgerLine', 'SpendMonth', 'Wallet'],
]);

/** The tables that name an account. */
async function accountTables(): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select c.relname as name from pg_class c join pg_attribute a
    on a.attrelid = c.oid and a.attname = 'accountId' where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by 1`.execute(service.kysely);
  return rows.map(({ name }) => name);
}

/** How many rows each of them has of an account. */
async function tablesOf(accountId: string): Promise<[table: string, held: number][]> {
  const held: [string, number][] = [];
  for (const name of await accountTables()) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)}
      where "accountId" = ${accountId}`.execute(service.kysely);
    held.push([name, rows[0]?.n ?? 0]);
  }
  return held;
}

/** Everything that another account has, row by row. */
async function rowsOf(account: Pick<PopulatedAccount, 'accountId'>): Promise<string> {
  const said: unknown[] = [];
  for (const name of await accountTables()) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t
      where "accountId" = ${account.accountId} order by 1`.execute(service.kysely);
    said.push([name, rows.map(({ row }) => row)]);
  }
  return JSON.stringify(said);
}

describe('the export of an account', () => {
  test('made in slices as small as one wants, is the same zip: every row but secrets, every file, nothing of another account', async () => {
    const one = await populated('ZQEXPORTZQ');
    await populated('ZQVOISINEZQ', one.store);
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    // An avatar of the former application, with bytes of its own.
    const face = 'avatars/visage-zqexportzq.png';
    await one.store.put(face, Buffer.from('visage ZQEXPORTZQ'), { contentType: 'image/png' });
    await service.db.avatar.updateMany({ where: { accountId: one.accountId }, data: { pathname: face } });
    const { exportId } = await startExport(one.ctx());
    await expect(startExport(one.ctx())).rejects.toMatchObject({ code: 'conflict' });
    let slices = 0;
    while (await runExport(one.ctx(), { exportId, sliceMs: 0, partBytes: 300 })) slices += 1;
    expect(slices).toBeGreaterThan(10);
    expect(await listExports(one.ctx())).toMatchObject([{ id: exportId, state: 'READY' }]);

    const zip = await zipOf(one, exportId);
    const entries = await entriesOf(zip);
    expect([...entries.keys()].slice(0, 2)).toEqual(['LISEZMOI.txt', 'donnees/membres/00001.jsonl']);
    const all = Buffer.concat([...entries.values()]).toString();
    expect(all).toContain('Corps ZQEXPORTZQ bougie');
    expect(all).toContain('Ancien corps ZQEXPORTZQ');
    expect(all).toContain('Consigne ZQEXPORTZQ');
    expect(all).toContain('Filtre ZQEXPORTZQ');
    expect(all).not.toContain('ZQVOISINEZQ');
    for (const secret of [one.keySecret, one.apiToken, 'secret-ZQEXPORTZQ'])
      expect(all).not.toContain(secret);
    const hash = createHash('sha256').update(one.keySecret).digest();
    expect(all).not.toContain(hash.toString('hex'));
    const references = [...new Set(one.pathnames)].filter((path) => path.includes('references/'));
    expect(references).not.toEqual([]);
    for (const pathname of references)
      expect(entries.get(`fichiers/${pathname}`)?.toString()).toBe('octets ZQEXPORTZQ');
    expect(entries.get(`fichiers/${face}`)?.toString()).toBe('visage ZQEXPORTZQ');
    const memories = entries.get('donnees/memoires/00001.jsonl')?.toString().trim().split('\n') ?? [];
    expect(memories.length).toBe(await service.db.memory.count({ where: { accountId: one.accountId } }));
    const shares = entries.get('donnees/partages/00001.jsonl')?.toString().trim().split('\n') ?? [];
    expect(shares.length).toBe(await service.db.shareLink.count({ where: { accountId: one.accountId } }));
    expect(shares.join()).toContain(one.ids.shareLink?.[0] ?? 'no share');

    const only = (folder: string) =>
      JSON.parse(entries.get(`donnees/${folder}/00001.jsonl`)?.toString() ?? 'null');
    expect(only('compte')).toMatchObject({ id: one.accountId, name: 'Compte ZQEXPORTZQ' });
    expect(only('credit')).toMatchObject({ accountId: one.accountId });
    expect(only('lectures-par-mois')).toMatchObject({ used: 7 });
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    expect(only('lectures-par-jour')).toMatchObject({ day, used: 7 });
    const readme = entries.get('LISEZMOI.txt')?.toString() ?? '';
    for (const section of SECTIONS)
      if (section.kind === 'rows') expect(readme).toContain(`  ${section.folder}/`);

    const { exportId: whole } = await startExport(one.ctx());
    expect(await runExport(one.ctx(), { exportId: whole })).toBe(false);
    const again = await entriesOf(await zipOf(one, whole));
    // Each export adds to the audit of what follows it.
    for (const [name, content] of [...entries].filter(([name]) => !name.includes('/audit/')))
      expect(again.get(name)?.equals(content), name).toBe(true);
  });

  test('goes on after a process died in the middle of a part, and gives any range of its bytes', async () => {
    const one = await populated('ZQMORTZQ');
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const { exportId } = await startExport(one.ctx());
    const { put } = one.store;
    let puts = 0;
    one.store.put = (...given) => {
      puts += 1;
      return puts % 4 === 3 ? Promise.reject(new Error('cut')) : put(...given);
    };
    let clock = 0;
    for (let more = true; more && clock < 3; clock += 0.01)
      more = await runExport(one.ctx(clock), { exportId, sliceMs: 60_000, partBytes: 2_000 });
    one.store.put = put;
    const zip = await zipOf(one, exportId);
    expect((await entriesOf(zip)).size).toBeGreaterThan(15);
    const { body, status, headers } = await openExport(one.ctx(), { exportId, range: 'bytes=1990-4100' });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body ?? []) chunks.push(chunk);
    expect(status).toBe(206);
    expect(headers['Content-Length']).toBe('2111');
    expect(Buffer.concat(chunks).equals(zip.subarray(1990, 4101))).toBe(true);
    const resumed = (ifRange: string) =>
      openExport(one.ctx(), { exportId, range: 'bytes=1990-4100', ifRange });
    expect((await resumed(headers.ETag ?? '')).status).toBe(206);
    for (const other of ['"exp_autre"', `W/${headers.ETag}`, 'Wed, 21 Oct 2026 07:28:00 GMT'])
      expect(await resumed(other)).toMatchObject({
        status: 200,
        headers: { 'Content-Length': String(zip.length) },
      });
  });

  test('is written over by nobody who was overtaken, however late they wake', async () => {
    const one = await populated('ZQDOUBLEZQ');
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const { exportId } = await startExport(one.ctx());
    const folder = exportFolder(one.accountId);
    const parts = () =>
      [...one.store.files]
        .filter(([path]) => path.startsWith(folder))
        .map(([path, { content }]) => [path, Buffer.from(content).toString('base64')]);
    let made: string[][] = [];
    // It sleeps over its first file until its lease is over, and another makes the whole.
    const { open } = one.store;
    one.store.open = async (...asked) => {
      one.store.open = open;
      await runExport(one.ctx(0.01), { exportId });
      made = parts();
      return open(...asked);
    };
    expect(await runExport(one.ctx(), { exportId })).toBe(false);
    expect(made).not.toEqual([]);
    expect(parts()).toEqual(made);
    expect((await entriesOf(await zipOf(one, exportId))).size).toBeGreaterThan(15);
  });

  test('is made by one at a time; who took it over and is not done is not written over either', async () => {
    const one = await populated('ZQRELAISZQ');
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const { exportId } = await startExport(one.ctx());
    const folder = exportFolder(one.accountId);
    const parts = () =>
      [...one.store.files]
        .filter(([path]) => path.startsWith(folder))
        .map(([path, { content }]) => [path, Buffer.from(content).toString('base64')]);
    let made: string[][] = [];
    const { open } = one.store;
    one.store.open = async (...asked) => {
      one.store.open = open;
      // While its lease lasts, nobody else begins; then another makes a slice of it.
      await runExport(one.ctx(), { exportId });
      expect(parts()).toEqual([]);
      expect(await runExport(one.ctx(0.01), { exportId, sliceMs: 0, partBytes: 300 })).toBe(true);
      made = parts();
      return open(...asked);
    };
    expect(await runExport(one.ctx(), { exportId })).toBe(false);
    expect(made).not.toEqual([]);
    expect(parts()).toEqual(made);
    while (await runExport(one.ctx(0.02), { exportId }));
    expect((await entriesOf(await zipOf(one, exportId))).size).toBeGreaterThan(15);
  });

  test('is for founders of that account alone, for 24 hours; then its parts and rows are gone', async () => {
    const one = await populated('ZQHEUREZQ');
    const other = await populated('ZQAUTREZQ', one.store);
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const colleague = await makeMember(service, one.accountId, { role: 'MEMBER', permissions: ['generate'] });
    const asMember = { ...one.ctx(), actor: memberActor(colleague) };
    await expect(startExport(asMember)).rejects.toMatchObject({ code: 'forbidden' });
    const { exportId } = await startExport(one.ctx());
    expect(await runExports(one.night())).toBeGreaterThan(0);
    await expect(openExport(asMember, { exportId, range: null })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(openExport(other.ctx(), { exportId, range: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(openExport(one.ctx(0.99), { exportId, range: null })).resolves.toMatchObject({
      status: 200,
    });
    await expect(openExport(one.ctx(1.01), { exportId, range: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    await tidyExports(one.night(1.01));
    expect(
      [...one.store.files.keys()].filter((path) => path.startsWith(exportFolder(one.accountId))),
    ).toEqual([]);
    expect(await service.db.accountExportPart.count({ where: { exportId } })).toBe(0);
  });
});

describe('an export among other accounts', () => {
  type Rows = Awaited<ReturnType<typeof readRows>>;
  const section = (table: string) => {
    const found = SECTIONS.find((one) => one.kind === 'rows' && one.table === table);
    if (found?.kind !== 'rows') throw new Error(`no section of ${table}`);
    return found;
  };

  test('reads each page of a table without end by an index of the account, in its order, and no other account’s row', async () => {
    const one = await populated('ZQPAGEZQ');
    const at = { accountId: one.accountId, after: '' };
    const tables = ['MemoryRevision', 'LedgerLine', 'Generation', 'AuditEntry'];
    const of = ({ text }: { text: string }) => text.includes('"placeInTable"');
    const { kysely, plans } = explainedQueries(service, { of, off: NO_SHORT_CUTS });
    for (const table of tables) await readRows(kysely, section(table), at);
    expect(plans).toHaveLength(tables.length);
    for (const plan of plans) {
      expect(plan).toMatch(/Index Cond: .*"accountId" = .* > /);
      expect(plan).not.toContain('Sort');
    }
  });

  test('counts what it will hold in one question', async () => {
    const one = await populated('ZQCOMPTEZQ');
    const asked: string[] = [];
    const kysely = interceptedQueries(service.connection.pool, { before: ({ label }) => asked.push(label) });
    const total = await countAll(kysely, one.accountId);
    expect(asked).toHaveLength(1);
    const { accountId } = one;
    expect(total).toBeGreaterThan(await service.db.auditEntry.count({ where: { accountId } }));
  });

  test('has every row once, those of one instant too; one that was begun by identifiers goes on by them', async () => {
    const { account } = await makeAccount(service);
    const accountId = account.id;
    const start = new Date('2026-11-20T08:00:00Z').getTime();
    const rows = Array.from({ length: 450 }, (_, n) => {
      // Three of each instant.
      const at = new Date(start + Math.floor(n / 3));
      return { id: createId('audit', at), at };
    });
    const said = { action: 'space.created', actor: 'admin', data: {}, requestId: 'req_export' };
    await service.db.auditEntry.createMany({
      data: rows.map((row) => ({ ...row, ...said, accountId })),
    });
    const ids = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; requestId: string })
        .flatMap(({ id, requestId }) => (requestId === 'req_export' ? [id] : []));
    const readFrom = async (first: string) => {
      const found: string[] = [];
      for (let after: string | null = first; after !== null; ) {
        const page: Rows = await readRows(service.kysely, section('AuditEntry'), { accountId, after });
        found.push(...(page ? ids(page.text) : []));
        after = page?.after ?? null;
      }
      return found;
    };
    const all = rows.map(({ id }) => id);
    expect(await readFrom('')).toEqual(all);
    expect(await readFrom(all[99] ?? '')).toEqual(all.slice(100));
  });
});

test('a download of an export ends at its next part for who is no founder any more', async () => {
  const one = await populated('ZQDECHUZQ');
  await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
  const { exportId } = await startExport(one.ctx());
  for (let more = true; more; )
    more = await runExport(one.ctx(), { exportId, sliceMs: 60_000, partBytes: 2_000 });
  const { body } = await openExport(one.ctx(), { exportId, range: null });
  const parts = body?.[Symbol.asyncIterator]();
  expect(await parts?.next()).toMatchObject({ done: false });
  await service.db.member.update({ where: { id: one.actor.memberId }, data: { role: 'MEMBER' } });
  await expect(parts?.next()).rejects.toMatchObject({ code: 'forbidden' });
});

test('an export whose parts a store goes on listing ends no night, and keeps its row for the next one', async () => {
  const one = await populated('ZQTENACEZQ');
  await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
  const { exportId } = await startExport(one.ctx());
  for (let more = true; more; )
    more = await runExport(one.ctx(), { exportId, sliceMs: 60_000, partBytes: 2_000 });
  const rows = () => service.db.accountExport.count({ where: { id: exportId } });
  const { ctx, heal } = nightOfStubbornStore(one, 2);
  await tidyExports(ctx);
  expect(await rows()).toBe(1);
  heal();
  await tidyExports(one.night(3));
  expect(await rows()).toBe(0);
  expect([...one.store.files.keys()].filter((path) => path.startsWith('exports/'))).toEqual([]);
});

test('an export that was given up stands in nobody’s way: another is begun before the night removes it, and it goes on no more', async () => {
  const one = await populated('ZQABANDONZQ');
  await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
  const { exportId: first } = await startExport(one.ctx());
  expect(await runExport(one.ctx(), { exportId: first, sliceMs: 0, partBytes: 300 })).toBe(true);
  await expect(startExport(one.ctx(1.99))).rejects.toMatchObject({ code: 'conflict' });
  const { exportId } = await startExport(one.ctx(2.01));
  expect(await runExport(one.ctx(2.01), { exportId: first })).toBe(false);
  expect(await runExport(one.ctx(2.01), { exportId })).toBe(false);
  expect(await listExports(one.ctx(2.01))).toMatchObject([{ id: exportId, state: 'READY' }]);
});

test('an export whose parts a store refuses to delete keeps no other from being removed', async () => {
  const one = await populated('ZQGARDEZQ');
  const other = await populated('ZQLIBREZQ', one.store);
  await service.db.accountExport.deleteMany();
  const made: string[] = [];
  for (const each of [one, other]) {
    const { exportId } = await startExport(each.ctx());
    for (let more = true; more; )
      more = await runExport(each.ctx(), { exportId, sliceMs: 60_000, partBytes: 2_000 });
    made.push(exportId);
  }
  const { delete: remove } = one.store;
  let refused = '';
  // Whichever is asked for first is the one that stays.
  one.store.delete = (pathnames, options) => {
    const folder = (pathnames[0] ?? '').split('/').slice(0, 3).join('/');
    if (refused === '') refused = folder;
    return folder === refused ? Promise.reject(new Error('503')) : remove(pathnames, options);
  };
  await expect(tidyExports(one.night(2))).rejects.toThrow('503');
  const left = await service.db.accountExport.findMany({ select: { id: true } });
  expect(left.map(({ id }) => id)).toEqual(made.filter((id) => refused.endsWith(`/${id}`)));
  expect(left).toHaveLength(1);
  one.store.delete = remove;
  expect(await tidyExports(one.night(2))).toBe(1);
});

test('exports that two nights remove at once are removed once, and end neither night', async () => {
  const one = await populated('ZQNUITSZQ');
  const { list } = one.store;
  let removed = 0;
  one.store.list = async (asked) => {
    one.store.list = list;
    removed = await tidyExports(one.night(2));
    return list(asked);
  };
  expect(await tidyExports(one.night(2))).toBe(0);
  expect(removed).toBeGreaterThan(0);
  expect(await service.db.accountExport.count({ where: { accountId: one.accountId } })).toBe(0);
});

describe('an export of which the store has lost a part', () => {
  test('is refused before the first byte, whole or by ranges, and never offered again; one that is whole says its size without being opened', async () => {
    const one = await populated('ZQPERDUZQ');
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const { exportId } = await startExport(one.ctx());
    for (let more = true; more; )
      more = await runExport(one.ctx(), { exportId, sliceMs: 60_000, partBytes: 2_000 });
    const opened = () =>
      service.db.auditEntry.count({
        where: { accountId: one.accountId, action: 'account.export_opened' },
      });
    const before = await opened();
    const { bytes } = await service.db.accountExport.findUniqueOrThrow({ where: { id: exportId } });
    const head = await openExport(one.ctx(), { exportId, range: null, head: true });
    expect(head).toMatchObject({
      status: 200,
      body: null,
      headers: { 'Content-Length': bytes.toString() },
    });
    expect(await openExport(one.ctx(), { exportId, range: 'bytes=9-20', head: true })).toMatchObject({
      status: 200,
      headers: { 'Content-Length': bytes.toString() },
    });
    expect(await opened()).toBe(before);
    // All but its first byte is a download like another; what follows goes on with it.
    for (const range of ['bytes=1-', 'bytes=2000-']) {
      expect((await openExport(one.ctx(), { exportId, range })).status).toBe(206);
      expect(await opened()).toBe(before + 1);
    }
    expect((await zipOf(one, exportId)).length).toBe(Number(bytes));
    expect(await opened()).toBe(before + 2);
    const parts = [...one.store.files.keys()].filter((path) => path.startsWith(exportFolder(one.accountId)));
    expect(parts.length).toBeGreaterThan(2);
    const last = parts.at(-1) ?? '';
    const kept = one.store.files.get(last);
    // A store whose list does not show it yet has lost nothing.
    const { list } = one.store;
    one.store.list = async (asked) => {
      const page = await list(asked);
      return { ...page, files: page.files.filter(({ pathname }) => pathname !== last) };
    };
    expect((await openExport(one.ctx(), { exportId, range: null, head: true })).status).toBe(200);
    expect(await listExports(one.ctx())).toMatchObject([{ id: exportId, state: 'READY' }]);
    one.store.list = list;
    // Cut short is as bad as gone.
    await one.store.put(last, Buffer.from('court'), { contentType: 'application/octet-stream' });
    await expect(openExport(one.ctx(), { exportId, range: 'bytes=0-10' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await listExports(one.ctx())).toMatchObject([{ id: exportId, state: 'FAILED' }]);
    if (kept) one.store.files.set(last, kept);
    await service.db.accountExport.update({ where: { id: exportId }, data: { state: 'READY' } });
    await one.store.delete([last]);
    await expect(openExport(one.ctx(), { exportId, range: null })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('a disparu'),
    });
    expect(await opened()).toBe(before + 2);
  });
});

describe('erasing a member', () => {
  test('leaves no name, address, key, session or code of theirs in any table, and what they made under a neutral name', async () => {
    const one = await populated('ZQFONDEZQ');
    const gone = await makeMember(service, one.accountId, { role: 'MEMBER', name: 'Aurélie ZQPARTIEZQ' });
    const email = 'aurelie.zqpartiezq@exemple.test';
    await service.db.member.update({ where: { id: gone.id }, data: { email } });
    const { personId } = await service.db.member.findUniqueOrThrow({ where: { id: gone.id } });
    await service.db.person.update({ where: { id: personId as string }, data: { email } });
    await service.db.signInFailure.create({ data: { email, failures: 1, updatedAt: new Date() } });
    await service.db.outboxMessage.create({
      data: { id: 'out_x', recipient: email, subject: 'Code', text: '000000', createdAt: new Date() },
    });
    await makeKey(service, gone);
    const at = new Date();
    await service.db.savedFilter.create({
      data: {
        ...{ id: createId('savedFilter'), accountId: one.accountId, memberId: gone.id },
        ...{ name: 'Filtre ZQPARTIEZQ', query: 'kind=image', createdAt: at, updatedAt: at },
      },
    });
    expect(await tablesHolding(service, 'zqpartiezq')).toEqual([
      'Member',
      'OutboxMessage',
      'Person',
      'SavedFilter',
      'SignInFailure',
    ]);
    const before = await bookFaults(service);
    expect(await eraseMember(one.ctx(), { accountId: one.accountId, memberId: gone.id })).toEqual({
      personErased: true,
    });
    expect(await tablesHolding(service, 'zqpartiezq', personId as string)).toEqual([]);
    expect(await service.db.member.findUnique({ where: { id: gone.id } })).toMatchObject({
      ...{ name: ERASED_NAME, email: null, personId: null, status: 'REMOVED' },
    });
    expect(await service.db.developerKey.count({ where: { memberId: gone.id } })).toBe(0);
    expect(await bookFaults(service)).toEqual(before);
    const said = await service.db.auditEntry.findFirst({
      where: { action: 'member.erased', subjectId: gone.id },
    });
    expect(said?.data).toEqual({ keys: 1, applications: 0, personErased: true });
  });

  test('takes nothing from the same person in another account, nor from anybody else; oneself and the last founder stay', async () => {
    const one = await populated('ZQICIZQ');
    const other = await populated('ZQLABASZQ');
    const here = await makeMember(service, one.accountId, { role: 'MEMBER' });
    const { personId: theirs } = await service.db.member.findUniqueOrThrow({
      where: { id: other.actor.memberId },
    });
    await service.db.member.update({ where: { id: here.id }, data: { personId: theirs } });
    const before = await rowsOf(other);
    expect(await eraseMember(one.ctx(), { accountId: one.accountId, memberId: here.id })).toEqual({
      personErased: false,
    });
    expect(await rowsOf(other)).toBe(before);
    expect(await service.db.person.count({ where: { id: theirs as string } })).toBe(1);
    const self = { accountId: one.accountId, memberId: one.actor.memberId };
    await expect(eraseMember(one.ctx(), self)).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      eraseMember(one.ctx(), { accountId: other.accountId, memberId: other.actor.memberId }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('somebody who was removed', () => {
  test('loses the name that stayed on demand, and is forgotten 30 days after their last visit unless they are invited somewhere', async () => {
    const one = await populated('ZQRETIREZQ');
    const { accountId } = one;
    const gone = await makeMember(service, accountId, { role: 'MEMBER', name: 'Paul ZQPARTIPAULZQ' });
    const { personId } = await service.db.member.findUniqueOrThrow({ where: { id: gone.id } });
    await service.db.person.update({
      where: { id: personId as string },
      data: { email: 'zqpartipaulzq@exemple.test' },
    });
    await removeMember(one.ctx(), { accountId, memberId: gone.id });
    expect((await listRemovedMembers(one.ctx())).map(({ id }) => id)).toEqual([gone.id]);
    await eraseMember(one.ctx(), { accountId, memberId: gone.id });
    expect(await listRemovedMembers(one.ctx())).toEqual([]);
    expect(await tablesHolding(service, 'zqpartipaulzq')).toEqual(['Person']);
    await eraseOrphanPersons(one.night(29));
    const invited = await makeMember(service, one.accountId, { role: 'MEMBER' });
    await service.db.member.update({
      where: { id: invited.id },
      data: { email: 'zqpartipaulzq@exemple.test', invitationEndsAt: new Date(Date.now() + 40 * DAY_MS) },
    });
    await eraseOrphanPersons(one.night(31));
    expect(await service.db.person.count({ where: { id: personId as string } })).toBe(1);
    const others = await service.db.person.count();
    // Nor does one keep them that is over.
    await service.db.member.update({
      where: { id: invited.id },
      data: { invitationEndsAt: new Date(Date.now() + 30 * DAY_MS) },
    });
    expect(await eraseOrphanPersons(one.night(31))).toBe(1);
    await service.db.member.update({ where: { id: invited.id }, data: { email: null } });
    expect(await tablesHolding(service, 'zqpartipaulzq')).toEqual([]);
    expect(await service.db.person.count()).toBe(others - 1);
  });
});

test('somebody who cannot be forgotten for now keeps nobody after them remembered', async () => {
  const stray = (days: number) => {
    const id = createId('person');
    const createdAt = new Date(Date.now() - days * DAY_MS);
    return service.db.person.create({ data: { id, email: `${id}@exemple.test`, createdAt } });
  };
  const [held, next] = [await stray(60), await stray(50)];
  const night = testContext(service, { type: 'system', job: 'retention' } as const);
  const holder = await service.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM "Person" WHERE "id" = $1 FOR UPDATE', [held.id]);
    await expect(eraseOrphanPersons({ ...night, lockWaitMs: 100 })).rejects.toThrow();
    const left = await service.db.person.findMany({ where: { id: { in: [held.id, next.id] } } });
    expect(left.map(({ id }) => id)).toEqual([held.id]);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect(await eraseOrphanPersons(night)).toBe(1);
});

describe('a closed account', () => {
  test('comes back whole within 30 days; after them the night leaves no byte of it but its lines, and another account loses nothing', async () => {
    const one = await populated('ZQFERMEZQ');
    const other = await populated('ZQRESTEZQ', one.store);
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await expect(closeAccount(one.ctx(), { accountId, name: 'Autre' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(closeAccount(other.ctx(), { accountId, name })).rejects.toMatchObject({ code: 'forbidden' });
    await closeAccount(one.ctx(), { accountId, name });
    expect(await eraseClosed(one.night(29.99))).toBe(0);
    await reopenAccount(one.ctx(29.99), { accountId });
    expect(await eraseClosed(one.night(31))).toBe(0);

    // What waits in the bin does not wait longer than the account.
    const binned = await service.db.upload.updateMany({
      where: { accountId },
      data: { deletedAt: new Date(), deletedBy: 'member', binnedBy: one.actor.memberId },
    });
    expect(binned.count).toBe(1);
    // An avatar of the former application, with bytes of its own.
    const own = 'avatars/visage-zqfermezq.png';
    await one.store.put(own, Buffer.from('visage'), { contentType: 'image/png' });
    await service.db.avatar.updateMany({ where: { accountId }, data: { pathname: own } });
    // And a signed document of it, in none of our folders.
    const signed = 'consentements/zqfermezq.pdf';
    await one.store.put(signed, Buffer.from('signé'), { contentType: 'application/pdf' });
    await service.db.consent.create({
      data: {
        ...{ id: createId('consent'), accountId, memberId: one.actor.memberId, pathname: signed },
        ...{ voiceId: 'voice', personName: 'ZQFERMEZQ', signedAt: new Date(), createdAt: new Date() },
      },
    });
    await closeAccount(one.ctx(), { accountId, name });
    const lines = () =>
      service.db.ledgerLine.findMany({
        where: { accountId },
        orderBy: { id: 'asc' },
        select: { id: true, amountMicros: true, heldMicros: true, kind: true, at: true, position: true },
      });
    const [before, theirs, faults] = [await lines(), await rowsOf(other), await bookFaults(service)];
    const files = [...one.store.files.keys()].filter((path) => path.includes('ZQRESTEZQ')).sort();
    // It has a row in every table that names an account: what is forgotten is told by its table, words in it or not.
    const bare = (await tablesOf(accountId)).filter(([, held]) => held === 0);
    expect(bare).toEqual([]);
    expect(await eraseClosed(one.night(30.01))).toBe(1);
    const left = (await tablesOf(accountId)).filter(
      ([table, held]) => held > 0 && !LEFT_BY_ERASURE.has(table),
    );
    expect(left).toEqual([]);
    expect(await tablesHolding(service, 'zqfermezq')).toEqual([]);
    expect([...one.store.files.keys()].sort()).toEqual(files);
    expect(await lines()).toEqual(before);
    expect(await bookFaults(service)).toEqual(faults);
    expect(await rowsOf(other)).toBe(theirs);
    expect(await service.db.account.findUnique({ where: { id: accountId } })).toMatchObject({
      name: 'Compte effacé',
    });
    expect(await service.db.member.count({ where: { accountId } })).toBe(0);
    const said = await service.db.auditEntry.findMany({ where: { accountId } });
    expect(said.map(({ action }) => action)).toEqual(['account.erased']);
    await expect(
      reopenAccount({ ...one.ctx(), actor: { type: 'admin' } }, { accountId }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await eraseClosed(one.night(60))).toBe(0);
  });

  test('of which an export is still being made leaves no part of it: whoever is at it writes nothing more', async () => {
    const one = await populated('ZQENCOREZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const { exportId } = await startExport(one.ctx(29.9));
    const slice = (days: number) => runExport(one.ctx(days), { exportId, sliceMs: 0, partBytes: 300 });
    expect(await slice(29.9)).toBe(true);
    const parts = () => [...one.store.files.keys()].filter((path) => path.startsWith('exports/'));
    expect(parts()).not.toEqual([]);
    // Its folder was emptied by now, and its rows go last.
    const { list } = one.store;
    let isMore: boolean | undefined;
    one.store.list = async (asked) => {
      if (asked.prefix.startsWith('generations/')) isMore ??= await slice(30.1);
      return list(asked);
    };
    expect(await eraseClosed(one.night(30.1))).toBe(1);
    expect(isMore).toBe(false);
    expect(parts()).toEqual([]);
  });

  test('says so by mail to its founders and to the operator’s when it closes, opens again and is gone, and to nobody else', async () => {
    const one = await populated('ZQCOURRIERZQ');
    const { accountId } = one;
    const operator = await makeAccount(service, { operator: true });
    const colleague = await makeMember(service, accountId, { role: 'MEMBER' });
    const invited = await makeMember(service, accountId, { role: 'FOUNDER' });
    await service.db.member.update({
      where: { id: invited.id },
      data: { status: 'INVITED', personId: null },
    });
    const away = await makeMember(service, accountId, { role: 'FOUNDER' });
    await service.db.member.update({ where: { id: away.id }, data: { status: 'SUSPENDED' } });
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    const founders = await service.db.member.findMany({
      where: { accountId, role: 'FOUNDER', status: 'ACTIVE' },
      select: { email: true },
    });
    const own = founders.flatMap(({ email }) => email ?? []);
    const everybody = [...own, operator.member.email ?? ''].sort();
    const said: Mail[] = [];
    const post = (mail: Mail) => said.push(mail);
    const take = () => said.splice(0).sort((a, b) => (a.to < b.to ? -1 : 1));
    await closeAccount(one.ctx(), { accountId, name }, post);
    const closed = take();
    expect(closed.map(({ to }) => to)).toEqual(everybody);
    for (const { subject, to, text } of closed) {
      expect(subject).toContain('est fermé');
      expect(text).toContain(own.includes(to) ? 'rouvrez-le d’ici là dans' : 'onglet Comptes');
    }
    await reopenAccount(one.ctx(), { accountId }, post);
    expect(take().map(({ to, subject }) => [to, subject.includes('est rouvert')])).toEqual(
      everybody.map((to) => [to, true]),
    );
    await closeAccount(one.ctx(), { accountId, name });
    expect(await eraseClosed(one.night(31), post)).toBe(1);
    expect(take().map(({ to, subject }) => [to, subject.includes('est effacé')])).toEqual(
      everybody.map((to) => [to, true]),
    );
    expect(everybody).not.toContain(colleague.email);
    expect(everybody).not.toContain(invited.email);
    expect(await tablesHolding(service, 'zqcourrierzq')).toEqual([]);
  });

  test('at which two nights are at work at once is erased, said and mailed once, and fails neither of them', async () => {
    const one = await populated('ZQDEUXNUITSZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const said: Mail[] = [];
    const post = (mail: Mail) => said.push(mail);
    const { list } = one.store;
    let meanwhile: number | undefined;
    one.store.list = async (asked) => {
      if (asked.prefix.startsWith('generations/') && meanwhile === undefined) {
        meanwhile = -1;
        meanwhile = await eraseClosed(one.night(31), post);
      }
      return list(asked);
    };
    expect(await eraseClosed(one.night(31), post)).toBe(0);
    expect(meanwhile).toBe(1);
    const entries = await service.db.auditEntry.findMany({ where: { accountId } });
    expect(entries.map(({ action }) => action)).toEqual(['account.erased']);
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said.map(({ to }) => to)).size).toBe(said.length);
    expect(await tablesHolding(service, 'zqdeuxnuitszq')).toEqual([]);
  });

  test('whose erasure is cut by a store that refuses is gone for its members, and erased by the next night', async () => {
    const one = await populated('ZQCOUPEZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const { delete: remove } = one.store;
    one.store.delete = () => Promise.reject(new Error('503'));
    await expect(eraseClosed(one.night(31))).rejects.toThrow('503');
    expect(await tablesHolding(service, 'zqcoupezq')).toContain('Memory');
    expect(await service.db.member.count({ where: { accountId, status: 'ACTIVE' } })).toBe(0);
    await expect(reopenAccount(one.ctx(), { accountId })).rejects.toMatchObject({ code: 'conflict' });
    one.store.delete = remove;
    expect(await eraseClosed(one.night(32))).toBe(1);
    expect(await tablesHolding(service, 'zqcoupezq')).toEqual([]);
  });

  test('of which a store refuses a file keeps no other account from being erased, night after night', async () => {
    const one = await populated('ZQREFUSEZQ');
    const other = await populated('ZQSUITEZQ', one.store);
    const close = async ({ accountId, ctx }: Populated, days: number) => {
      const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
      await closeAccount({ ...ctx(days), actor: { type: 'admin' } }, { accountId, name });
    };
    await close(one, 0);
    await close(other, 2);
    const { delete: remove } = one.store;
    one.store.delete = (pathnames, options) =>
      pathnames.some((pathname) => one.pathnames.includes(pathname))
        ? Promise.reject(new Error('503'))
        : remove(pathnames, options);
    await expect(eraseClosed(one.night(31))).rejects.toThrow('503');
    await expect(eraseClosed(one.night(33))).rejects.toThrow('503');
    expect(await tablesHolding(service, 'zqsuitezq')).toEqual([]);
    expect(await tablesHolding(service, 'zqrefusezq')).toContain('Memory');
    one.store.delete = remove;
    expect(await eraseClosed(one.night(34))).toBe(1);
    expect(await tablesHolding(service, 'zqrefusezq')).toEqual([]);
  });

  test('of which a store refuses twenty keep no other waiting: the next night begins after those that were tried', async () => {
    const { store, night } = await populated('ZQVINGTZQ');
    await service.pool.query(`DELETE FROM "CronCursor"`);
    const ids: string[] = [];
    for (let n = 0; n < 21; n += 1) ids.push((await makeAccount(service)).account.id);
    await service.db.account.updateMany({ where: { id: { in: ids } }, data: { closedAt: new Date() } });
    const last = ids.sort().pop() ?? '';
    const { list } = store;
    store.list = (options) =>
      ids.some((id) => options.prefix.includes(id)) ? Promise.reject(new Error('503')) : list(options);
    const isErased = async () =>
      (await service.db.account.findUniqueOrThrow({ where: { id: last } })).erasedAt !== null;
    await expect(eraseClosed(night(31))).rejects.toThrow('503');
    expect(await isErased()).toBe(false);
    await expect(eraseClosed(night(32))).rejects.toThrow('503');
    expect(await isErased()).toBe(true);
    store.list = list;
    expect(await eraseClosed(night(33))).toBe(20);
  });

  test('of which a store goes on listing what it deleted ends no night: rows wait for their files, and the next one erases it', async () => {
    const one = await populated('ZQLENTEZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const { ctx, heal } = nightOfStubbornStore(one, 31);
    expect(await eraseClosed(ctx)).toBe(0);
    expect(await tablesHolding(service, 'zqlentezq')).toContain('Memory');
    heal();
    expect(await eraseClosed(one.night(32))).toBe(1);
    expect(await tablesHolding(service, 'zqlentezq')).toEqual([]);
    expect([...one.store.files.keys()]).toEqual([]);
  });

  test('of which a store goes on listing one folder takes the night of no other', async () => {
    const one = await populated('ZQSANSFINZQ');
    const other = await populated('ZQAPRESZQ', one.store);
    for (const { accountId, ctx } of [one, other]) {
      const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
      await closeAccount(ctx(), { accountId, name });
    }
    const { list, delete: remove, put } = one.store;
    const clock = manualClock(new Date(Date.now() + 31 * DAY_MS));
    // The first folder of whichever is tried first.
    let stubborn = '';
    one.store.list = async (asked) => {
      if (stubborn === '') {
        stubborn = asked.prefix;
        await put(`${stubborn}reste`, Buffer.from('x'), { contentType: 'image/png' });
      }
      if (asked.prefix === stubborn) clock.advance(10_000);
      return list(asked);
    };
    one.store.delete = async (pathnames, options) =>
      pathnames.some((pathname) => pathname.startsWith(stubborn)) ? 'deleted' : remove(pathnames, options);
    expect(await eraseClosed({ ...one.night(), clock })).toBe(1);
    Object.assign(one.store, { list, delete: remove });
    expect(await eraseClosed(one.night(32))).toBe(1);
    expect([...one.store.files.keys()]).toEqual([]);
  });

  test('of which each night has time for one folder alone is erased in the end: what was emptied is not begun again', async () => {
    const one = await populated('ZQPASZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const { list } = one.store;
    const clock = manualClock(new Date(Date.now() + 31 * DAY_MS));
    // Folders that are empty cost nothing; each that is not takes the whole of a night.
    one.store.list = async (asked) => {
      const page = await list(asked);
      if (page.files.length > 0) clock.advance(30_000);
      return page;
    };
    let nights = 0;
    while (nights < 20 && (await eraseClosed({ ...one.night(), clock })) === 0) nights += 1;
    expect(nights).toBeGreaterThan(0);
    expect(nights).toBeLessThan(20);
    expect(await tablesHolding(service, 'zqpaszq')).toEqual([]);
  });

  test('has several of its folders emptied at once, and what was emptied beside one that a store refuses is not begun again', async () => {
    const one = await populated('ZQENSEMBLEZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const made = await service.db.generation.findMany({ where: { accountId }, select: { id: true } });
    const [refused = '', paid = ''] = made.map(({ id }) => id).sort();
    // The row of that one stays once it is emptied: a line of the ledger points at it.
    const { memberId } = one.actor;
    const held = { accountId, memberId, generationId: paid, amountMicros: 1_000n };
    expect(await reserve(service.kysely, one.ctx(), held)).toEqual({ held: true });
    const { list } = one.store;
    let asking = 0;
    let most = 0;
    one.store.list = async (asked) => {
      asking += 1;
      most = Math.max(most, asking);
      await new Promise((turn) => setImmediate(turn));
      asking -= 1;
      if (asked.prefix.includes(refused)) throw new Error('503');
      return list(asked);
    };
    await expect(eraseClosed(one.night(31))).rejects.toThrow('503');
    expect(most).toBeGreaterThan(1);
    const left = { accountId, filesDeletedBy: { not: 'erasure' } };
    const kept = { OR: [left, { accountId, filesDeletedBy: null }] };
    expect(await service.db.generation.findMany({ where: kept, select: { id: true } })).toEqual([
      { id: refused },
    ]);
    const again = new Set<string>();
    one.store.list = (asked) => {
      again.add(asked.prefix);
      return list(asked);
    };
    expect(await eraseClosed(one.night(32))).toBe(1);
    const folders = [...again].filter((prefix) => prefix.startsWith('generations/'));
    expect(folders).toEqual([`generations/${refused}/`]);
    expect([...one.store.files.keys()]).toEqual([]);
  });

  test('is erased by nobody before its day: the database refuses the application, whatever it sets', async () => {
    const one = await populated('ZQAVANTZQ');
    const { accountId } = one;
    const erase = sql`select erase_account(${accountId}, now())`;
    await expect(erase.execute(service.kysely)).rejects.toThrow('is not being erased');
    await expect(
      service.db.account.update({
        where: { id: accountId },
        data: { closedAt: new Date(), erasingAt: new Date(Date.now() + 29 * DAY_MS) },
      }),
    ).rejects.toThrow();
    expect(await service.db.account.findUniqueOrThrow({ where: { id: accountId } })).toMatchObject({
      closedAt: null,
      erasingAt: null,
    });
    await expect(
      service.kysely.transaction().execute(async (tx) => {
        await sql`select set_config('atelier.erasing', ${accountId}, true)`.execute(tx);
        await tx.deleteFrom('AuditEntry').where('accountId', '=', accountId).execute();
      }),
    ).rejects.toThrow(/append-only|permission denied/);
    expect(await service.db.auditEntry.count({ where: { accountId } })).toBeGreaterThan(0);
  });

  test('is looked for each night by the index of those that are closed, however many are not', async () => {
    const one = await populated('ZQINDEXZQ');
    const of = ({ text }: { text: string }) => /^(update|select "id" from) "Account"/.test(text);
    const { kysely, plans } = explainedQueries(service, { of, off: ['enable_seqscan'] });
    // No time for any of them: what an earlier test left stays.
    await eraseClosed({ ...one.night(), kysely }, undefined, new TimeLimit(0, () => 0));
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toContain('"Account_closed"');
  });
});

test('an export that can still be opened is listed, however many were begun after it', async () => {
  const { account, member, actor } = await makeAccount(service);
  const now = new Date();
  const made = Array.from({ length: 8 }, (_, n) => ({
    ...{ id: createId('accountExport'), accountId: account.id, memberId: member.id, cursor: {}, total: 1 },
    ...{ state: n === 0 ? ('READY' as const) : ('FAILED' as const), updatedAt: now },
    ...{ createdAt: new Date(now.getTime() + n), expiresAt: new Date(now.getTime() + 3_600_000) },
  }));
  await service.db.accountExport.createMany({ data: made });
  const listed = await listExports(testContext(service, actor, { clock: { now: () => now } }));
  expect(listed.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
  await service.db.accountExport.deleteMany({ where: { accountId: account.id } });
});
