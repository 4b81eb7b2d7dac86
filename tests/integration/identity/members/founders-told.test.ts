import { expect, it } from 'vitest';
import type { Mail } from '#lib/core/mail/mail.ts';
import { closeAccount } from '#lib/identity/closing/close-account.ts';
import { listFounderAddresses, listOperatorAddresses } from '#lib/identity/members/list-founder-addresses.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { makeAccount, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1, 10, minutes));

it('what the service tells an account goes to its active founders: to none who is suspended or only invited, to no member', async () => {
  const { account, member } = await makeAccount(service, { operator: true });
  await makeMember(service, account.id, { role: 'MEMBER' });
  for (const status of ['SUSPENDED', 'INVITED'] as const) {
    const { id } = await makeMember(service, account.id, { role: 'FOUNDER' });
    await service.db.member.update({ where: { id }, data: { status } });
  }
  expect(await listFounderAddresses(service, { accountId: account.id })).toEqual([member.email]);
  expect(await listOperatorAddresses(service)).toEqual([member.email]);
});

it('who lacks a right reads the names of five founders who can give it, the oldest first, none of whom is suspended', async () => {
  const { account } = await makeAccount(service, { now: at(0) });
  const founder = (name: string, minutes: number) =>
    makeMember(service, account.id, { role: 'FOUNDER', name, now: at(minutes) });
  const gone = await founder('Suspendu', 1);
  await service.db.member.update({ where: { id: gone.id }, data: { status: 'SUSPENDED' } });
  for (const minutes of [5, 3, 6, 4, 2]) await founder(`Fondateur ${minutes}`, minutes);
  const reader = await makeMember(service, account.id, { role: 'MEMBER', now: at(0) });
  const names = await listFounderNames(testContext(service, memberActor(reader)));
  expect(names.slice(1)).toEqual([2, 3, 4, 5].map((minutes) => `Fondateur ${minutes}`));
});

it('a founder of a closed account who is one of the operator’s too is told once, as a founder of that account', async () => {
  const operator = await makeAccount(service, { operator: true });
  const { account, member, actor } = await makeAccount(service, { name: 'Maison Claire' });
  const other = await makeMember(service, operator.account.id, { role: 'FOUNDER' });
  await service.db.member.update({
    where: { id: other.id },
    data: { email: member.email, personId: member.personId },
  });
  const box: Mail[] = [];
  const closing = { accountId: account.id, name: account.name };
  await closeAccount(testContext(service, actor), closing, (mail) => void box.push(mail));
  expect(box.map(({ to }) => to)).toEqual([member.email, operator.member.email]);
  expect(box[0]?.text).toContain('rouvrez-le d’ici là');
});
