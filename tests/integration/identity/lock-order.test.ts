import { describe, expect, it } from 'vitest';
import type { MemberActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import type { Queries } from '#lib/db/types.ts';
import { setOperator } from '#lib/identity/accounts/set-operator.ts';
import { closeAccount } from '#lib/identity/closing/close-account.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { eraseMember } from '#lib/identity/members/erase-member.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { addPasskey, beginPasskey } from '#lib/identity/passkeys/add-passkey.ts';
import { purgeExpired } from '#lib/identity/purge-expired.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { revokeAllSessions } from '#lib/identity/sessions/revoke-session.ts';
import { newBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { requestSignInCode } from '#lib/identity/sign-in/request-sign-in-code.ts';
import { verifySignInCode } from '#lib/identity/sign-in/verify-sign-in-code.ts';
import { sendVerificationCode, verifyByCode } from '#lib/identity/verification/verify-by-code.ts';
import { passkeyVerificationOptions, verifyByPasskey } from '#lib/identity/verification/verify-by-passkey.ts';
import { setCeiling } from '#lib/ledger/budget/set-ceiling.ts';
import { refreshTokens } from '#lib/oauth/refresh-tokens.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { Authenticator } from '#tests/factories/authenticator.ts';
import { testContext } from '#tests/factories/context.ts';
import { ISSUER, makeTokens, NETWORK } from '#tests/factories/oauth.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { takenInOrder } from '#tests/factories/statements/taken-in-order.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 8 });
const secret = 'session-secret-of-the-tests-0123456789';
const PARTY = { id: 'atelier.exemple.fr', origin: 'https://atelier.exemple.fr' };
let networks = 0;

/** A founder, and a member who signed in, in one browser, with a key and an application. */
async function scene() {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const { account, actor } = await makeAccount(service, { now: clock.now() });
  const member = await makeMember(service, account.id, { role: 'MEMBER', now: clock.now() });
  const who = { accountId: account.id, memberId: member.id };
  const { sessionId } = await openSession({ clock, kysely: service.kysely }, who);
  const { key } = await makeKey(service, member, { now: clock.now() });
  const { client, tokens } = await makeTokens(service, member, { clock });
  const posted: Mail[] = [];
  const deps = { secret, post: (mail: Mail) => posted.push(mail) };
  networks += 1;
  const from = { network: `203.0.113.${networks}`, browser: newBrowserToken() };
  const founder = testContext(service, actor, { clock });
  const anonymous = testContext(service, { type: 'anonymous' as const }, { clock });
  const own = (kysely: Queries): Context<MemberActor> => ({
    ...testContext(service, { ...memberActor(member), sessionId }, { clock }),
    kysely,
  });
  const mailed = () => /\b\d{6}\b/.exec(posted.at(-1)?.text ?? '')?.[0] ?? '';
  return {
    clock,
    account,
    member,
    who,
    key,
    client,
    tokens,
    deps,
    from,
    founder,
    anonymous,
    own,
    mailed,
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;
/** What somebody does, on the connections that are given. */
type Run = (kysely: Queries) => Promise<unknown>;

/** What came of it; a deadlock says so. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

/** `first` until it is about to send a statement, then `second` until it waits for it, or has ended, then both to their ends. */
async function crossing(
  first: Run,
  at: RegExp,
  second: () => Promise<unknown>,
): Promise<[string, string | undefined]> {
  const meanwhile: Promise<string>[] = [];
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ text }) {
      if (meanwhile.length > 0 || !at.test(text)) return;
      meanwhile.push(outcomeOf(second()));
      await Promise.race([...meanwhile, untilBlocked(service)]);
    },
  });
  const done = await outcomeOf(first(kysely));
  return [done, await meanwhile[0]];
}

function replacing({ own, account, key }: Scene): Run {
  const input = { accountId: account.id, keyId: key.id, overlapDays: 0 };
  return (kysely) => rotateKey(own(kysely), input);
}

function ending({ own }: Scene): Run {
  return (kysely) => revokeAllSessions(own(kysely), { withCredentials: true });
}

