import { describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { acceptInvitation, declineInvitation } from '#lib/identity/invitations/answer-invitation.ts';
import { INVITATIONS_PER_DAY } from '#lib/identity/invitations/invitation-rules.ts';
import { listInvitations } from '#lib/identity/invitations/list-invitations.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { listMembers } from '#lib/identity/members/list-members.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { resendInvitation } from '#lib/identity/members/resend-invitation.ts';
import { reactivateMember, suspendMember } from '#lib/identity/members/update-member.ts';
import { updateProfile } from '#lib/identity/members/update-profile.ts';
import { authenticatePerson } from '#lib/identity/people/authenticate-person.ts';
import { listOwnAccounts } from '#lib/identity/people/list-own-accounts.ts';
import { switchAccount } from '#lib/identity/people/switch-account.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { newBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { requestSignInCode } from '#lib/identity/sign-in/request-sign-in-code.ts';
import { verifySignInCode } from '#lib/identity/sign-in/verify-sign-in-code.ts';
import { makeAccount, makeKey, makeMember } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });
const secret = 'session-secret-of-the-tests-0123456789';
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: ServiceError) => error.code,
  );

async function scene() {
  const clock = manualClock('2026-11-21T10:00:00Z');
  const { account, member, actor } = await makeAccount(service, { now: clock.now() });
  const founder = testContext(service, actor, { clock });
  const email = `${createId('member')}@exemple.test`;
  const invite = (over: Partial<Parameters<typeof inviteMember>[1]> = {}) =>
    inviteMember(founder, {
      accountId: account.id,
      email,
      name: 'Nour',
      role: 'MEMBER',
      permissions: ['generate'],
      ...over,
    });
  const deps = { kysely: service.kysely, clock };
  /** A code asked for and given back, as the addressee does. */
  const signIn = async (to = email) => {
    const box: Mail[] = [];
    const post = (mail: Mail) => void box.push(mail);
    const ctx = testContext(service, { type: 'anonymous' as const }, { clock });
    const from = { email: to, network: '203.0.113.5', browser: newBrowserToken() };
    await requestSignInCode(ctx, from, { secret, post });
    const code = /\b\d{6}\b/.exec(box[0]?.text ?? '')?.[0];
    if (!code) return null;
    const session = await verifySignInCode(ctx, { ...from, code, userAgent: 'test' }, { secret, post });
    const person = await authenticatePerson(deps, session.sessionId);
    if (!person) throw new Error('no person behind the session');
    return { ...session, ctx: testContext(service, person.actor, { clock }) };
  };
  return { clock, account, member, founder, email, invite, signIn, deps };
}

