import { describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { createAccount } from '#lib/identity/accounts/create-account.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { editedState } from '#lib/identity/members/edited-state.ts';
import { eraseMember } from '#lib/identity/members/erase-member.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { listMemberNames } from '#lib/identity/members/list-member-names.ts';
import { countMembers, listMembers, listRemovedMembers } from '#lib/identity/members/list-members.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { reactivateMember, suspendMember, updateMember } from '#lib/identity/members/update-member.ts';
import { updateProfile } from '#lib/identity/members/update-profile.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';
import { openSession, openSessionFor } from '#lib/identity/sessions/open-session.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });
const clock = manualClock('2026-11-21T10:00:00Z');

async function team() {
  const { account, member: founder, actor } = await makeAccount(service, { now: clock.now() });
  const other = await makeMember(service, account.id, {
    role: 'MEMBER',
    name: 'Sam',
    permissions: ['generate'],
  });
  const ctx = testContext(service, actor, { clock });
  const stored = (id: string) => service.db.member.findUniqueOrThrow({ where: { id } });
  const actions = async () =>
    (await service.db.auditEntry.findMany({ where: { accountId: account.id }, orderBy: { id: 'asc' } })).map(
      (entry) => entry.action,
    );
  return { account, founder, other, ctx, stored, actions };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: ServiceError) => error.code,
  );

