import { describe, expect, it } from 'vitest';
import { openFile } from '#lib/storage/serving/open-file.ts';
import { exportJournal } from '#lib/studio/journal/export-journal.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { listGenerations } from '#lib/studio/journal/list-generations.ts';
import { listGenerationsById } from '#lib/studio/journal/list-generations-by-id.ts';
import { addAsset, addGeneration, DAY_MS, filesScene, night } from '#tests/factories/files/files.ts';
import { studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

let scenes = 0;

/** A generation of two images of a month and more ago, the second approved. */
async function scene() {
  const s = await filesScene(service);
  const { studio } = (await studioScene(service)).ctx;
  scenes += 1;
  const folder = (name: string) => `generations/old-${scenes}/${name}.png`;
  const artifacts = ['a', 'b'].map((name) => ({
    pathname: folder(name),
    contentType: 'image/png',
    bytes: 12,
  }));
  const generationId = await addGeneration(s, { ageDays: 31, artifacts });
  const first = await addAsset(s, { generationId, ageDays: 31, pathname: folder('a') });
  const second = await addAsset(s, {
    generationId,
    ageDays: 31,
    pathname: folder('b'),
    state: 'APPROVED',
  });
  return { s, ctx: { ...s.ctx, studio }, generationId, first, second };
}

const ASKED = { range: null, ifRange: null, ifNoneMatch: null, download: false, withoutBody: true };

describe('a file that went while another of its generation is kept', () => {
  it('keeps its place and says since when it is gone, in each answer that lists it; the other is there', async () => {
    const { s, ctx, generationId, first, second } = await scene();
    const there = [null, null];
    const places = async () => {
      const page = (await listGenerations(ctx, { limit: 10 })).generations;
      const named = await listGenerationsById(ctx, { generationIds: [generationId] });
      const one = await getGeneration(ctx, { generationId });
      expect([...page, ...named]).toEqual([one, one]);
      expect(one.files.map(({ pathname }) => pathname)).toEqual([first.pathname, second.pathname]);
      return one.files.map(({ deletedAt }) => deletedAt);
    };
    expect(await places()).toEqual(there);
    expect(await night(s)).toMatchObject({ assets: { expired: 1 } });
    expect(await places()).toEqual([s.clock.now().toISOString(), null]);
    for (const [{ pathname }, code] of [
      [first, 'not_found'],
      [second, null],
    ] as const) {
      const opened = await openFile(ctx, { ...ASKED, pathname }).then(
        () => null,
        (error: { code: string }) => error.code,
      );
      expect(opened).toBe(code);
    }
  });

  it('is told as gone from the moment that retention has decided, as its address answers', async () => {
    const { s, ctx, generationId, first } = await scene();
    const at = s.clock.now();
    await service.db.asset.update({ where: { id: first.id }, data: { expiringAt: at } });
    const { files } = await getGeneration(ctx, { generationId });
    expect(files.map(({ deletedAt }) => deletedAt)).toEqual([at.toISOString(), null]);
  });

  it('is not counted among the files of its line in the table of the journal', async () => {
    const { s, ctx } = await scene();
    s.clock.advance(DAY_MS);
    await night(s);
    let table = '';
    for await (const piece of await exportJournal(ctx, { filters: {} })) table += piece;
    const [head = [], line = []] = table.split('\r\n').map((text) => text.split(';'));
    expect(line[head.indexOf('Fichiers')]).toBe('1');
    // Nor is what was said of it: the one that is left was approved.
    expect(line[head.indexOf('Vérification')]).toBe('Approuvé');
  });
});
