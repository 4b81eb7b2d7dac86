import { expect, it } from 'vitest';
import { importFiles } from '#lib/brain/imports/import-files.ts';
import { getImport } from '#lib/brain/imports/jobs.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('an import of one file bears its name, one of several says how many, and one of none is refused', async () => {
  const { account, actor } = await makeAccount(service);
  const { id: spaceId } = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const importing = async (...names: string[]) => {
    const form = new FormData();
    form.append('pillar', 'ITEMS');
    for (const name of names) form.append('files', new File([`# ${name}\n\nCalme.`], name));
    const sent = new Response(form);
    const contentType = sent.headers.get('content-type') ?? '';
    const bytes = new Uint8Array(await sent.arrayBuffer());
    return getImport(ctx, await importFiles(ctx, { spaceId, contentType, bytes }));
  };
  expect(await importing('ton.md')).toMatchObject({ label: 'ton.md', total: 1 });
  expect(await importing('ton.md', 'voix.md')).toMatchObject({ label: '2 fichiers', total: 2 });
  await expect(importing()).rejects.toMatchObject({ code: 'invalid' });
  expect(await service.db.importJob.count({ where: { spaceId } })).toBe(2);
});
