import { expect, it } from 'vitest';
import type { PersonActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import type { Queries } from '#lib/db/types.ts';
import { createAccount } from '#lib/identity/accounts/create-account.ts';
import { acceptInvitation, declineInvitation } from '#lib/identity/invitations/answer-invitation.ts';
import { eraseMember } from '#lib/identity/members/erase-member.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { suspendMember, updateMember } from '#lib/identity/members/update-member.ts';
import { updateProfile } from '#lib/identity/members/update-profile.ts';
import { eraseOrphanPersons } from '#lib/identity/people/erase-person.ts';
import { switchAccount } from '#lib/identity/people/switch-account.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { newBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { requestSignInCode } from '#lib/identity/sign-in/request-sign-in-code.ts';
import { verifySignInCode } from '#lib/identity/sign-in/verify-sign-in-code.ts';
import { makeAccount, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneAcrossAnother } from '#tests/factories/statements/one-across-another.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 8 });
const secret = 'session-secret-of-the-tests-0123456789';
let networks = 0;

/** A member of one account with a session there, and how they sign in anew in that browser. */
async function scene() {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const now = clock.now();
  const { account, actor } = await makeAccount(service, { now });
  const member = await makeMember(service, account.id, { role: 'MEMBER', now });
  const who = { accountId: account.id, memberId: member.id };
  const { sessionId } = await openSession({ clock, kysely: service.kysely }, who);
  const founder = testContext(service, actor, { clock });
  const personId = member.personId as string;
  const person: PersonActor = { type: 'person', personId, sessionId };
  const posted: Mail[] = [];
  const deps = { secret, post: (mail: Mail) => void posted.push(mail) };
  networks += 1;
  const from = { email: member.email, network: `203.0.113.${networks}`, browser: newBrowserToken() };
  const anonymous = testContext(service, { type: 'anonymous' as const }, { clock });
  const codeMailed = async () => {
    await requestSignInCode(anonymous, from, deps);
    return /\b\d{6}\b/.exec(posted.at(-1)?.text ?? '')?.[0] ?? '';
  };
  const enter = async (kysely: Queries, code: string) =>
    verifySignInCode(
      { ...anonymous, kysely },
      { ...from, code, userAgent: 'test', previousSessionId: sessionId },
      deps,
    );
  const erase = (kysely: Queries) => eraseMember({ ...founder, kysely }, who);
  return { clock, account, member, who, sessionId, personId, person, founder, codeMailed, enter, erase };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** The person is invited elsewhere, and accepts in a session. */
async function invitedElsewhere({ clock, member, person }: Scene, sessionId: string) {
  const { account, actor } = await makeAccount(service, { now: clock.now() });
  const { id: memberId } = await inviteMember(testContext(service, actor, { clock }), {
    accountId: account.id,
    email: member.email,
    name: 'Nour',
    role: 'MEMBER',
    permissions: [],
  });
  const own = testContext(service, { ...person, sessionId }, { clock });
  const accept = (kysely: Queries) => acceptInvitation({ ...own, kysely }, { memberId });
  const joined = () => service.db.member.findUniqueOrThrow({ where: { id: memberId } });
  return { accept, joined };
}

it.each(['of the account that erases them', 'of no account'])(
  'who joins another account while one erases them stays a person there: one waits for the other, in a session %s',
  async (which) => {
    const at = await scene();
    const sessionId = createId('session', at.clock.now());
    await service.db.session.create({
      data: {
        id: sessionId,
        personId: at.personId,
        createdAt: at.clock.now(),
        lastSeenAt: at.clock.now(),
        expiresAt: new Date('2026-12-20T10:00:00Z'),
        ...(which === 'of no account' ? {} : at.who),
      },
    });
    const { accept, joined } = await invitedElsewhere(at, sessionId);
    const erase = () => at.erase(service.kysely);
    expect(await oneAcrossAnother(service, accept, /^update "Session"/, erase)).toEqual(['done', 'done']);
    expect(await joined()).toMatchObject({ status: 'ACTIVE', personId: at.personId });
    expect(await service.db.person.count({ where: { id: at.personId } })).toBe(1);
  },
);

it('who signs in over a session of the account that erases them meanwhile: one waits for the other, never crosswise', async () => {
  const at = await scene();
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow = interceptedQueries(service.connection.pool, {
    // It has the codes that there were, and nothing else yet.
    before({ text }) {
      if (!/from "Passkey"/.test(text)) return;
      reached.resolve();
      return go.promise;
    },
  });
  const erased = at.erase(slow).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
  await reached.promise;
  const code = await at.codeMailed();
  const entering = interceptedQueries(service.connection.pool, {
    async before({ text }) {
      if (!/^insert into "Person"/.test(text)) return;
      go.resolve();
      await Promise.race([erased, untilBlocked(service)]);
    },
  });
  const entered = await at.enter(entering, code).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
  expect([entered, await erased]).toEqual(['done', 'done']);
  expect(await service.db.session.count({ where: { personId: at.personId } })).toBe(0);
});

it.each<[string, (at: Scene) => Promise<unknown>]>([
  ['erased', (at) => at.erase(service.kysely)],
  ['removed', ({ founder, who }) => removeMember(founder, who)],
  ['suspended', ({ founder, who }) => suspendMember(founder, who)],
])('who is being %s gets no session: a right code waits for that, and is refused', async (_, end) => {
  const at = await scene();
  const people = await service.db.person.count();
  const code = await at.codeMailed();
  const enter = () => at.enter(service.kysely, code);
  expect(await oneBeforeAnother(service, () => end(at), enter)).toEqual(['done', 'unauthenticated']);
  const alive = { memberId: at.member.id, revokedAt: null };
  expect(await service.db.session.count({ where: alive })).toBe(0);
  // Nobody is made anew of the address.
  expect(await service.db.person.count()).toBeLessThanOrEqual(people);
  expect(await service.db.person.count({ where: { id: { not: at.personId }, email: at.member.email } })).toBe(
    0,
  );
});

it.each<[string, (at: Scene) => Promise<unknown>]>([
  ['removed', ({ founder, who }) => removeMember(founder, who)],
  ['suspended', ({ founder, who }) => suspendMember(founder, who)],
])('who is being %s goes on there in no session of another account', async (_, end) => {
  const at = await scene();
  const sessionId = createId('session', at.clock.now());
  const { personId, person, clock } = at;
  await service.db.session.create({
    data: {
      id: sessionId,
      personId,
      createdAt: clock.now(),
      lastSeenAt: clock.now(),
      expiresAt: new Date('2026-12-20T10:00:00Z'),
    },
  });
  const own = (kysely: Queries) => ({
    ...testContext(service, { ...person, sessionId }, { clock }),
    kysely,
  });
  const change = (kysely: Queries) => switchAccount(own(kysely), { memberId: at.member.id });
  // It was allowed, and nothing of it is committed.
  await oneAcrossAnother(service, change, /^insert into "AuditEntry"|audit\.insert/, () => end(at));
  const alive = { memberId: at.member.id, revokedAt: null };
  expect(await service.db.session.count({ where: alive })).toBe(0);
});

it('somebody who comes back while the night forgets strays is not forgotten', async () => {
  const at = await scene();
  await removeMember(at.founder, at.who);
  at.clock.advance(31 * 86_400_000);
  const night = testContext(service, { type: 'system', job: 'retention' } as const, { clock: at.clock });
  let isBack = false;
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ label }) {
      if (label !== 'begin' || isBack) return;
      isBack = true;
      await invitedElsewhere(at, at.sessionId);
      await at.enter(service.kysely, await at.codeMailed());
    },
  });
  await eraseOrphanPersons({ ...night, kysely });
  expect([isBack, await service.db.person.count({ where: { id: at.personId } })]).toEqual([true, 1]);
  expect(await service.db.session.count({ where: { personId: at.personId, revokedAt: null } })).toBe(1);
});

