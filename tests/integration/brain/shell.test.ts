import { expect, it } from 'vitest';
import { getShell } from '#lib/brain/queries/get-shell.ts';
import type { PersonActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import { listInvitations } from '#lib/identity/invitations/list-invitations.ts';
import { listOwnAccounts } from '#lib/identity/people/list-own-accounts.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** The row of a person who founded one more account. */
const founderRow = ({
  now,
  ...whose
}: {
  accountId: string;
  personId: string;
  email: string;
  now: Date;
}) => ({
  id: createId('member'),
  ...whose,
  name: 'Camille Aubry',
  role: 'FOUNDER' as const,
  permissions: [],
  status: 'ACTIVE' as const,
  createdAt: now,
  updatedAt: now,
});

it('every page knows that the balance lasts less than a week at the pace of this month, not of another', async () => {
  const clock = manualClock('2026-11-11T00:00:00Z');
  const { member, actor } = await makeAccount(service);
  const ctx = testContext(service, actor, { clock });
  expect((await getShell(ctx)).balance?.daysLeft ?? null).toBeNull();
  await giveCredit(ctx, member.id, 6_000_000n);
  expect((await getShell(ctx)).balance).toEqual({ availableMicros: 6_000_000n, daysLeft: null });
  const spent = (month: string) =>
    service.db.wallet.updateMany({
      where: { memberId: member.id },
      data: { month, monthSpentMicros: 10_000_000n },
    });
  await spent('2026-11');
  expect((await getShell(ctx)).balance).toEqual({ availableMicros: 6_000_000n, daysLeft: 6 });
  await spent('2026-10');
  expect((await getShell(ctx)).balance?.daysLeft).toBeNull();
});

it('of more accounts than its menu lists, a person is told that there are others, and goes through all of them page by page', async () => {
  const { member, actor } = await makeAccount(service, { name: 'Compte 000' });
  const personId = member.personId ?? '';
  const now = new Date();
  const others = Array.from({ length: 119 }, (_, n) => ({
    id: createId('account'),
    name: `Compte ${String(n + 1).padStart(3, '0')}`,
    capacityCu: 1,
    createdAt: now,
    updatedAt: now,
  }));
  await service.db.account.createMany({ data: others });
  const memberOf = (accountId: string) => founderRow({ accountId, personId, email: member.email, now });
  const shown = async () => (await getShell(testContext(service, actor))).otherAccounts.length;
  await service.db.member.createMany({ data: others.slice(0, 50).map(({ id }) => memberOf(id)) });
  expect(await shown()).toBe(50);
  await service.db.member.createMany({ data: others.slice(50).map(({ id }) => memberOf(id)) });
  // One more than the menu lists: it leads to the page of all.
  expect(await shown()).toBe(51);
  const person = testContext(service, { type: 'person', personId, sessionId: 'ses_test' } as PersonActor);
  const pages = await Promise.all([1, 2, 3, 4].map((page) => listOwnAccounts(person, { page })));
  expect(pages.map(({ length }) => length)).toEqual([51, 51, 20, 0]);
  const names = pages.flatMap((page) => page.slice(0, 50).map(({ accountName }) => accountName));
  expect(names).toEqual(['Compte 000', ...others.map(({ name }) => name)]);
});

it('accounts are listed as people count them: 6 before 54, whatever the case and the accents', async () => {
  const { member, actor } = await makeAccount(service, { name: 'Client 54' });
  const now = new Date();
  const others = ['Client 6', 'client 5', 'Client 540', 'Élan 10', 'Elan 9', 'Client 007', 'Zinc'].map(
    (name) => ({
      id: createId('account'),
      name,
      capacityCu: 1,
      createdAt: now,
      updatedAt: now,
    }),
  );
  await service.db.account.createMany({ data: others });
  const personId = member.personId ?? '';
  await service.db.member.createMany({
    data: others.map(({ id: accountId }) => founderRow({ accountId, personId, email: member.email, now })),
  });
  const order = [
    'client 5',
    'Client 6',
    'Client 007',
    'Client 54',
    'Client 540',
    'Elan 9',
    'Élan 10',
    'Zinc',
  ];
  const person = testContext(service, { type: 'person', personId, sessionId: 'ses_test' } as PersonActor);
  expect((await listOwnAccounts(person)).map(({ accountName }) => accountName)).toEqual(order);
  const { otherAccounts } = await getShell(testContext(service, actor));
  expect(otherAccounts.map(({ name }) => name)).toEqual(order.filter((name) => name !== 'Client 54'));
});

it('of more invitations than are shown, a person is told that there are others', async () => {
  const { member } = await makeAccount(service);
  const now = new Date();
  const accounts = Array.from({ length: 60 }, (_, n) => ({
    id: createId('account'),
    name: `Invite ${n}`,
    capacityCu: 1,
    createdAt: now,
    updatedAt: now,
  }));
  await service.db.account.createMany({ data: accounts });
  await service.db.member.createMany({
    data: accounts.map(({ id: accountId }) => ({
      id: createId('member'),
      accountId,
      email: member.email,
      name: 'Camille',
      role: 'MEMBER' as const,
      permissions: [],
      status: 'INVITED' as const,
      invitationEndsAt: new Date(now.getTime() + 3_600_000),
      createdAt: now,
      updatedAt: now,
    })),
  });
  const { personId } = member;
  const person = testContext(service, { type: 'person', personId, sessionId: 'ses_test' } as PersonActor);
  expect(await listInvitations(person)).toHaveLength(51);
});

it('every page names the accounts where the person is active, and an invitation until the moment in which it ends', async () => {
  const { member, actor } = await makeAccount(service);
  const now = new Date('2026-11-11T00:00:00Z');
  const [own, suspended, inviting] = [
    await makeAccount(service),
    await makeAccount(service),
    await makeAccount(service),
  ];
  const personId = member.personId ?? '';
  const rowIn = (accountId: string) => founderRow({ accountId, personId, email: member.email, now });
  const active = rowIn(own.account.id);
  const left = { ...rowIn(suspended.account.id), status: 'SUSPENDED' as const };
  const invitation = { ...rowIn(inviting.account.id), personId: null, status: 'INVITED' as const };
  const invitationEndsAt = new Date(now.getTime() + 1_000);
  await service.db.member.createMany({ data: [active, left, { ...invitation, invitationEndsAt }] });
  const shell = (at: Date) => getShell(testContext(service, actor, { clock: { now: () => at } }));
  const { otherAccounts, isInvited } = await shell(now);
  expect([otherAccounts.map(({ memberId }) => memberId), isInvited]).toEqual([[active.id], true]);
  expect((await shell(invitationEndsAt)).isInvited).toBe(false);
});