describe('an invitation', () => {
  it('of a founder is told by mail to every founder once accepted, and not before; a member’s to nobody', async () => {
    const { account, member, email, invite, signIn } = await scene();
    const { id } = await makeMember(service, account.id, { role: 'FOUNDER' });
    await service.db.member.update({ where: { id }, data: { status: 'SUSPENDED' } });
    const box: Mail[] = [];
    const post = (mail: Mail) => void box.push(mail);
    const invited = await invite({ role: 'FOUNDER', permissions: [] });
    const session = await signIn();
    expect(box).toEqual([]);
    await acceptInvitation(session?.ctx as never, { memberId: invited.id }, post);
    expect(new Set(box.map(({ to }) => to))).toEqual(new Set([member.email, email]));
    expect(box[0]?.subject).toMatch(/un nouveau fondateur dans/);
    const other = await scene();
    const plain = await other.invite();
    await acceptInvitation((await other.signIn())?.ctx as never, { memberId: plain.id }, post);
    expect(box).toHaveLength(2);
  });

  it('is accepted by its addressee alone, explicitly: signing in joins nothing', async () => {
    const { account, member, invite, signIn, deps, email } = await scene();
    const invited = await invite();
    const session = await signIn();
    if (!session) throw new Error('no code was mailed');
    expect(session.memberId).toBeNull();
    expect(await authenticateSession(deps, session.sessionId)).toBeNull();
    expect(await listInvitations(session.ctx)).toEqual([
      {
        memberId: invited.id,
        accountName: account.name,
        inviterName: member.name,
        role: 'MEMBER',
        endsAt: expect.any(Date),
      },
    ]);
    const stranger = await scene();
    await stranger.invite();
    const theirs = await stranger.signIn();
    if (!theirs) throw new Error('no code was mailed');
    for (const answer of [acceptInvitation, declineInvitation])
      expect(await codeOf(answer(theirs.ctx, { memberId: invited.id }))).toBe('not_found');
    await acceptInvitation(session.ctx, { memberId: invited.id });
    const found = await authenticateSession(deps, session.sessionId);
    expect(found).toMatchObject({
      actor: { memberId: invited.id, accountId: account.id },
      profile: { email },
    });
    expect(await codeOf(acceptInvitation(session.ctx, { memberId: invited.id }))).toBe('not_found');
    const audit = await service.db.auditEntry.findMany({
      where: { accountId: account.id },
      orderBy: { id: 'asc' },
    });
    expect(audit.map(({ action, actor }) => [action, actor]).sort()).toEqual([
      ['member.invited', `member:${member.id}`],
      ['member.joined', `member:${invited.id}`],
    ]);
  });

  it('lasts seven days: then no code is mailed for it and nothing accepts it, until it is sent again', async () => {
    const { account, invite, signIn, clock, founder } = await scene();
    const invited = await invite();
    const early = await signIn();
    if (!early) throw new Error('no code was mailed');
    clock.advance(7 * 86_400_000 - 1);
    expect(await listInvitations(early.ctx)).toHaveLength(1);
    clock.advance(1);
    expect(await codeOf(acceptInvitation(early.ctx, { memberId: invited.id }))).toBe('not_found');
    expect(await listInvitations(early.ctx)).toEqual([]);
    expect(await signIn()).toBeNull();
    await resendInvitation(founder, { accountId: account.id, memberId: invited.id });
    const late = await signIn();
    if (!late) throw new Error('no code was mailed');
    await acceptInvitation(late.ctx, { memberId: invited.id });
  });

  it('that a founder suspended is accepted and declined by nobody, until it is given back', async () => {
    const { account, invite, signIn, founder } = await scene();
    const { id: memberId } = await invite();
    const ctx = (await signIn())?.ctx as never;
    await suspendMember(founder, { accountId: account.id, memberId });
    for (const answer of [acceptInvitation, declineInvitation])
      expect(await codeOf(answer(ctx, { memberId }))).toBe('not_found');
    await reactivateMember(founder, { accountId: account.id, memberId });
    await acceptInvitation(ctx, { memberId });
  });

  it('into an account that was closed since is not offered: nothing would accept it', async () => {
    const { account, invite, signIn, clock } = await scene();
    const invited = await invite();
    const ctx = (await signIn())?.ctx as never;
    const where = { id: account.id };
    await service.db.account.update({ where, data: { closedAt: clock.now() } });
    expect(await codeOf(acceptInvitation(ctx, { memberId: invited.id }))).toBe('not_found');
    expect(await listInvitations(ctx)).toEqual([]);
    await service.db.account.update({ where, data: { closedAt: null } });
    expect(await listInvitations(ctx)).toHaveLength(1);
  });

  it('answers alike for an address that belongs to somebody elsewhere, and takes no address hostage', async () => {
    const first = await scene();
    const elsewhere = await scene();
    const known = await first.invite({ email: elsewhere.member.email });
    const unknown = await first.invite();
    const shape = ({ id, email, personId, ...row }: typeof known) => row;
    expect(shape(known)).toEqual(shape(unknown));
    // Invited here and by a third account, and still a member of her own.
    const third = await scene();
    await third.invite({ email: elsewhere.member.email });
    const session = await elsewhere.signIn(elsewhere.member.email);
    expect(session?.memberId).toBe(elsewhere.member.id);
    expect(await listInvitations(session?.ctx as never)).toHaveLength(2);
  });

  it('is declined without leaving the address in the account, which may invite again', async () => {
    const { account, invite, signIn } = await scene();
    const invited = await invite();
    const session = await signIn();
    await declineInvitation(session?.ctx as never, { memberId: invited.id });
    expect(await service.db.member.findUnique({ where: { id: invited.id } })).toMatchObject({
      status: 'REMOVED',
      email: null,
    });
    await expect(invite()).resolves.toMatchObject({ accountId: account.id });
  });

  it('goes out at most twenty times a day from one account, however many are sent at once', async () => {
    const { invite, clock, founder, account } = await scene();
    const outcomes = await Promise.all(
      Array.from({ length: INVITATIONS_PER_DAY + 10 }, (_, n) =>
        codeOf(invite({ email: `n${n}-${account.id}@exemple.test` })),
      ),
    );
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(20);
    expect(new Set(outcomes)).toEqual(new Set(['done', 'rate_limited']));
    const [one] = await listMembers(founder).then((all) => all.filter(({ status }) => status === 'INVITED'));
    expect(await codeOf(resendInvitation(founder, { accountId: account.id, memberId: one?.id ?? '' }))).toBe(
      'rate_limited',
    );
    clock.advance(86_400_001);
    await expect(invite()).resolves.toBeDefined();
  });

  it('says, once twenty went out, when the next one may: when the earliest of those is a day old', async () => {
    const { invite, clock, account } = await scene();
    const one = (n: number) => invite({ email: `w${n}-${account.id}@exemple.test` });
    await one(0);
    clock.advance(3_600_000);
    for (let n = 1; n < INVITATIONS_PER_DAY; n++) await one(n);
    clock.advance(5 * 3_600_000);
    await expect(one(20)).rejects.toMatchObject({
      message: expect.stringContaining('dans 18 heures.'),
      options: { retryAfterSeconds: 18 * 3_600 },
    });
    clock.advance(18 * 3_600_000 - 1_000);
    await expect(one(20)).rejects.toMatchObject({
      message: expect.stringContaining('dans 1 minute.'),
      options: { retryAfterSeconds: 1 },
    });
    clock.advance(1_000);
    await one(20);
    await expect(one(21)).rejects.toMatchObject({ options: { retryAfterSeconds: 3_600 } });
  });

  it('carries no web address in a name, in whatever form it is written', async () => {
    const { invite, founder } = await scene();
    for (const name of [
      'Gagnez https://evil.example',
      'Voir www.evil.example',
      'evil.com',
      'Banque ｅｖｉｌ．ｃｏｍ',
      'Gagnez bit.ly/cadeau',
    ]) {
      expect(await codeOf(invite({ name }))).toBe('invalid_request');
      const member = founder.actor as Parameters<typeof updateProfile>[0]['actor'];
      expect(await codeOf(updateProfile({ ...founder, actor: member }, { name }))).toBe('invalid_request');
    }
    for (const name of ['J. R. R. Dupont', 'Agnès St-Clair', 'M. de la Tour'])
      await expect(invite({ name, email: `${createId('member')}@exemple.test` })).resolves.toBeDefined();
  });

  it('adds no line, control or change of direction by a name; names of every script pass', async () => {
    const { invite, founder } = await scene();
    const member = founder.actor as Parameters<typeof updateProfile>[0]['actor'];
    for (const name of [
      'Nour\n\nVotre compte est suspendu',
      'Nour\r\nBcc',
      'Nour\u2028Suite',
      'Nour\u0085Suite',
      'Nour \u202eruoN',
      'Nour \u2067',
      'Nour\u0007',
    ]) {
      expect(await codeOf(invite({ name }))).toBe('invalid_request');
      expect(await codeOf(updateProfile({ ...founder, actor: member }, { name }))).toBe('invalid_request');
    }
    for (const name of ['נועה כהן', 'نور الحداد', '李小龍', 'Zoë 👩\u200d🎨', 'St.Exupéry'])
      await expect(invite({ name, email: `${createId('member')}@exemple.test` })).resolves.toBeDefined();
  });
});

