import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { listExports, openExport, startExport } from '#lib/storage/offboarding/exports.ts';
import { runExport } from '#lib/storage/offboarding/run-export.ts';
import { countAll, readRows, SECTIONS } from '#lib/storage/offboarding/sections.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { explainedQueries, NO_SHORT_CUTS } from '#tests/factories/statements/explained-queries.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';
import { entriesOf, exportParts, populated, zipOf } from './populated.ts';

const service = useTestService({ poolMax: 8 });

describe('the export of an account', () => {
  test('made in slices as small as one wants, is the same zip: every row but secrets, every file, nothing of another account', async () => {
    const one = await populated(service, 'ZQEXPORTZQ');
    await populated(service, 'ZQVOISINEZQ', one.store);
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
    const one = await populated(service, 'ZQMORTZQ');
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
    const one = await populated(service, 'ZQDOUBLEZQ');
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const { exportId } = await startExport(one.ctx());
    const parts = () => exportParts(one);
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
    const one = await populated(service, 'ZQRELAISZQ');
    await service.db.accountExport.deleteMany({ where: { accountId: one.accountId } });
    const { exportId } = await startExport(one.ctx());
    const parts = () => exportParts(one);
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
});

describe('an export among other accounts', () => {
  type Rows = Awaited<ReturnType<typeof readRows>>;
  const section = (table: string) => {
    const found = SECTIONS.find((one) => one.kind === 'rows' && one.table === table);
    if (found?.kind !== 'rows') throw new Error(`no section of ${table}`);
    return found;
  };

  test('reads each page of a table without end by an index of the account, in its order, and no other account’s row', async () => {
    const one = await populated(service, 'ZQPAGEZQ');
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
    const one = await populated(service, 'ZQCOMPTEZQ');
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
