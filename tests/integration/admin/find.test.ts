import { expect, test } from 'vitest';
import { makeAccount, makeKey, makeMember } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';
import { findKey, findMember } from '../../../scripts/admin/find.ts';

const service = useTestService();
const shell = () => testContext(service, { type: 'admin' as const });
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1, 10, minutes));

test('where no member is named, a command acts as the oldest founder who is active, not as one who was suspended', async () => {
  const { account, member } = await makeAccount(service, { now: at(0) });
  const next = await makeMember(service, account.id, { role: 'FOUNDER', now: at(1) });
  expect(await findMember(shell(), account.id, undefined)).toMatchObject({ id: member.id });
  await service.db.member.update({ where: { id: member.id }, data: { status: 'SUSPENDED' } });
  expect(await findMember(shell(), account.id, undefined)).toMatchObject({ id: next.id });
  await service.db.member.update({ where: { id: next.id }, data: { role: 'MEMBER' } });
  await expect(findMember(shell(), account.id, undefined)).rejects.toThrow('pas de fondateur actif');
});

test('a key is found by its name though others that ended had the same, and each of those by its identifier', async () => {
  const { account, member } = await makeAccount(service);
  const [old, live] = [(await makeKey(service, member)).key, (await makeKey(service, member)).key];
  await service.db.developerKey.updateMany({ where: { memberId: member.id }, data: { name: 'Site' } });
  await expect(findKey(shell(), account.id, 'site')).rejects.toThrow('Plusieurs correspondent');
  await service.db.developerKey.update({ where: { id: old.id }, data: { revokedAt: at(1) } });
  expect(await findKey(shell(), account.id, 'site')).toMatchObject({ id: live.id });
  expect(await findKey(shell(), account.id, old.id)).toMatchObject({ id: old.id });
});
