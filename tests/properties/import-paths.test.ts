import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readUpload } from '#lib/brain/imports/documents/upload.ts';
import { getImport, startImport } from '#lib/brain/imports/jobs.ts';
import { isLeftByTools } from '#lib/brain/imports/parse/left-by-tools.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { sentFiles, uploadOf } from '#tests/factories/files/upload-paths.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('whatever the paths, each file is a Memory or is named in the report, and the same files again change nothing', async () => {
  const { account, actor } = await makeAccount(service, { capacityCu: 1_000_000 });
  const ctx = testContext(service, actor);
  await fc.assert(
    fc.asyncProperty(sentFiles, async (files) => {
      const { id: spaceId } = await makeSpace(service, account.id);
      const live = () =>
        service.db.memory.findMany({
          where: { spaceId, deletedAt: null },
          orderBy: { id: 'asc' },
          select: { id: true, title: true, body: true, version: true, parentId: true, importKey: true },
        });
      const bring = async () => {
        const read = await readUpload(await uploadOf(files), { pillar: 'KNOWLEDGE' });
        if (read.drafts.length === 0) return null;
        const { jobId } = await startImport(ctx, { spaceId, label: 'essai', source: 'UPLOAD', ...read });
        expect(await runImport(ctx, { jobId })).toBe(true);
        return getImport(ctx, { jobId });
      };
      const isText = (path: string) => !/\.png$/i.test(path);
      const texts = files.filter(({ path }) => isText(path) && !isLeftByTools(path.split(/[\\/]/)));
      const others = files.filter(({ path }) => !isText(path) && !isLeftByTools(path.split(/[\\/]/)));
      const first = await bring();
      if (!first) {
        // Pictures alone: there is nothing to import.
        expect(texts).toEqual([]);
        return;
      }
      expect(first).toMatchObject({ state: 'DONE', created: texts.length, updated: 0, unchanged: 0 });
      const written = await live();
      const said = written.map(({ body }) => body).join('\n');
      expect(texts.filter(({ word }) => !new RegExp(`${word}\\b`).test(said))).toEqual([]);
      // Of several pictures in archives under one path nothing is read: they are named once.
      expect(first.refused.every(({ path }) => !isText(path))).toBe(true);
      expect(first.refused.length > 0).toBe(others.length > 0);
      const again = await bring();
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: texts.length });
      expect(again?.refused).toEqual(first.refused);
      expect(await live()).toEqual(written);
    }),
    { numRuns: 40, examples: [[[{ path: 'Note.png', archive: null, word: 'mot0' }]]] },
  );
});

const ID = '0123456789abcdef0123456789abcdef';
const OTHER_ID = [...ID].reverse().join('');
/** Files of one import: each page of Notion once, whatever else has its name. */
const versions = fc.uniqueArray(
  fc.record({
    folder: fc.constantFrom('', '', 'D/', 'd/', 'Note/'),
    name: fc.constantFrom(
      'Note',
      'note',
      'NOTE',
      'Autre',
      'é',
      'e\u0301',
      'É',
      `Note ${ID}`,
      `Note ${OTHER_ID}`,
      `Autre ${ID}`,
      `note ${OTHER_ID}`,
    ),
    ending: fc.constantFrom('.md', '.md', '.MD', '.txt'),
    version: fc.nat(2),
  }),
  {
    selector: ({ folder, name, ending }) =>
      /[0-9a-f]{32}$/.test(name) ? name.slice(-32) + ending.toLowerCase() : folder + name + ending,
    minLength: 1,
    maxLength: 6,
  },
);

it('whatever comes, goes or is written anew between imports, none of its files is lost, and one that came unchanged stays the same Memory', async () => {
  const { account, actor } = await makeAccount(service, { capacityCu: 1_000_000 });
  const ctx = testContext(service, actor);
  await fc.assert(
    fc.asyncProperty(fc.array(versions, { minLength: 2, maxLength: 3 }), async (imports) => {
      const { id: spaceId } = await makeSpace(service, account.id);
      let before = new Map<string, string>();
      for (const files of imports) {
        const texts = files.map(({ folder, name, ending, version }) => {
          const path = `${folder}${name}${ending}`;
          return { path, body: `Texte ${version} de ${path}.` };
        });
        const upload = texts.map(({ path, body }) => ({ name: path, bytes: new TextEncoder().encode(body) }));
        const read = await readUpload(upload, { pillar: 'KNOWLEDGE' });
        const { jobId } = await startImport(ctx, { spaceId, label: 'essai', source: 'UPLOAD', ...read });
        expect(await runImport(ctx, { jobId })).toBe(true);
        const rows = await service.db.memory.findMany({
          where: { spaceId, deletedAt: null },
          orderBy: { id: 'asc' },
        });
        const ids = new Map(rows.map(({ id, body }) => [body, id]));
        expect(texts.filter(({ body }) => !ids.has(body))).toEqual([]);
        const now = new Map(texts.map(({ body }) => [body, ids.get(body) as string]));
        expect([...now].filter(([body, id]) => before.has(body) && before.get(body) !== id)).toEqual([]);
        before = now;
      }
    }),
    { numRuns: 25 },
  );
});
