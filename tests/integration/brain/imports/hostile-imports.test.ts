import { describe, expect, it } from 'vitest';
import { readPageInChild, readUploadInChild } from '#lib/brain/imports/child-process/read-in-child.ts';
import { importFiles } from '#lib/brain/imports/import-files.ts';
import { getImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import type { HostileFile } from '#tests/factories/files/hostile-documents.ts';
import { endlessPdfs, hostileFiles, hostilePages } from '#tests/factories/files/hostile-files.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';
import { peakOfChildren } from '#tests/factories/watching/peak-memory.ts';
import { useTestService } from '#tests/setup/service.ts';

const GOOD = { name: 'bon.md', bytes: Buffer.from('# Hospitalité\n\nUn texte honnête sur la lanterne.') };
/** The service's promise to everybody else (rule C-9). */
const MOST_HELD_MS = 100;
const LIMITS = {
  heapMb: 512,
  timeoutMs: 60_000,
  totalMs: 170_000,
  maxOutputBytes: 160 * 1024 * 1024,
  budgetMs: 60_000,
};

async function formOf(
  files: readonly HostileFile[],
): Promise<{ accountId: string; contentType: string; bytes: Uint8Array }> {
  const form = new FormData();
  for (const { name, bytes } of files) form.append('files', new File([Uint8Array.from(bytes)], name));
  const request = new Response(form);
  return {
    accountId: 'acc_x',
    contentType: request.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await request.arrayBuffer()),
  };
}

/** What a file that ends needs here and now, three times over: one that never ends costs a processor all of it. */
async function patienceMs(): Promise<number> {
  const form = await formOf([GOOD]);
  const startedAt = performance.now();
  expect((await readUploadInChild(form, LIMITS)).ok).toBe(true);
  return Math.min(20_000, Math.max(1_500, 3 * (performance.now() - startedAt)));
}

/**
 * Reads a form with endless PDFs and a good file in it: again, twice at most and with twice the time, where a machine that was held let
 * that file, or the start of the reader, pass its time too.
 */
async function readBeside(limits: Partial<typeof LIMITS> = {}) {
  const form = await formOf([...endlessPdfs(), GOOD]);
  const timeoutMs = await patienceMs();
  for (let tries = 1; ; tries += 1) {
    const patience = { timeoutMs: Math.min(20_000, timeoutMs * 2 ** (tries - 1)) };
    const read = await longestHold(() => readUploadInChild(form, { ...LIMITS, ...patience, ...limits }));
    if (tries === 3 || (read.result.ok && read.result.drafts.length > 0)) return read;
  }
}

