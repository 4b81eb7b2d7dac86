import { expect, it } from 'vitest';
import { listProducts } from '#lib/products/list-products.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import { makeAccount, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('the Space that a product names is told to who was given it; who was given others is told neither its name nor that it is gone', async () => {
  const now = new Date();
  await service.db.account.create({
    data: { id: DEMO_ACCOUNT_ID, name: 'Maison Lumen', createdAt: now, updatedAt: now },
  });
  const named = await makeSpace(service, DEMO_ACCOUNT_ID, { name: 'Maison Lumen' });
  const other = await makeSpace(service, DEMO_ACCOUNT_ID, { name: 'Ailleurs' });
  const actor = memberActor(await makeMember(service, DEMO_ACCOUNT_ID, { role: 'MEMBER' }));
  const listed = async (spaces?: Record<string, 'read'>) => {
    const products = await listProducts(testContext(service, { ...actor, ...(spaces ? { spaces } : {}) }));
    return products
      .filter(({ namesSpace }) => namesSpace)
      .map(({ namesSpace, spaceName, space }) => ({ namesSpace, spaceName, id: space?.id }));
  };
  const known = { namesSpace: true, spaceName: 'Maison Lumen', id: named.id };
  const unknown = { namesSpace: true, spaceName: undefined, id: undefined };
  const of = (one: object) => (rows: object[]) =>
    expect([rows.length > 0, ...rows]).toEqual([true, ...rows.map(() => one)]);
  await listed().then(of(known));
  await listed({ [named.id]: 'read' }).then(of(known));
  await listed({ [other.id]: 'read' }).then(of(unknown));
  await listed({}).then(of(unknown));
  // Whoever was given all Spaces is told that it was put away.
  await service.db.space.update({ where: { id: named.id }, data: { archivedAt: now } });
  await listed().then(of({ ...known, id: undefined }));
  await listed({ [named.id]: 'read' }).then(of(unknown));
});

it('of Spaces that bear the name which a product says, the account’s oldest is told, whatever other accounts call theirs', async () => {
  const at = (day: number) => ({ now: new Date(Date.UTC(2026, 9, day)) });
  const stranger = await makeAccount(service);
  await makeSpace(service, stranger.account.id, { name: 'Maison Lumen', ...at(1) });
  await service.db.space.deleteMany({ where: { accountId: DEMO_ACCOUNT_ID } });
  const actor = memberActor(await makeMember(service, DEMO_ACCOUNT_ID));
  const told = async () =>
    (await listProducts(testContext(service, actor))).flatMap(({ space }) => space?.id ?? []);
  expect(await told()).toEqual([]);
  await makeSpace(service, DEMO_ACCOUNT_ID, { name: 'Maison Lumen', ...at(3) });
  const oldest = await makeSpace(service, DEMO_ACCOUNT_ID, { name: 'Maison Lumen', ...at(2) });
  expect([...new Set(await told())]).toEqual([oldest.id]);
});