it('an account is founded by somebody who is being forgotten: it waits for that, and they are made anew', async () => {
  const { founder, who, member, clock, personId } = await scene();
  await removeMember(founder, who);
  clock.advance(31 * 86_400_000);
  const night = testContext(service, { type: 'system', job: 'retention' } as const, { clock });
  const shell = testContext(service, { type: 'admin' } as const, { clock });
  const forget = (kysely: Queries) => eraseOrphanPersons({ ...night, kysely });
  const found = () =>
    createAccount(shell, { name: 'Atelier Rive', founder: { email: member.email, name: 'Nour' } });
  const isTheirs = { email: member.email };
  // Those of the other tests first: the night has come to this very person.
  await service.db.person.deleteMany({ where: { members: { none: {} }, sessions: { none: {} } } });
  expect(await oneAcrossAnother(service, forget, /^delete from "Person"/, found)).toEqual(['done', 'done']);
  expect(await service.db.person.count({ where: { id: personId } })).toBe(0);
  const founded = await service.db.member.findFirstOrThrow({ where: isTheirs });
  const made = await service.db.person.findUniqueOrThrow({ where: isTheirs });
  expect(founded).toMatchObject({ status: 'ACTIVE', personId: made.id });
});

it('a member who renames themselves while a founder changes their rights keeps that name: the founder is told', async () => {
  const { founder, who, member, clock } = await scene();
  const own = testContext(service, memberActor(member), { clock });
  const change = (kysely: Queries) =>
    updateMember(
      { ...founder, kysely },
      { ...who, name: member.name, role: 'MEMBER', permissions: ['generate'] },
    );
  const rename = () => updateProfile(own, { name: 'Nour Aubry' });
  expect(await oneAcrossAnother(service, change, /^update "Member"/, rename)).toEqual(['conflict', 'done']);
  expect(await service.db.member.findUniqueOrThrow({ where: { id: member.id } })).toMatchObject({
    name: 'Nour Aubry',
    permissions: [],
  });
});

it('an invitation that its addressee declines while it is suspended stays declined: it comes back to nobody', async () => {
  const at = await scene();
  const { account, actor } = await makeAccount(service, { now: at.clock.now() });
  const elsewhere = testContext(service, actor, { clock: at.clock });
  const { id: memberId } = await inviteMember(elsewhere, {
    accountId: account.id,
    email: at.member.email,
    name: 'Nour',
    role: 'MEMBER',
    permissions: [],
  });
  const suspend = (kysely: Queries) =>
    suspendMember({ ...elsewhere, kysely }, { accountId: account.id, memberId });
  const decline = () => declineInvitation(testContext(service, at.person, { clock: at.clock }), { memberId });
  expect(await oneAcrossAnother(service, suspend, /^update "Member"/, decline)).toEqual([
    'not_found',
    'done',
  ]);
  expect(await service.db.member.findUniqueOrThrow({ where: { id: memberId } })).toMatchObject({
    status: 'REMOVED',
    email: null,
  });
});