async function provingByCode({ own, from, deps, mailed }: Scene): Promise<Run> {
  await sendVerificationCode(own(service.kysely), from, deps);
  const input = { ...from, code: mailed(), userAgent: 'test' };
  return (kysely) => verifyByCode(own(kysely), input, deps);
}

async function provingByPasskey({ own, from, deps }: Scene): Promise<Run> {
  const ctx = own(service.kysely);
  const key = new Authenticator();
  const at = (challenge: string) => ({ challenge, rpId: PARTY.id, origin: PARTY.origin });
  const { challenge, user } = await beginPasskey(ctx, { browser: from.browser, party: PARTY }, deps);
  const made = key.make(at(challenge), { userHandle: user.id });
  await addPasskey(ctx, { name: 'Téléphone', made, browser: from.browser, party: PARTY }, deps);
  const options = await passkeyVerificationOptions(ctx, { browser: from.browser, party: PARTY }, deps);
  const answer = key.use(at(options?.challenge ?? ''));
  return (kysely) => verifyByPasskey(own(kysely), { answer, party: PARTY, ...from }, deps);
}

function refreshing({ anonymous, client, tokens }: Scene): Run {
  const sent = { clientId: client.id, refreshToken: tokens.refresh_token, scope: null, resources: [] };
  return (kysely) =>
    refreshTokens({ ...anonymous, kysely }, { ...sent, network: NETWORK, issuer: ISSUER, secret });
}