describe('a person', () => {
  /** Somebody who is a member of two accounts, signed in to the first. */
  async function ofTwo() {
    const [home, work] = [await scene(), await scene()];
    const invited = await work.invite({ email: home.member.email });
    const session = await home.signIn(home.member.email);
    if (!session) throw new Error('no code was mailed');
    await acceptInvitation(session.ctx, { memberId: invited.id });
    const actor = async () => (await authenticateSession(home.deps, session.sessionId))?.actor ?? null;
    const go = async (memberId: string) => {
      const now = await actor();
      if (!now) throw new Error('signed out');
      await switchAccount(testContext(service, now, { clock: home.clock }), { memberId });
    };
    return { home, work, invited, session, actor, go };
  }

  it('goes from one of their accounts to another in one session, with the rights of each', async () => {
    const { home, work, invited, actor, go } = await ofTwo();
    expect(await actor()).toMatchObject({
      accountId: work.account.id,
      role: 'MEMBER',
      permissions: ['generate'],
    });
    await go(home.member.id);
    expect(await actor()).toMatchObject({
      accountId: home.account.id,
      memberId: home.member.id,
      role: 'FOUNDER',
    });
    await go(invited.id);
    expect(await actor()).toMatchObject({ accountId: work.account.id });
  });

  it('signs in to the account of their last visit, however many others they belong to', async () => {
    const { home, work, invited } = await ofTwo();
    const seen = (id: string, minutes: number) =>
      service.db.member.update({
        where: { id },
        data: { lastSeenAt: new Date(home.clock.now().getTime() + minutes * 60_000) },
      });
    await seen(home.member.id, 1);
    await seen(invited.id, 2);
    expect(await home.signIn(home.member.email)).toMatchObject({
      accountId: work.account.id,
      memberId: invited.id,
    });
    await seen(home.member.id, 3);
    expect((await home.signIn(home.member.email))?.memberId).toBe(home.member.id);
  });

  it('goes to nobody else’s account, nor to one that suspended them', async () => {
    const { home, work, invited, actor, go } = await ofTwo();
    const stranger = await scene();
    expect(await codeOf(go(stranger.member.id))).toBe('not_found');
    expect(await codeOf(go(work.member.id))).toBe('not_found');
    await go(home.member.id);
    await service.db.member.update({ where: { id: invited.id }, data: { status: 'SUSPENDED' } });
    expect(await codeOf(go(invited.id))).toBe('not_found');
    expect(await actor()).toMatchObject({ accountId: home.account.id });
  });

  it('goes on in a session opened before they joined from another browser, there and nowhere else', async () => {
    const { account, member, invite, signIn, deps } = await scene();
    const invited = await invite();
    const [phone, laptop] = [await signIn(), await signIn()];
    if (!phone || !laptop) throw new Error('no code was mailed');
    expect(await listOwnAccounts(phone.ctx)).toEqual([]);
    await acceptInvitation(laptop.ctx, { memberId: invited.id });
    expect(await authenticateSession(deps, phone.sessionId)).toBeNull();
    const own = { memberId: invited.id, accountName: account.name };
    expect(await listOwnAccounts(phone.ctx)).toEqual([own]);
    const stranger = await scene();
    for (const { id } of [member, stranger.member])
      expect(await codeOf(switchAccount(phone.ctx, { memberId: id }))).toBe('not_found');
    await switchAccount(phone.ctx, { memberId: invited.id });
    const found = await authenticateSession(deps, phone.sessionId);
    expect(found?.actor).toMatchObject({
      accountId: account.id,
      memberId: invited.id,
      role: 'MEMBER',
      permissions: ['generate'],
      operator: false,
    });
    const chosen = await service.db.auditEntry.findMany({
      where: { accountId: account.id, action: 'session.account_chosen' },
    });
    expect(chosen.map(({ actor }) => actor)).toEqual([`member:${invited.id}`]);
  });

  it('goes on in the account that is left when the one of their session was erased, and in none that suspended them', async () => {
    const { home, invited, session, actor } = await ofTwo();
    // As an erasure leaves the sessions of who belongs elsewhere too.
    await service.db.member.update({ where: { id: invited.id }, data: { status: 'REMOVED' } });
    await service.db.session.update({
      where: { id: session.sessionId },
      data: { memberId: null, accountId: null },
    });
    expect(await actor()).toBeNull();
    expect(await listOwnAccounts(session.ctx)).toEqual([
      { memberId: home.member.id, accountName: home.account.name },
    ]);
    const status = (to: 'ACTIVE' | 'SUSPENDED') =>
      service.db.member.update({ where: { id: home.member.id }, data: { status: to } });
    await status('SUSPENDED');
    expect(await listOwnAccounts(session.ctx)).toEqual([]);
    expect(await codeOf(switchAccount(session.ctx, { memberId: home.member.id }))).toBe('not_found');
    await status('ACTIVE');
    await switchAccount(session.ctx, { memberId: home.member.id });
    expect(await actor()).toMatchObject({ accountId: home.account.id, role: 'FOUNDER' });
  });

  it('removed from one account loses its keys and sessions there, keeps the other, and can be invited back', async () => {
    const { home, work, invited, session } = await ofTwo();
    const row = await service.db.member.findUniqueOrThrow({ where: { id: invited.id } });
    const { secret: key } = await makeKey(service, row, { now: work.clock.now() });
    await makeKey(service, row, { now: work.clock.now() });
    await makeTokens(service, row, { clock: work.clock, scopes: ['brain:read'] });
    const gone = { accountId: work.account.id, memberId: invited.id };
    expect(await removeMember(work.founder, gone)).toEqual({ wasInvited: false });
    expect(await authenticateSession(home.deps, session.sessionId)).toBeNull();
    expect(await authenticateKey(home.deps, key, { isWrite: false })).toBeNull();
    // Dead by themselves, not only by their member: nothing that changes the member later gives them back.
    const living = { where: { memberId: invited.id, revokedAt: null } };
    expect([await service.db.developerKey.count(living), await service.db.oAuthGrant.count(living)]).toEqual([
      0, 0,
    ]);
    const entry = await service.db.auditEntry.findFirst({
      where: { accountId: gone.accountId, action: 'member.removed' },
    });
    expect(entry).toMatchObject({
      subjectId: invited.id,
      data: { keysRevoked: 2, applicationsRevoked: 1 },
    });
    expect(await service.db.member.findUnique({ where: { id: invited.id } })).toMatchObject({
      name: 'Nour',
      email: null,
      personId: null,
      status: 'REMOVED',
    });
    expect((await listMembers(work.founder)).map(({ id }) => id)).toEqual([work.member.id]);
    const waiting = { accountId: work.account.id, memberId: (await work.invite()).id };
    expect(await removeMember(work.founder, waiting)).toEqual({ wasInvited: true });
    const again = await home.signIn(home.member.email);
    expect(again?.memberId).toBe(home.member.id);
    const second = await work.invite({ email: home.member.email });
    await acceptInvitation(again?.ctx as never, { memberId: second.id });
  });

  it('cannot be removed by themselves, as the last founder, or by a founder elsewhere', async () => {
    const { account, member, founder } = await scene();
    const stranger = await scene();
    const target = { accountId: account.id, memberId: member.id };
    expect(await codeOf(removeMember(founder, target))).toBe('conflict');
    expect(await codeOf(removeMember(testContext(service, { type: 'admin' as const }), target))).toBe(
      'conflict',
    );
    expect(await codeOf(removeMember(stranger.founder, target))).toBe('forbidden');
    const second = await makeMember(service, account.id, { role: 'FOUNDER' });
    await removeMember(founder, { accountId: account.id, memberId: second.id });
  });

  it('who chose no account is signed out at the end of their session too', async () => {
    const { clock, invite, signIn, deps } = await scene();
    await invite();
    const session = await signIn();
    if (!session) throw new Error('no code was mailed');
    clock.advance(30 * 86_400_000 - 1);
    expect(await authenticatePerson(deps, session.sessionId)).not.toBeNull();
    clock.advance(1);
    expect(await authenticatePerson(deps, session.sessionId)).toBeNull();
  });

  it('signs in again after 90 days, however often they came', async () => {
    const { clock, account, member, deps } = await scene();
    const { sessionId } = await openSession(deps, { accountId: account.id, memberId: member.id });
    for (let day = 0; day < 90; day += 5) {
      expect(await authenticateSession(deps, sessionId)).not.toBeNull();
      clock.advance(5 * 86_400_000);
    }
    expect(await authenticateSession(deps, sessionId)).toBeNull();
  });
});
