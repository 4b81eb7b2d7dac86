import { expect, it } from 'vitest';
import { type FileRequest, openFile } from '#lib/storage/serving/open-file.ts';
import { addAsset, addUpload, filesScene } from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

const asked = (pathname: string, more: Partial<FileRequest>): FileRequest => ({
  pathname,
  range: null,
  ifRange: null,
  ifNoneMatch: null,
  download: false,
  withoutBody: false,
  ...more,
});

it('a file that is written again while it is opened is told by the ETag of the bytes that are given', async () => {
  const s = await filesScene(service);
  const { pathname } = await addAsset(s, { content: 'first bytes' });
  const { open } = s.store;
  let opened = 0;
  s.store.open = async (...given) => {
    opened += 1;
    if (opened === 2) await s.store.put(pathname, Buffer.from('other bytes'), { contentType: 'image/png' });
    return open(...given);
  };
  const answer = await openFile(s.ctx, asked(pathname, { range: 'bytes=0-4', ifRange: '"of-before"' }));
  expect([answer.status, await new Response(answer.body).text(), opened]).toEqual([200, 'other bytes', 2]);
  const now = await s.store.head(pathname);
  expect(answer.headers.ETag).toBe(`"${now?.etag.replaceAll('"', '')}"`);
});

it('a file that a member sent is given until it goes, and not while retention is about to take it', async () => {
  const s = await filesScene(service);
  const { id, pathname } = await addUpload(s);
  const answer = await openFile(s.ctx, asked(pathname, {}));
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
  await service.db.upload.update({ where: { id }, data: { expiringAt: s.clock.now() } });
  await expect(openFile(s.ctx, asked(pathname, {}))).rejects.toMatchObject({ code: 'not_found' });
});