describe('files made to harm their reader', () => {
  it('never hold the loop for 100 ms, and each is read or refused with a reason, the good file beside them read', async () => {
    const files = hostileFiles();
    expect(files.length).toBeGreaterThanOrEqual(60);
    const form = await formOf([...files, GOOD]);
    const startedAt = performance.now();
    const measured = await longestHold(() => peakOfChildren(() => readUploadInChild(form, LIMITS)));
    const { heldMs } = measured;
    const { result, peakMb } = measured.result;
    console.log(
      `hostile corpus: ${files.length} files, ${Math.round(form.bytes.length / 1e6)} MB in one form, read in ` +
        `${((performance.now() - startedAt) / 1000).toFixed(0)} s; loop held ${heldMs.toFixed(0)} ms at worst; reading process ${peakMb} MB at worst`,
    );
    expect(heldMs).toBeLessThan(MOST_HELD_MS);
    if (!result.ok) throw new Error(result.reason);
    expect(result.drafts.find(({ key }) => key === GOOD.name)).toMatchObject({ title: 'Hospitalité' });
    const told = new Set(
      [...result.drafts, ...result.refused].map((one) => ('key' in one ? one.key : one.path)),
    );
    // The identifier that Notion puts in a name is no part of what is told.
    const readable = (name: string) => name.replace(/ [0-9a-f]{32}(?=\.md$)/, '');
    const isTold = ({ name }: HostileFile) =>
      [...told].some((path) => path === readable(name) || path.startsWith(`${readable(name)}#`));
    // What an archive holds is told by its own name.
    expect(files.filter((file) => !isTold(file) && !/^(zeros|inner)\.zip$/.test(file.name))).toEqual([]);
    for (const { reason } of result.refused) expect(reason).not.toMatch(/trop de (temps|mémoire)/);
  });

  it('that are never finished are each refused for their time, and the others are read without them', async () => {
    const { result, heldMs } = await readBeside();
    expect(heldMs).toBeLessThan(MOST_HELD_MS);
    if (!result.ok) throw new Error(result.reason);
    const reason = 'La lecture de ce fichier prend trop de temps.';
    expect(result.refused).toEqual(endlessPdfs().map(({ name }) => ({ path: name, reason })));
    expect(result.drafts.map(({ title }) => title)).toEqual(['Hospitalité']);
  });

  it('past the time of one import cost no more than the PDFs that were left', async () => {
    const { result } = await readBeside({ budgetMs: 0 });
    if (!result.ok) throw new Error(result.reason);
    expect(result.refused.map(({ reason }) => reason)).toEqual([
      'La lecture de ce fichier prend trop de temps.',
      'Cet envoi a pris trop de temps\u00a0: ce PDF n’a pas été lu, envoyez-le seul.',
    ]);
    expect(result.drafts.map(({ title }) => title)).toEqual(['Hospitalité']);
  });

  it('that exhaust the memory of their reader are refused for it', async () => {
    const form = await formOf([{ name: 'long.txt', bytes: Buffer.alloc(20_000_000, 'mot\n\n') }, GOOD]);
    const result = await readUploadInChild(form, { ...LIMITS, heapMb: 24 });
    if (!result.ok) throw new Error(result.reason);
    expect(result.refused).toEqual([
      { path: 'long.txt', reason: 'Ce fichier est trop lourd pour être lu\u00a0: divisez-le.' },
    ]);
    expect(result.drafts.map(({ title }) => title)).toEqual(['Hospitalité']);
  });

  it('that say more than an import may hold are refused whole', async () => {
    const form = await formOf([{ name: 'long.txt', bytes: Buffer.alloc(1_000_000, 'mot\n\n') }, GOOD]);
    expect(await readUploadInChild(form, { ...LIMITS, maxOutputBytes: 500_000 })).toEqual({
      ok: false,
      reason: 'Cet envoi contient plus de texte qu’un import n’en prend.',
    });
  });

  it('as pages neither hold the loop nor fail otherwise than by a reason', async () => {
    const worst = { heldMs: 0, peakMb: 0 };
    for (const { name, ...page } of hostilePages()) {
      const fetched = {
        ...page,
        accountId: 'acc_x',
        charset: undefined,
        finalUrl: `https://exemple.fr/${name}/%zz`,
      };
      const measured = await longestHold(() =>
        peakOfChildren(() => readPageInChild(fetched, 'KNOWLEDGE', LIMITS)),
      );
      const { heldMs } = measured;
      const { result, peakMb } = measured.result;
      worst.heldMs = Math.max(worst.heldMs, heldMs);
      worst.peakMb = Math.max(worst.peakMb, peakMb);
      expect(heldMs, name).toBeLessThan(MOST_HELD_MS);
      const reason = result.ok ? 'Cette page est lue.' : result.reason;
      expect(reason, name).toMatch(/^(Cette page|Ce PDF|Ce fichier|La lecture de cette page) .+\.$/);
    }
    expect(hostilePages().length).toBeGreaterThan(5);
    console.log(
      `hostile pages: ${hostilePages().length}; loop held ${worst.heldMs.toFixed(0)} ms at worst; reading process ${worst.peakMb} MB at worst`,
    );
  });

  it('that are no form, or too many files, are refused whole', async () => {
    const broken = {
      accountId: 'acc_x',
      contentType: 'multipart/form-data; boundary=x',
      bytes: Buffer.from('--y'),
    };
    expect(await readUploadInChild(broken)).toEqual({ ok: false, reason: 'Cet envoi n’a pas pu être lu.' });
    const many = Array.from({ length: 2_001 }, (_, i) => ({ name: `${i}.md`, bytes: Buffer.from('x') }));
    expect(await readUploadInChild(await formOf(many))).toMatchObject({ ok: false });
  });
});

const service = useTestService();

describe('an import that holds files made to harm', () => {
  it('starts no process for a Space that is not there, nor for what is no form', async () => {
    const { account, actor } = await makeAccount(service);
    const space = await makeSpace(service, account.id);
    const ctx = testContext(service, actor);
    const refusal = (input: Parameters<typeof importFiles>[1]) =>
      peakOfChildren(() => importFiles(ctx, input).catch(({ code }: { code: string }) => code));
    const form = await formOf([GOOD]);
    expect(await refusal({ spaceId: 'spc_x', ...form })).toEqual({ result: 'not_found', peakMb: 0 });
    expect(await refusal({ spaceId: space.id, ...form, contentType: 'text/plain' })).toEqual({
      result: 'invalid',
      peakMb: 0,
    });
  });

  it('writes the good ones, tells the others, is found again by its account, and lets everybody else be served meanwhile', async () => {
    const { account, actor } = await makeAccount(service, { capacityCu: 20_000 });
    const space = await makeSpace(service, account.id);
    const ctx = testContext(service, actor);
    const harmful = hostileFiles().filter(({ name }) =>
      /^(newlines|many-keys|cut|saves|arrays|self|not-utf8|nul|spaces|distinct-headings|one-line)\./.test(
        name,
      ),
    );
    expect(harmful.length).toBeGreaterThan(9);
    const form = await formOf([...harmful, GOOD]);
    const { result: job, heldMs } = await longestHold(async () => {
      const { jobId } = await importFiles(ctx, { spaceId: space.id, ...form });
      await runImport(ctx, { jobId });
      return getImport(ctx, { jobId });
    });
    expect(heldMs).toBeLessThan(MOST_HELD_MS);
    expect(job).toMatchObject({ state: 'DONE', capacityFull: false });
    expect(job.refused.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['cut.zip', 'nul.md', 'not-utf8.md', 'distinct-headings.md']),
    );
    const found = await searchMemories(ctx, { q: 'lanterne', limit: 5 });
    expect(found.data.map(({ title }) => title)).toEqual(['Hospitalité']);
  });
});