describe('who locks the same rows at the same moment waits for one another, never crosswise', () => {
  it('a right code that is sent twice', async () => {
    const { member, anonymous, from, deps, mailed } = await scene();
    await requestSignInCode(anonymous, { ...from, email: member.email }, deps);
    const input = { ...from, email: member.email, code: mailed(), userAgent: 'test' };
    const enter: Run = (kysely) => verifySignInCode({ ...anonymous, kysely }, input, deps);
    expect(await crossing(enter, /^delete from "SignInFailure"/, () => enter(service.kysely))).toEqual([
      'done',
      'unauthenticated',
    ]);
  });

  it('the same in a browser that is known', async () => {
    const { member, anonymous, from, deps, mailed, clock } = await scene();
    const ask = async () => {
      clock.advance(1_000);
      await requestSignInCode(anonymous, { ...from, email: member.email }, deps);
      return { ...from, email: member.email, code: mailed(), userAgent: 'test' };
    };
    await verifySignInCode(anonymous, await ask(), deps);
    const input = await ask();
    const enter: Run = (kysely) => verifySignInCode({ ...anonymous, kysely }, input, deps);
    expect(await crossing(enter, /^delete from "SignInFailure"/, () => enter(service.kysely))).toEqual([
      'done',
      'unauthenticated',
    ]);
  });

  it('a passkey that proves who is there, while everything is ended elsewhere', async () => {
    const at = await scene();
    const prove = await provingByPasskey(at);
    const end = () => ending(at)(service.kysely);
    expect(await crossing(prove, /^update "Session" set "verifiedAt"/, end)).toEqual(['done', 'done']);
  });

  it.each<[string, RegExp, (at: Scene) => Run | Promise<Run>]>([
    ['replaces a key', /from "DeveloperKey" where .* for update$/, replacing],
    ['ends everything everywhere', /^update "DeveloperKey"/, ending],
    ['proves who they are by a code', /^update "Session" set "verifiedAt"/, provingByCode],
    ['proves who they are by a passkey', /^update "Session" set "verifiedAt"/, provingByPasskey],
    ['has an application that refreshes its tokens', /^insert into "OAuthToken"/, refreshing],
  ])('a member who %s, while a founder erases them', async (_, statement, prepare) => {
    const at = await scene();
    const first = await prepare(at);
    const erase = () => eraseMember(at.founder, at.who);
    expect(await crossing(first, statement, erase)).toEqual(['done', 'done']);
    expect(await service.db.session.count({ where: { personId: at.member.personId as string } })).toBe(0);
  });

  it('a sign-in whose former session is in another account, where the member is being erased', async () => {
    const { clock, member, who, founder, anonymous, from, deps, mailed } = await scene();
    const now = clock.now();
    const { sessionId } = await openSession({ clock, kysely: service.kysely }, who);
    // The same person elsewhere, where they were last: that is what the sign-in opens.
    const { account: elsewhere } = await makeAccount(service, { now });
    await service.db.member.create({
      data: {
        id: createId('member', now),
        accountId: elsewhere.id,
        personId: member.personId,
        email: member.email,
        name: member.name,
        role: 'MEMBER',
        status: 'ACTIVE',
        createdAt: now,
        updatedAt: now,
        lastSeenAt: now,
      },
    });
    const erase: Run = (kysely) => eraseMember({ ...founder, kysely }, who);
    // Asked for once the erasure holds the codes that there were.
    const enter = async () => {
      await requestSignInCode(anonymous, { ...from, email: member.email }, deps);
      const input = { ...from, email: member.email, code: mailed(), userAgent: 'test' };
      const opened = await verifySignInCode(anonymous, { ...input, previousSessionId: sessionId }, deps);
      expect(opened.accountId).toBe(elsewhere.id);
    };
    expect(await crossing(erase, /^select "id" from "OAuthCode"/, enter)).toEqual(['done', 'done']);
    expect(await service.db.session.count({ where: { id: sessionId, revokedAt: null } })).toBe(0);
  });

  it('a person of two accounts who ends everything everywhere, while the night erases one of them', async () => {
    const { account, clock, member } = await scene();
    const now = clock.now();
    const { account: elsewhere } = await makeAccount(service, { now });
    const there = await service.db.member.create({
      data: {
        id: createId('member', now),
        accountId: elsewhere.id,
        personId: member.personId,
        email: member.email,
        name: member.name,
        role: 'FOUNDER',
        status: 'ACTIVE',
        createdAt: now,
        updatedAt: now,
        lastSeenAt: now,
      },
    });
    await service.db.webhookEndpoint.create({
      data: {
        id: createId('webhookEndpoint', now),
        accountId: account.id,
        createdById: member.id,
        url: 'https://a.boutique.fr/',
        events: ['memory.added'],
        secret: Buffer.from('sealed'),
        createdAt: now,
        updatedAt: now,
      },
    });
    // Its erasure began another night: who goes on with it waits for no member.
    const closedAt = new Date(now.getTime() - 31 * 86_400_000);
    await service.db.account.update({ where: { id: account.id }, data: { closedAt, erasingAt: now } });
    await service.db.member.updateMany({ where: { accountId: account.id }, data: { status: 'REMOVED' } });
    const from = { accountId: elsewhere.id, memberId: there.id };
    const { sessionId } = await openSession({ clock, kysely: service.kysely }, from);
    const everywhere: Run = (kysely) => {
      const ctx = testContext({ ...service, kysely }, { ...memberActor(there), sessionId }, { clock });
      return revokeAllSessions(ctx, { withCredentials: true });
    };
    const system = testContext(service, { type: 'system', job: 'retention' } as const, { clock });
    const files = { store: null, storeToken: null, storeApiUrl: null };
    const erase = async () => expect(await eraseClosed({ ...system, files })).toBe(1);
    expect(await crossing(everywhere, /^update "WebhookEndpoint"/, erase)).toEqual(['done', 'done']);
    expect(await service.db.webhookEndpoint.count({ where: { accountId: account.id } })).toBe(0);
    expect(await service.db.session.count({ where: { id: sessionId, revokedAt: null } })).toBe(0);
  });

  it('an account that is closed while it becomes the operator’s, which it then is, open', async () => {
    await makeAccount(service, { operator: true });
    const { account, clock, founder } = await scene();
    const shell = testContext(service, { type: 'admin' } as const, { clock });
    const naming: Run = (kysely) => setOperator({ ...shell, kysely }, { accountId: account.id });
    const closing = () => closeAccount(founder, { accountId: account.id, name: account.name });
    expect(await crossing(naming, /^update "Account"/, closing)).toEqual(['done', 'conflict']);
    expect(await service.db.account.findUnique({ where: { id: account.id } })).toMatchObject({
      isOperator: true,
      closedAt: null,
    });
  });

  it('an account whose erasure begins while its ceiling is set, which then stays as it was', async () => {
    const { account, clock, founder } = await scene();
    const closedAt = new Date(clock.now().getTime() - 31 * 86_400_000);
    await service.db.account.update({ where: { id: account.id }, data: { closedAt } });
    const system = testContext(service, { type: 'system', job: 'retention' } as const, { clock });
    const files = { store: null, storeToken: null, storeApiUrl: null };
    const erase = () => eraseClosed({ ...system, files });
    const operator = { ...founder, actor: { ...founder.actor, operator: true } };
    const set = () => setCeiling(operator, { accountId: account.id, monthlyCeilingMicros: 1_000_000n });
    // The night has begun with the account, and has its members still to shut out.
    expect(await oneBeforeAnother(service, erase, set, 'Member')).toEqual(['done', 'conflict']);
    expect(
      await service.db.budget.count({
        where: { accountId: account.id, monthlyCeilingMicros: { not: null } },
      }),
    ).toBe(0);
  });

  it('a night that purges waits for nobody: what somebody holds stays for another', async () => {
    const { clock, member } = await scene();
    const at = clock.now();
    const ended = (id: string) => ({
      id,
      personId: member.personId as string,
      createdAt: at,
      lastSeenAt: at,
      expiresAt: at,
    });
    const [held, other] = [createId('session', at), createId('session', at)];
    await service.db.session.createMany({ data: [ended(held), ended(other)] });
    clock.advance(91 * 86_400_000);
    const ctx = testContext(service, { type: 'system', job: 'retention' } as const, { clock });
    const hold = { text: 'SELECT 1 FROM "Session" WHERE id = $1 FOR UPDATE', values: [held] };
    const { waited } = await claimedMeanwhile(service, hold, () => purgeExpired(ctx));
    expect(waited).toBe(false);
    const left = await service.db.session.findMany({ where: { id: { in: [held, other] } } });
    expect(left.map(({ id }) => id)).toEqual([held]);
  });
});