describe('members', () => {
  it('only a founder lists, invites, changes or suspends', async () => {
    const { account, founder, other } = await team();
    const ctx = testContext(service, memberActor({ ...other, permissions: ['members.manage'] }), { clock });
    const target = { accountId: account.id, memberId: founder.id };
    const change = { ...target, name: 'x', role: 'MEMBER', permissions: [] } as const;
    const invite = {
      accountId: account.id,
      email: 'n@exemple.test',
      name: 'N',
      role: 'FOUNDER',
      permissions: [],
    } as const;
    const codes = await Promise.all(
      [
        listMembers(ctx),
        countMembers(ctx),
        inviteMember(ctx, invite),
        updateMember(ctx, change),
        suspendMember(ctx, target),
        reactivateMember(ctx, target),
      ].map(codeOf),
    );
    expect(new Set(codes)).toEqual(new Set(['forbidden']));
  });

  it('a founder of another account sees and changes nothing here: the member answers like a missing one', async () => {
    const { account, other } = await team();
    const stranger = await team();
    const target = { accountId: stranger.account.id, memberId: other.id };
    expect(await codeOf(suspendMember(stranger.ctx, target))).toBe('not_found');
    expect(await codeOf(suspendMember(stranger.ctx, { accountId: account.id, memberId: other.id }))).toBe(
      'forbidden',
    );
    expect((await listMembers(stranger.ctx)).map((member) => member.id)).not.toContain(other.id);
  });

  it('are listed a page at a time, founders first, each once, and counted whole', async () => {
    const { account, founder, other, ctx } = await team();
    const later = new Date(Date.now() + 1_000);
    const third = await makeMember(service, account.id, { role: 'MEMBER', now: later });
    const gone = await makeMember(service, account.id);
    await service.db.member.update({ where: { id: gone.id }, data: { status: 'REMOVED' } });
    const pages = await Promise.all([1, 2, 3].map((page) => listMembers(ctx, { page, size: 2 })));
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([[founder.id, other.id], [third.id], []]);
    const left = await makeMember(service, account.id);
    // The latest to come was the first to leave.
    const before = new Date(gone.updatedAt.getTime() - 1);
    await service.db.member.update({
      where: { id: left.id },
      data: { status: 'REMOVED', updatedAt: before },
    });
    expect(left.createdAt.getTime()).toBeGreaterThanOrEqual(gone.createdAt.getTime());
    expect(await countMembers(ctx)).toEqual({ all: 3, founders: 1, removed: 2 });
    const removed = await Promise.all([1, 2, 3].map((page) => listRemovedMembers(ctx, { page, size: 1 })));
    expect(removed.map((page) => page.map(({ id }) => id))).toEqual([[gone.id], [left.id], []]);
  });

  it('are all named where one says who did what, however many they are, with who left', async () => {
    const { account, founder, other, ctx } = await team();
    const gone = Array.from({ length: 600 }, (_, at) => ({
      id: createId('member', new Date(Date.now() + 1_000)),
      accountId: account.id,
      name: `Parti ${at}`,
      role: 'MEMBER' as const,
      status: 'REMOVED' as const,
      permissions: [],
      createdAt: new Date(Date.now() + 1_000 + at),
      updatedAt: clock.now(),
    }));
    await service.db.member.createMany({ data: gone });
    const names = await listMemberNames(ctx);
    expect(names).toHaveLength(602);
    expect(names.filter(({ isRemoved }) => !isRemoved).map(({ id }) => id)).toEqual([founder.id, other.id]);
    expect(names.at(-1)).toEqual({ id: gone.at(-1)?.id, name: 'Parti 599', isRemoved: true });
  });

  it('a change of role and rights is effective at once and audited with what it was before', async () => {
    const { account, other, ctx, stored, actions } = await team();
    const target = { accountId: account.id, memberId: other.id, name: 'Samia' };
    await updateMember(ctx, { ...target, role: 'MEMBER', permissions: ['brain.write'] });
    await updateMember(ctx, { ...target, role: 'MEMBER', permissions: ['brain.write'] });
    expect(await stored(other.id)).toMatchObject({ name: 'Samia', permissions: ['brain.write'] });
    expect(await actions()).toEqual(['member.updated']);
    const [entry] = await service.db.auditEntry.findMany({ where: { accountId: account.id } });
    expect(entry?.data).toEqual({
      before: { role: 'MEMBER', permissions: ['generate'] },
      after: { role: 'MEMBER', permissions: ['brain.write'] },
    });
  });

  it('who renames themselves is named in the audit, once, without either name', async () => {
    const { account, other, actions } = await team();
    const own = testContext(service, memberActor(other), { clock });
    for (let times = 0; times < 2; times += 1) await updateProfile(own, { name: 'Samia' });
    expect(await actions()).toEqual(['member.renamed']);
    const entry = await service.db.auditEntry.findFirst({ where: { accountId: account.id } });
    expect(entry).toMatchObject({ actor: `member:${other.id}`, subjectId: other.id });
    expect(JSON.stringify(entry?.data ?? {})).not.toMatch(/Sam/);
  });

  it('a change made over what is no longer so is refused, and loses nothing of another founder’s; what is stored already is no conflict', async () => {
    const { account, other, ctx, stored, actions } = await team();
    const target = { accountId: account.id, memberId: other.id, role: 'MEMBER' as const };
    const opened = editedState({ ...(await stored(other.id)), spaces: null });
    const taken = { ...target, name: 'Sam', permissions: [], opened };
    await updateMember(ctx, taken);
    const late = { ...target, name: 'Samia', permissions: ['generate'] as const, opened };
    expect(await codeOf(updateMember(ctx, late))).toBe('conflict');
    expect(await stored(other.id)).toMatchObject({ name: 'Sam', permissions: [] });
    await updateMember(ctx, taken);
    await updateMember(ctx, { ...late, opened: editedState({ ...(await stored(other.id)), spaces: null }) });
    expect(await stored(other.id)).toMatchObject({ name: 'Samia', permissions: ['generate'] });
    expect(await actions()).toEqual(['member.updated', 'member.updated']);
  });

  it('of ten invitations at once of one account for one address, one is made and nine say why', async () => {
    const { account, ctx } = await team();
    const invite = {
      accountId: account.id,
      email: 'simultane@exemple.test',
      name: 'N',
      role: 'MEMBER' as const,
      permissions: [],
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => inviteMember(ctx, invite)));
    const refusals = outcomes.filter((one) => one.status === 'rejected');
    expect(refusals).toHaveLength(9);
    for (const { reason } of refusals)
      expect(reason).toMatchObject({
        code: 'conflict',
        options: { problems: [{ field: 'email', message: expect.stringContaining('de ce compte') }] },
      });
  });

  it('of ten accounts at once for one founder, all belong to one person', async () => {
    const create = { name: 'Ensemble', founder: { email: 'fondatrice@exemple.test', name: 'F' } };
    const admin = testContext(service, { type: 'admin' } as const, { clock });
    await Promise.all(Array.from({ length: 10 }, () => createAccount(admin, create)));
    expect(await service.db.person.count({ where: { email: create.founder.email } })).toBe(1);
    expect(await service.db.member.count({ where: { person: { email: create.founder.email } } })).toBe(10);
  });

  it('a founder’s own right cannot be given to a member', async () => {
    const { account, other, ctx } = await team();
    const invite = {
      accountId: account.id,
      email: 'droits@exemple.test',
      name: 'N',
      role: 'MEMBER',
      permissions: ['generate', 'storage.purge'],
    } as const;
    expect(await codeOf(inviteMember(ctx, invite))).toBe('invalid_request');
    const change = { accountId: account.id, memberId: other.id, name: 'Sam', role: 'MEMBER' } as const;
    expect(await codeOf(updateMember(ctx, { ...change, permissions: ['storage.purge'] }))).toBe(
      'invalid_request',
    );
  });

  it('a suspended member’s sessions and keys are refused at the next request; keys work again after reactivation', async () => {
    const { account, other, ctx, stored, actions } = await team();
    const { secret } = await makeKey(service, other, { now: clock.now() });
    const { sessionId } = await openSession(
      { clock, kysely: service.kysely },
      { accountId: account.id, memberId: other.id },
    );
    const deps = { kysely: service.kysely, clock };
    const entries = async () => [
      (await authenticateSession(deps, sessionId)) !== null,
      (await authenticateKey(deps, secret, { isWrite: false })) !== null,
    ];
    const target = { accountId: account.id, memberId: other.id };
    expect(await entries()).toEqual([true, true]);
    await suspendMember(ctx, target);
    expect(await entries()).toEqual([false, false]);
    await suspendMember(ctx, target);
    await reactivateMember(ctx, target);
    expect(await entries()).toEqual([false, true]);
    expect(await stored(other.id)).toMatchObject({ status: 'ACTIVE' });
    expect(await actions()).toEqual(['member.suspended', 'member.reactivated']);
  });

  it('an invitation that was suspended before any sign-in is an invitation again', async () => {
    const { account, ctx, stored } = await team();
    const invited = await inviteMember(ctx, {
      accountId: account.id,
      email: `${account.id}@exemple.test`,
      name: 'Nour',
      role: 'MEMBER',
      permissions: [],
    });
    const target = { accountId: account.id, memberId: invited.id };
    await suspendMember(ctx, target);
    const later = manualClock(clock.now());
    later.advance(30 * 86_400_000);
    await reactivateMember({ ...ctx, clock: later }, target);
    // Open for seven days from now on: its first ones are long over.
    expect(await stored(invited.id)).toMatchObject({
      status: 'INVITED',
      invitationEndsAt: new Date(later.now().getTime() + 7 * 86_400_000),
    });
  });

  it('a founder who is let back in is told to all of them; who is only invited as one, to nobody yet', async () => {
    const { account, founder, ctx } = await team();
    const second = await makeMember(service, account.id, { role: 'FOUNDER' });
    const box: Mail[] = [];
    const post = (mail: Mail) => void box.push(mail);
    const target = { accountId: account.id, memberId: second.id };
    await suspendMember(ctx, target);
    await reactivateMember(ctx, target, post);
    const both = [founder.email, second.email].sort();
    expect(
      box
        .splice(0)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(both);
    const rights = { name: 'Nour', role: 'MEMBER', permissions: ['generate', 'generate'] } as const;
    const invited = await inviteMember(ctx, {
      ...rights,
      accountId: account.id,
      email: `${createId('member')}@exemple.test`,
    });
    expect(invited.permissions).toEqual(['generate']);
    const change = { accountId: account.id, memberId: invited.id, name: 'Nour', permissions: [] };
    await updateMember(ctx, { ...change, role: 'FOUNDER' }, post);
    expect(box).toEqual([]);
  });

  it('the last active founder can be neither demoted nor suspended, whoever asks', async () => {
    const { account, founder, ctx } = await team();
    const target = { accountId: account.id, memberId: founder.id };
    const shell = testContext(service, { type: 'admin' as const }, { clock });
    const demotion = { ...target, name: 'C', role: 'MEMBER', permissions: [] } as const;
    expect(await codeOf(updateMember(ctx, demotion))).toBe('conflict');
    expect(await codeOf(updateMember(shell, demotion))).toBe('conflict');
    expect(await codeOf(suspendMember(shell, target))).toBe('conflict');
    expect(await codeOf(removeMember(shell, target))).toBe('conflict');
    expect(await codeOf(eraseMember(shell, target))).toBe('conflict');
    expect((await listMembers(ctx)).map(({ id }) => id)).toContain(founder.id);
  });

  it('one who is being suspended gets no session from the shell: it waits for that, and is refused', async () => {
    const { account, other, ctx } = await team();
    const target = { accountId: account.id, memberId: other.id };
    const shell = testContext(service, { type: 'admin' } as const, { clock });
    const open = () => openSessionFor(shell, { ...target, userAgent: 'shell' });
    expect(await oneBeforeAnother(service, () => suspendMember(ctx, target), open)).toEqual([
      'done',
      'conflict',
    ]);
    expect(await service.db.session.count({ where: { memberId: other.id, revokedAt: null } })).toBe(0);
  });

  it('nobody suspends themselves', async () => {
    const { account, founder, ctx } = await team();
    await makeMember(service, account.id, { role: 'FOUNDER' });
    expect(await codeOf(suspendMember(ctx, { accountId: account.id, memberId: founder.id }))).toBe(
      'conflict',
    );
  });

  it.each([
    ['removed', removeMember],
    ['suspended', suspendMember],
    ['erased', eraseMember],
  ] as const)('one who is %s while a visit slides their session: one waits for the other', async (_, end) => {
    const { account, other, ctx } = await team();
    const target = { accountId: account.id, memberId: other.id };
    const { sessionId } = await openSession({ clock, kysely: service.kysely }, target);
    const later = { now: () => new Date(clock.now().getTime() + 2 * 3_600_000) };
    let visit: Promise<string> | undefined;
    let writes = 0;
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ text }) {
        if (!/^update "(?:Member|Session)"/.test(text) || ++writes !== 2) return;
        visit = codeOf(authenticateSession({ kysely: service.kysely, clock: later }, sessionId));
        await untilBlocked(service);
      },
    });
    expect(await codeOf(end({ ...ctx, kysely }, target))).toBe('done');
    expect(await visit).toBe('done');
    expect(await authenticateSession({ kysely: service.kysely, clock: later }, sessionId)).toBeNull();
  });

  it('of two founders who remove each other in one moment, the one who was about to be the last no longer may', async () => {
    const { account, founder, ctx } = await team();
    const second = await makeMember(service, account.id, { role: 'FOUNDER' });
    const theirs = testContext(service, memberActor(second), { clock });
    const removal = (by: typeof ctx, memberId: string) => () =>
      removeMember(by, { accountId: account.id, memberId });
    expect(await oneBeforeAnother(service, removal(ctx, second.id), removal(theirs, founder.id))).toEqual([
      'done',
      'forbidden',
    ]);
  });

  it('founders who remove each other at the same moment always leave one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { account, founder } = await team();
      const second = await makeMember(service, account.id, { role: 'FOUNDER' });
      const third = await makeMember(service, account.id, { role: 'FOUNDER' });
      const all = [founder, second, third];
      await Promise.all(
        all.flatMap((by) =>
          all
            .filter((target) => target.id !== by.id)
            .map((target, n) => {
              const ctx = testContext(service, memberActor(by), { clock });
              const on = { accountId: account.id, memberId: target.id };
              return codeOf(
                n === 0
                  ? suspendMember(ctx, on)
                  : updateMember(ctx, { ...on, name: 'x', role: 'MEMBER', permissions: [] }),
              );
            }),
        ),
      );
      const left = await service.db.member.count({
        where: { accountId: account.id, role: 'FOUNDER', status: 'ACTIVE' },
      });
      expect(left).toBeGreaterThanOrEqual(1);
    }
  });
});
