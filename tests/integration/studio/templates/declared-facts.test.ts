import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import type { Product } from '#lib/products/types.ts';
import { declaredFacts } from '#lib/studio/copy-rules/declared-facts.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('a fact is declared by the letter and digits at the head of its title, live, in the Knowledge of a Space of the product’s name', async () => {
  const [mine, stranger] = [await makeAccount(service), await makeAccount(service)];
  const ctx = testContext(service, mine.actor);
  const space = await makeSpace(service, mine.account.id, { name: 'Savonnerie' });
  const elsewhere = await makeSpace(service, mine.account.id, { name: 'Autre maison' });
  const theirs = await makeSpace(service, stranger.account.id, { name: 'Savonnerie' });
  const fact = {
    accountId: mine.account.id,
    spaceId: space.id,
    body: 'Mesuré.',
    cu: 1,
    ...({ role: 'KNOWLEDGE', kind: 'FACT', source: 'MANUAL' } as const),
    createdAt: new Date(),
    updatedAt: new Date(),
  };
  const facts = [
    { ...fact, title: 'F12 Il dure 8 heures' },
    { ...fact, title: 'B3\u00a0: trois bains' },
    { ...fact, title: 'Il dure 4 heures (F4)' },
    { ...fact, title: 'F5x est un modèle' },
    { ...fact, title: 'f6 en petit' },
    { ...fact, title: 'F7 une note', kind: 'NOTE' as const },
    { ...fact, title: 'F8 un article', role: 'ITEMS' as const },
    { ...fact, title: 'F9 supprimé', deletedAt: new Date() },
    { ...fact, title: 'F10 ailleurs', spaceId: elsewhere.id },
    { ...fact, title: 'F11 d’un autre', spaceId: theirs.id, accountId: stranger.account.id },
  ];
  await service.db.memory.createMany({ data: facts.map((one) => ({ ...one, id: createId('memory') })) });
  const product: Product = {
    id: 'savon',
    accountId: mine.account.id,
    name: 'Savon',
    spaceName: 'Savonnerie',
    references: { shopDomains: [] },
  };
  expect((await declaredFacts(ctx, product))?.sort()).toEqual(['B3', 'F12']);
  const { spaceName: _, ...without } = product;
  expect(await declaredFacts(ctx, without)).toBeNull();
});
