import { expect, it } from 'vitest';
import { deleteFilter } from '#lib/studio/saved-filters/delete-filter.ts';
import { listFilters } from '#lib/studio/saved-filters/list-filters.ts';
import { renameFilter } from '#lib/studio/saved-filters/rename-filter.ts';
import { saveFilter } from '#lib/studio/saved-filters/save-filter.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const names = async (ctx: Parameters<typeof listFilters>[0]) =>
  (await listFilters(ctx)).map(({ name, query }) => `${name}: ${query}`);

it('filters are listed as people count them: « Semaine 9 » before « Semaine 10 », « Élan » before « Zinc »', async () => {
  const { ctx } = await studioScene(service);
  for (const name of ['Zinc', 'Semaine 10', 'Élan', 'Semaine 9'])
    await saveFilter(ctx, { name, query: 'kind=image' });
  const order = ['Élan', 'Semaine 9', 'Semaine 10', 'Zinc'];
  expect((await listFilters(ctx)).map(({ name }) => name)).toEqual(order);
});

it('a member keeps, renames and forgets filters of their own; nobody else sees nor touches them', async () => {
  const { ctx } = await studioScene(service);
  const stranger = (await studioScene(service)).ctx;
  const other = await makeMember(service, ctx.actor.accountId, { role: 'MEMBER', permissions: ['generate'] });
  const colleague = { ...ctx, actor: memberActor(other) };
  const kept = await saveFilter(ctx, {
    name: '  Images  ratées ',
    query: 'vue=table&status=failed&kind=image',
  });
  // The filters alone, in their order: neither the view nor anything else.
  expect(await names(ctx)).toEqual(['Images ratées: status=failed&kind=image']);
  await saveFilter(ctx, { name: 'Images ratées', query: 'kind=image' });
  await saveFilter(ctx, { name: 'Vidéos', query: 'kind=video' });
  expect(await names(ctx)).toEqual(['Images ratées: kind=image', 'Vidéos: kind=video']);
  await expect(renameFilter(ctx, { savedFilterId: kept.id, name: 'Vidéos' })).rejects.toMatchObject({
    code: 'invalid',
  });
  await renameFilter(ctx, { savedFilterId: kept.id, name: 'Images' });
  for (const who of [stranger, colleague]) {
    expect(await names(who)).toEqual([]);
    await expect(renameFilter(who, { savedFilterId: kept.id, name: 'À moi' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(deleteFilter(who, { savedFilterId: kept.id })).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await deleteFilter(ctx, { savedFilterId: kept.id })).toMatchObject({ name: 'Images' });
  expect(await names(ctx)).toEqual(['Vidéos: kind=video']);
});

it('what is no filter of the journal, a name of nothing and the twenty-first filter are refused in French', async () => {
  const { ctx } = await studioScene(service);
  for (const query of ['', 'kind=licorne', 'limit=3', 'vue=table'])
    await expect(saveFilter(ctx, { name: 'Filtre', query })).rejects.toMatchObject({
      code: 'invalid',
      options: { problems: [{ field: 'query' }] },
    });
  for (const name of [' ', 'a'.repeat(61)])
    await expect(saveFilter(ctx, { name, query: 'kind=image' })).rejects.toMatchObject({
      options: { problems: [{ field: 'name' }] },
    });
  for (let at = 0; at < 19; at += 1) await saveFilter(ctx, { name: `Filtre ${at}`, query: 'kind=image' });
  // One that comes while the twentieth is being written waits for it, and is counted after it.
  const meanwhile: Promise<string>[] = [];
  const kysely = interceptedQueries(service.pool, {
    async before({ label }) {
      if (label !== 'commit') return;
      const late = saveFilter(ctx, { name: 'Trop tard', query: 'kind=image' });
      meanwhile.push(late.then(({ name }) => name).catch(({ code }) => code));
      await Promise.race([untilBlocked(service), ...meanwhile]);
    },
  });
  const last = await saveFilter({ ...ctx, kysely }, { name: 'Le dernier', query: 'kind=image' });
  expect(await Promise.all(meanwhile)).toEqual(['conflict']);
  await deleteFilter(ctx, { savedFilterId: last.id });
  // The twentieth, whoever of eight at once it is.
  const settled = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => saveFilter(ctx, { name: `Dernier ${at}`, query: 'kind=image' })),
  );
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(saveFilter(ctx, { name: 'De trop', query: 'kind=image' })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect((await listFilters(ctx)).length).toBe(20);
  expect(await service.db.savedFilter.count({ where: { memberId: ctx.actor.memberId } })).toBe(20);
  const reader = await makeMember(service, ctx.actor.accountId, { role: 'MEMBER', permissions: [] });
  await expect(
    saveFilter({ ...ctx, actor: memberActor(reader) }, { name: 'Filtre', query: 'kind=image' }),
  ).rejects.toMatchObject({ code: 'forbidden' });
});

it('two names given crosswise in two tabs: one waits for the other, and each is told that its name is taken', async () => {
  const { ctx } = await studioScene(service);
  const images = await saveFilter(ctx, { name: 'Images', query: 'kind=image' });
  const videos = await saveFilter(ctx, { name: 'Vidéos', query: 'kind=video' });
  const isTaken = (renaming: Promise<unknown>) =>
    expect(renaming).rejects.toMatchObject({ code: 'invalid', options: { problems: [{ field: 'name' }] } });
  const meanwhile: Promise<unknown>[] = [];
  const kysely = interceptedQueries(service.pool, {
    async before({ text }) {
      if (!text.startsWith('update "SavedFilter"')) return;
      meanwhile.push(isTaken(renameFilter(ctx, { savedFilterId: videos.id, name: 'Images' })));
      await untilBlocked(service);
    },
  });
  await isTaken(renameFilter({ ...ctx, kysely }, { savedFilterId: images.id, name: 'Vidéos' }));
  await Promise.all(meanwhile);
  expect([meanwhile.length, await names(ctx)]).toEqual([1, ['Images: kind=image', 'Vidéos: kind=video']]);
});
