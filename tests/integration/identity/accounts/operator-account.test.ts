import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { createAccount } from '#lib/identity/accounts/create-account.ts';
import { isOperatorMissing } from '#lib/identity/accounts/operator-missing.ts';
import { setOperator } from '#lib/identity/accounts/set-operator.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const create = (name: string, operator = false) =>
  createAccount(testContext(service, { type: 'admin' }), {
    name,
    operator,
    founder: { email: `${createId('member')}@exemple.test`, name: 'Fondatrice' },
  });

it('the operator’s account is missed where there are accounts and none is it; a new service misses nothing', async () => {
  const isMissing = () => isOperatorMissing(service);
  expect(await isMissing()).toBe(false);
  const { account } = await create('Premier');
  expect(await isMissing()).toBe(true);
  await setOperator(testContext(service, { type: 'admin' }), { accountId: account.id });
  expect(await isMissing()).toBe(false);
});

it('there is one at most: a second is not created, and who asks is told which it is', async () => {
  const shell = testContext(service, { type: 'admin' });
  const { account } = await create('Exploitant');
  await setOperator(shell, { accountId: account.id });
  await expect(create('Second', true)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('«\u00a0Exploitant\u00a0»'),
  });
  expect(await service.db.account.count({ where: { name: 'Second' } })).toBe(0);
});

it('both accounts are told in their audit which of them it is from now on, once', async () => {
  const shell = testContext(service, { type: 'admin' });
  const [{ account: former }, { account: next }] = [await create('Ancien'), await create('Nouveau')];
  await setOperator(shell, { accountId: former.id });
  for (let times = 0; times < 2; times += 1) await setOperator(shell, { accountId: next.id });
  const entries = await service.db.auditEntry.findMany({
    where: { accountId: { in: [former.id, next.id] }, action: 'account.operator_set' },
    orderBy: [{ id: 'asc' }],
    select: { accountId: true, subjectId: true, data: true },
  });
  const said = (id: string) => entries.filter((one) => one.accountId === id).map(({ data }) => data);
  expect(said(former.id)).toEqual([{ operator: true }, { operator: false }]);
  expect(said(next.id)).toEqual([{ operator: true }]);
  expect(entries.every(({ accountId, subjectId }) => subjectId === accountId)).toBe(true);
});

it('a closed account is not made it, and the one that was stays so', async () => {
  const shell = testContext(service, { type: 'admin' });
  const [{ account: own }, { account: closed }] = [await create('Ouvert'), await create('Fermé')];
  await setOperator(shell, { accountId: own.id });
  await service.db.account.update({ where: { id: closed.id }, data: { closedAt: new Date() } });
  await expect(setOperator(shell, { accountId: closed.id })).rejects.toMatchObject({ code: 'conflict' });
  const operators = await service.db.account.findMany({ where: { isOperator: true } });
  expect(operators.map(({ id }) => id)).toEqual([own.id]);
});
