import { expect, it } from 'vitest';
import type { PersonActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { acceptInvitation, declineInvitation } from '#lib/identity/invitations/answer-invitation.ts';
import { listInvitations } from '#lib/identity/invitations/list-invitations.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { resendInvitation } from '#lib/identity/members/resend-invitation.ts';
import { updateMember } from '#lib/identity/members/update-member.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 6 });
const clock = manualClock('2026-11-22T10:00:00Z');

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

/** A founder who invites somebody, and that person, signed in. */
async function scene() {
  const { account, member, actor } = await makeAccount(service, { now: clock.now() });
  const founder = testContext(service, actor, { clock });
  const email = `${createId('member')}@exemple.test`;
  const person = await service.db.person.create({
    data: { id: createId('person'), email, createdAt: clock.now() },
  });
  const who: PersonActor = { type: 'person', personId: person.id, sessionId: 'ses_test' };
  const invite = () =>
    inviteMember(founder, {
      accountId: account.id,
      email,
      name: 'Nour',
      role: 'MEMBER',
      permissions: [],
    });
  return { account, member, founder, email, invite, addressee: testContext(service, who, { clock }) };
}

it.each<[string, typeof declineInvitation, string]>([
  ['accepts', acceptInvitation, 'ACTIVE'],
  ['declines', declineInvitation, 'REMOVED'],
])('an invitation that its addressee %s while it is sent again is not mailed', async (_, answer, status) => {
  const { account, founder, addressee, invite } = await scene();
  const { id: memberId } = await invite();
  let isAnswered = false;
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ text }) {
      if (isAnswered || !text.startsWith('update "Member"')) return;
      isAnswered = true;
      await answer(addressee, { memberId });
    },
  });
  const again = resendInvitation({ ...founder, kysely }, { accountId: account.id, memberId });
  expect([await outcomeOf(again), isAnswered]).toEqual(['conflict', true]);
  expect(await service.db.member.findUnique({ where: { id: memberId } })).toMatchObject({
    status,
    invitationEndsAt: null,
  });
});

it('founders are told of a new one who accepts their invitation while it becomes that of a founder', async () => {
  const { account, member, founder, email, addressee, invite } = await scene();
  const { id: memberId } = await invite();
  const posted: Mail[] = [];
  let isAnswered = false;
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ text }) {
      if (isAnswered || !text.startsWith('update "Member"')) return;
      isAnswered = true;
      await acceptInvitation(addressee, { memberId }, (mail) => void posted.push(mail));
    },
  });
  const target = { accountId: account.id, memberId };
  await updateMember(
    { ...founder, kysely },
    { ...target, name: 'Nour', role: 'FOUNDER', permissions: [] },
    (mail) => void posted.push(mail),
  );
  expect(isAnswered).toBe(true);
  expect(posted.map(({ to }) => to).sort()).toEqual([member.email, email].sort());
});

it('a founder who is demoted while their invitation waits invites nobody', async () => {
  const { account, member, email, invite } = await scene();
  const connection = await service.pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query('SELECT 1 FROM "Account" WHERE id = $1 FOR NO KEY UPDATE', [account.id]);
    await connection.query(`UPDATE "Member" SET role = 'MEMBER' WHERE id = $1`, [member.id]);
    const invited = outcomeOf(invite());
    await untilBlocked(service);
    await connection.query('COMMIT');
    expect(await invited).toBe('forbidden');
  } finally {
    connection.release();
  }
  expect(await service.db.member.count({ where: { email } })).toBe(0);
});

it('a founder of another account invites nobody into this one; its own founder does, and the addressee is asked once', async () => {
  const { account, founder } = await scene();
  const stranger = await scene();
  const inviteAs = (who: typeof founder) =>
    inviteMember(who, {
      accountId: account.id,
      email: stranger.email,
      name: 'Nour',
      role: 'FOUNDER',
      permissions: [],
    });
  expect(await outcomeOf(inviteAs(stranger.founder))).toBe('forbidden');
  expect(await listInvitations(stranger.addressee)).toEqual([]);
  const { id: memberId } = await inviteAs(founder);
  expect(await listInvitations(stranger.addressee)).toMatchObject([{ memberId }]);
});

it('invitations of one instant are always listed in one order', async () => {
  const { email, addressee } = await scene();
  const now = clock.now();
  const ids = Array.from({ length: 3 }, () => createId('member')).sort();
  for (const id of ids) {
    const { account } = await makeAccount(service, { now });
    await service.db.member.create({
      data: {
        id,
        accountId: account.id,
        email,
        name: 'Nour',
        role: 'MEMBER',
        permissions: [],
        status: 'INVITED',
        invitationEndsAt: new Date(now.getTime() + 3_600_000),
        createdAt: now,
        updatedAt: now,
      },
    });
  }
  const listed = await listInvitations(addressee);
  expect(listed.map(({ memberId }) => memberId)).toEqual([...ids].reverse());
});

it('an invitation that is sent again is the first that its addressee reads, whichever was made last', async () => {
  const [first, second] = [await scene(), await scene()];
  const { addressee, email } = first;
  const inviteAs = ({ founder, account }: typeof first) =>
    inviteMember(founder, {
      accountId: account.id,
      email,
      name: 'Nour',
      role: 'MEMBER',
      permissions: [],
    });
  const one = await inviteAs(first);
  clock.advance(1_000);
  const other = await inviteAs(second);
  const listed = async () => (await listInvitations(addressee)).map(({ memberId }) => memberId);
  expect(await listed()).toEqual([other.id, one.id]);
  clock.advance(1_000);
  await resendInvitation(first.founder, { accountId: first.account.id, memberId: one.id });
  expect(await listed()).toEqual([one.id, other.id]);
});
