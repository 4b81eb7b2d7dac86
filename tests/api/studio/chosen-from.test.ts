import { beforeAll, expect, test } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { listAvatars } from '#lib/storage/assets/avatars.ts';
import { listConceptNames } from '#lib/storage/assets/concepts.ts';
import { addAsset, filesScene } from '#tests/factories/files/files.ts';
import { useApi } from '#tests/setup/api.ts';
import { type Action, discoverActions } from '../hostile/actions.ts';
import { signInAs } from '../hostile/next-request.ts';

const service = useApi({ poolMax: 10 });

let actions: Action[] = [];
beforeAll(async () => {
  actions = await discoverActions();
});
const find = (action: string): Action => {
  const found = actions.find(({ name }) => name.endsWith(action));
  if (!found) throw new Error(`no action ends with ${action}`);
  return found;
};

test('the avatars to choose a reference from are all those of the product and of none, page after page', async () => {
  const scene = await filesScene(service);
  const { owner } = scene;
  const asset = await addAsset(scene);
  const avatar = (productId: string, n: number) => ({
    id: createId('avatar'),
    accountId: owner.accountId,
    memberId: owner.memberId,
    productId,
    assetId: asset.id,
    name: `Visage ${n}`,
    pathname: asset.pathname,
    createdAt: new Date(n),
  });
  const mine = Array.from({ length: 230 }, (_, n) => avatar(n % 2 ? 'libre' : 'lumen-bougies', n));
  await service.db.avatar.createMany({ data: [...mine, avatar('lumen-parfums', 1_000)] });
  await signInAs(service, owner);
  const list = find('composer/fields/actions.ts listFaces');
  const names: string[] = [];
  let before: string | undefined;
  do {
    const { data } = (await list.call({ productId: 'lumen-bougies', before })) as {
      data: { files: { ref: string; name: string }[]; nextBefore: string | null };
    };
    expect(data.files.length).toBeLessThanOrEqual(24);
    names.push(...data.files.map(({ name }) => name));
    before = data.nextBefore ?? undefined;
  } while (before);
  expect(names).toEqual(mine.map(({ name }) => name).toReversed());
});

test('the concepts to attach a file to are all those of its product, the older ones when they are asked for', async () => {
  const { ctx, owner } = await filesScene(service);
  const concept = (productId: string, n: number) => ({
    id: createId('concept'),
    accountId: owner.accountId,
    memberId: owner.memberId,
    productId,
    name: `Concept ${n}`,
    note: '',
    createdAt: new Date(n),
    updatedAt: new Date(n),
  });
  const mine = Array.from({ length: 410 }, (_, n) => concept('libre', n));
  await service.db.concept.createMany({ data: [...mine, concept('lumen-bougies', 1_000)] });
  await signInAs(service, owner);
  const names: string[] = [];
  let shown = await listConceptNames(ctx, { productId: 'libre' });
  const sizes = [shown.concepts.length];
  names.push(...shown.concepts.map(({ name }) => name));
  while (shown.hasOlder) {
    const before = shown.concepts.at(-1)?.id;
    const answer = await find('journal/actions.ts listOlderConcepts').call({ productId: 'libre', before });
    shown = (answer as { data: typeof shown }).data;
    sizes.push(shown.concepts.length);
    names.push(...shown.concepts.map(({ name }) => name));
  }
  expect(sizes).toEqual([200, 200, 10]);
  expect(names).toEqual(mine.map(({ name }) => name).toReversed());
});

test('a file that is an avatar is known as one, however many were kept since', async () => {
  const scene = await filesScene(service);
  const { ctx, owner } = scene;
  const [kept, other] = [await addAsset(scene), await addAsset(scene)];
  const of = (asset: typeof kept, n: number) => ({
    id: createId('avatar'),
    accountId: owner.accountId,
    memberId: owner.memberId,
    productId: 'libre',
    assetId: asset.id,
    name: `Visage ${n}`,
    pathname: asset.pathname,
    createdAt: new Date(n),
  });
  await service.db.avatar.createMany({
    data: [of(kept, 0), ...Array.from({ length: 200 }, (_, n) => of(other, n + 1))],
  });
  expect(await listAvatars(ctx, { assetIds: [kept.id] })).toMatchObject([{ assetId: kept.id }]);
});
