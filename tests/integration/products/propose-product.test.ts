import { expect, it } from 'vitest';
import { CATALOGUE } from '#lib/products/catalogue.ts';
import { proposeProduct } from '#lib/products/proposals/propose-product.ts';
import { productProposalBody } from '#lib/products/proposals/schema.ts';
import { productsOf } from '#lib/products/registry.ts';
import { makeAccount, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const SOAP = productProposalBody.parse({ id: 'savon-noir', name: 'Savon noir', tone: 'Simple.' });

it('a founder’s proposal is audited with its fields, and the registry is what it was', async () => {
  const { account, member, actor } = await makeAccount(service, { name: 'Savonnerie' });
  const before = JSON.stringify(CATALOGUE);
  const request = await proposeProduct(testContext(service, actor), SOAP);
  expect(request.path).toBe(`lib/products/accounts/${account.id}/savon-noir.ts`);
  expect(request.description).toContain(`\`${account.id}\`, \`Savonnerie\``);
  expect(request.description).toContain(`\`${member.name}\``);
  expect(request.description).not.toContain(member.email);
  expect(productsOf(account.id)).toEqual([]);
  expect(JSON.stringify(CATALOGUE)).toBe(before);
  const entries = await service.db.auditEntry.findMany({ where: { accountId: account.id } });
  expect(entries).toMatchObject([
    {
      action: 'product.proposed',
      actor: `member:${member.id}`,
      subjectType: 'product',
      subjectId: 'savon-noir',
      data: { name: 'Savon noir', isNew: true, fields: [] },
    },
  ]);
});

it('a member’s is forbidden, whatever they were given; what is refused leaves no trace', async () => {
  const { account, actor } = await makeAccount(service);
  const member = await makeMember(service, account.id, {
    role: 'MEMBER',
    permissions: ['brain.write', 'generate', 'products.propose'],
  });
  const asMember = testContext(service, memberActor(member));
  await expect(proposeProduct(asMember, SOAP)).rejects.toMatchObject({ code: 'forbidden' });
  const theirs = { ...SOAP, changes: 'lumen-bougies' };
  const founder = testContext(service, actor);
  await expect(proposeProduct(founder, theirs)).rejects.toMatchObject({ code: 'not_found' });
  await expect(proposeProduct(founder, { ...SOAP, name: '' })).rejects.toMatchObject({
    code: 'invalid',
    options: { problems: [{ field: 'name' }] },
  });
  expect(await service.db.auditEntry.count({ where: { accountId: account.id } })).toBe(0);
});
