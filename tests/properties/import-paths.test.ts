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
      if (!first) return expect(texts).toEqual([]);
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
    { numRuns: 40 },
  );
});