describe('what is ended together is taken in one order', () => {
  const first = manualClock('2026-11-22T10:00:01Z');
  const last = manualClock('2026-11-22T10:00:02Z');
  const whoever: [string, (at: Scene) => Promise<unknown>][] = [
    ['by the person, everywhere', (at) => ending(at)(service.kysely)],
    ['by a founder who removes them', ({ founder, who }) => removeMember(founder, who)],
  ];

  // In the table, and by date, the rows are the other way round.
  it.each(whoever)('sessions, %s', async (_, end) => {
    const at = await scene();
    const expiresAt = new Date('2026-12-01T10:00:00Z');
    const made = (id: string, createdAt: Date) => ({
      id,
      personId: at.member.personId as string,
      ...at.who,
      createdAt,
      lastSeenAt: createdAt,
      expiresAt,
    });
    const ids = [createId('session', first.now()), createId('session', last.now())] as const;
    await service.db.session.createMany({ data: [made(ids[1], first.now()), made(ids[0], last.now())] });
    await takenInOrder(service, { table: 'Session', ids }, () => end(at));
    expect(await service.db.session.count({ where: { id: { in: [...ids] }, revokedAt: null } })).toBe(0);
  });

  it.each(whoever)('keys, %s', async (_, end) => {
    const at = await scene();
    const later = await makeKey(service, at.member, { now: last.now() });
    const sooner = await makeKey(service, at.member, { now: first.now() });
    const ids = [sooner.key.id, later.key.id] as const;
    await takenInOrder(service, { table: 'DeveloperKey', ids }, () => end(at));
    expect(await service.db.developerKey.count({ where: { id: { in: [...ids] }, revokedAt: null } })).toBe(0);
  });

  it.each(whoever)('connections of applications, %s', async (_, end) => {
    const at = await scene();
    await makeTokens(service, at.member, { clock: last });
    await makeTokens(service, at.member, { clock: first });
    const grantOf = (clock: typeof first) =>
      service.db.oAuthGrant.findFirstOrThrow({ where: { memberId: at.member.id, createdAt: clock.now() } });
    const ids = [(await grantOf(first)).id, (await grantOf(last)).id] as const;
    await takenInOrder(service, { table: 'OAuthGrant', ids }, () => end(at));
    expect(await service.db.oAuthGrant.count({ where: { id: { in: [...ids] }, revokedAt: null } })).toBe(0);
  });
});
