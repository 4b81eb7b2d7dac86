import { describe, expect, it, test } from 'vitest';
import type { AnonymousActor, MemberActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { addPasskey, beginPasskey, MAX_PASSKEYS } from '#lib/identity/passkeys/add-passkey.ts';
import { listPasskeys } from '#lib/identity/passkeys/list-passkeys.ts';
import { removePasskey } from '#lib/identity/passkeys/remove-passkey.ts';
import type { UsedPasskey } from '#lib/identity/passkeys/schemas.ts';
import { passkeySignInOptions, signInWithPasskey } from '#lib/identity/passkeys/sign-in-with-passkey.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { revokeAllSessions } from '#lib/identity/sessions/revoke-session.ts';
import { newBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { passkeyVerificationOptions, verifyByPasskey } from '#lib/identity/verification/verify-by-passkey.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { Authenticator } from '#tests/factories/authenticator.ts';
import { type LogLine, testContext } from '#tests/factories/context.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const secret = 'session-secret-of-the-tests-0123456789';
const PARTY = { id: 'atelier.exemple.fr', origin: 'https://atelier.exemple.fr' };
const ANONYMOUS: AnonymousActor = { type: 'anonymous' };
let networks = 0;

/** A founder signed in at ten o'clock in one browser, with what a passkey needs there. */
async function scene() {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const lines: LogLine[] = [];
  const { account, member } = await makeAccount(service, { now: clock.now() });
  const { sessionId } = await openSession(
    { clock, kysely: service.kysely },
    { accountId: account.id, memberId: member.id },
  );
  const browser = newBrowserToken();
  networks += 1;
  const network = `198.51.100.${networks}`;
  const posted: Mail[] = [];
  const deps = { secret, post: (mail: Mail) => posted.push(mail) };
  const anonymous = testContext(service, ANONYMOUS, { clock, lines });
  const appear = async (id = sessionId): Promise<Context<MemberActor>> => {
    const found = await authenticateSession({ kysely: service.kysely, clock }, id);
    if (!found) throw new Error('the session has ended');
    return testContext(service, found.actor, { clock, lines });
  };
  const at = (challenge: string) => ({ challenge, rpId: PARTY.id, origin: PARTY.origin });
  const make = async (key = new Authenticator()) => {
    const { challenge, user } = await beginPasskey(await appear(), { browser, party: PARTY }, deps);
    return { key, made: key.make(at(challenge), { userHandle: user.id }) };
  };
  const add = async (name = 'Téléphone', key = new Authenticator()) => {
    const { made } = await make(key);
    await addPasskey(await appear(), { name, made, browser, party: PARTY }, deps);
    return key;
  };
  const ask = async (from = browser) =>
    at((await passkeySignInOptions(anonymous, { browser: from, party: PARTY }, deps)).challenge);
  const enter = (answer: UsedPasskey, over: { browser?: string | null; previousSessionId?: string } = {}) =>
    signInWithPasskey(
      anonymous,
      { answer, party: PARTY, network, browser, userAgent: 'test', ...over },
      deps,
    );
  const askProof = async () => {
    const options = await passkeyVerificationOptions(await appear(), { browser, party: PARTY }, deps);
    return options && at(options.challenge);
  };
  const prove = async (answer: UsedPasskey) =>
    verifyByPasskey(await appear(), { answer, party: PARTY, network, browser }, deps);
  const sessions = () => service.db.session.count({ where: { personId: member.personId as string } });
  return {
    clock,
    lines,
    account,
    member,
    sessionId,
    browser,
    posted,
    appear,
    at,
    make,
    add,
    ask,
    enter,
    askProof,
    prove,
    sessions,
    deps,
  };
}

const refusalOf = (work: Promise<unknown>): Promise<{ code: string; message: string }> =>
  work.then(
    () => ({ code: 'done', message: '' }),
    (error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      return { code: error.code, message: error.message };
    },
  );

describe('a passkey', () => {
  it('is added, told by mail and in the audit, signs in, and says when it last did', async () => {
    const { clock, account, member, posted, appear, add, ask, enter } = await scene();
    const key = await add('Téléphone d’Agnès');
    expect(posted.map(({ to, subject }) => [to, subject])).toEqual([
      [member.email, 'Nouvelle clé d’accès Atelier en votre nom'],
    ]);
    clock.advance(86_400_000);
    const { sessionId, memberId } = await enter(key.use(await ask()));
    expect(memberId).toBe(member.id);
    const inside = await appear(sessionId);
    expect(inside.actor).toMatchObject({ accountId: account.id, verifiedAt: clock.now() });
    expect(await listPasskeys(inside)).toMatchObject([
      { name: 'Téléphone d’Agnès', lastUsedAt: clock.now() },
    ]);
    expect(posted.at(-1)?.subject).toBe('Nouvelle connexion à Atelier');
    const audit = await service.db.auditEntry.findMany({ where: { accountId: account.id } });
    expect(audit.map(({ action }) => action)).toEqual(['passkey.added', 'session.opened']);
    const row = await service.db.passkey.findFirstOrThrow({ where: { personId: member.personId as string } });
    expect(row.transports).toEqual(['internal', 'hybrid']);
  });

  it('one person has several, no more than twenty, each removed alone; none of another person', async () => {
    const { clock, appear, add, make, browser, deps, enter, ask } = await scene();
    const first = await add('Un');
    for (let n = 2; n <= MAX_PASSKEYS; n += 1) {
      clock.advance(1_000);
      await add(`Clé ${n}`);
    }
    expect((await refusalOf(make())).code).toBe('conflict');
    const mine = await listPasskeys(await appear());
    expect(mine).toHaveLength(20);
    const other = await scene();
    const theirs = await other.appear();
    const passkeyId = mine.at(-1)?.id as string;
    expect((await refusalOf(removePasskey(theirs, { passkeyId }))).code).toBe('not_found');
    expect(await listPasskeys(theirs)).toEqual([]);
    await removePasskey(await appear(), { passkeyId });
    expect((await refusalOf(enter(first.use(await ask())))).code).toBe('unauthenticated');
    const { key, made } = await make();
    await addPasskey(await appear(), { name: 'Encore', made, browser, party: PARTY }, deps);
    await enter(key.use(await ask()));
  });

  it('is not made anew on a device that holds one: the browser is told which there are', async () => {
    const { appear, add, browser, deps } = await scene();
    const options = async () => beginPasskey(await appear(), { browser, party: PARTY }, deps);
    expect((await options()).excludeCredentials).toEqual([]);
    const { id } = (await add()).use({ challenge: '', rpId: PARTY.id, origin: PARTY.origin });
    expect((await options()).excludeCredentials).toMatchObject([{ id }]);
  });

  it('is counted once another that is being added is: of two in one moment, the twentieth alone', async () => {
    const { clock, member, appear, at, make, browser, deps } = await scene();
    const personId = member.personId as string;
    // In another account of the same person: what one member adds waits for that member's own row too.
    const elsewhere = await makeAccount(service, { now: clock.now() });
    await service.db.member.update({ where: { id: elsewhere.member.id }, data: { personId } });
    const { sessionId } = await openSession(
      { clock, kysely: service.kysely },
      { accountId: elsewhere.account.id, memberId: elsewhere.member.id },
    );
    await service.db.passkey.createMany({
      data: Array.from({ length: MAX_PASSKEYS - 1 }, (_, n) => ({
        id: createId('passkey', clock.now()),
        personId,
        credentialId: `${personId}-${n}`,
        publicKey: new Uint8Array([n]),
        counter: 0n,
        aaguid: '',
        name: `Clé ${n}`,
        createdAt: clock.now(),
      })),
    });
    const [here, there] = [await appear(), await appear(sessionId)];
    const { made: one } = await make();
    const begun = await beginPasskey(there, { browser, party: PARTY }, deps);
    const other = new Authenticator().make(at(begun.challenge), { userHandle: begun.user.id });
    const add = (ctx: typeof here, made: typeof one) => () =>
      addPasskey(ctx, { name: 'Encore', made, browser, party: PARTY }, deps);
    expect(await oneBeforeAnother(service, add(here, one), add(there, other))).toEqual(['done', 'conflict']);
    expect(await service.db.passkey.count({ where: { personId } })).toBe(20);
  });

  it('is neither added nor removed in a session that proved nothing lately', async () => {
    const { clock, appear, add, browser, deps } = await scene();
    await add();
    const [{ id: passkeyId } = { id: '' }] = await listPasskeys(await appear());
    clock.advance(10 * 60_000 + 1_000);
    const ctx = await appear();
    const begun = beginPasskey(ctx, { browser, party: PARTY }, deps);
    expect((await refusalOf(begun)).code).toBe('verification_required');
    expect((await refusalOf(removePasskey(ctx, { passkeyId }))).code).toBe('verification_required');
  });

  it('is not added over another browser’s, another session’s or an old challenge, from another origin, or twice', async () => {
    const { clock, appear, at, make, browser, deps, sessions } = await scene();
    const keep = async (made: Awaited<ReturnType<typeof make>>['made'], from = browser) =>
      (await refusalOf(addPasskey(await appear(), { name: 'Clé', made, browser: from, party: PARTY }, deps)))
        .code;
    const { made } = await make();
    expect(await keep(made, newBrowserToken())).toBe('invalid_request');
    const other = await scene();
    expect(await keep((await other.make()).made)).toBe('invalid_request');
    const { challenge, user } = await beginPasskey(await appear(), { browser, party: PARTY }, deps);
    const elsewhere = { ...at(challenge), origin: 'https://atelier.exemple.fr.mechant.test' };
    expect(await keep(new Authenticator().make(elsewhere, { userHandle: user.id }))).toBe('invalid_request');
    const wrongSite = { ...at(challenge), rpId: 'mechant.test' };
    expect(await keep(new Authenticator().make(wrongSite, { userHandle: user.id }))).toBe('invalid_request');
    expect(await keep(made)).toBe('done');
    expect(await keep(made)).toBe('invalid_request');
    const late = (await make()).made;
    clock.advance(10 * 60_000);
    expect(await keep(late)).toBe('invalid_request');
    expect(await listPasskeys(await appear())).toHaveLength(1);
    expect(await sessions()).toBe(1);
  });
});

type Scene = Awaited<ReturnType<typeof scene>>;
const ATTACKS: Record<string, (at: Scene, key: Authenticator) => Promise<unknown>> = {
  'another origin': async ({ ask, enter }, key) =>
    enter(key.use({ ...(await ask()), origin: 'https://atelier.exemple.fr.mechant.test' })),
  'another site’s key': async ({ ask, enter }, key) =>
    enter(key.use({ ...(await ask()), rpId: 'mechant.test' })),
  'a challenge that we never made': async ({ at, enter }, key) =>
    enter(key.use(at(Buffer.alloc(56, 7).toString('base64url')))),
  'another browser’s challenge': async ({ ask, enter }, key) => enter(key.use(await ask(newBrowserToken()))),
  'a browser that asked for nothing': async ({ ask, enter }, key) =>
    enter(key.use(await ask()), { browser: null }),
  'a challenge made to prove something in a session': async ({ askProof, at, enter }, key) =>
    enter(key.use((await askProof()) ?? at(''))),
  'a challenge of ten minutes ago': async ({ clock, ask, enter }, key) => {
    const asked = await ask();
    clock.advance(10 * 60_000);
    return enter(key.use(asked));
  },
  'an answer given twice': async ({ ask, enter, member }, key) => {
    const answer = key.use(await ask());
    await enter(answer);
    // Even where the authenticator does not count.
    await service.db.passkey.updateMany({
      where: { personId: member.personId as string },
      data: { counter: 0n },
    });
    await service.db.session.deleteMany({
      where: { personId: member.personId as string, userAgent: 'test' },
    });
    return enter(answer);
  },
  'a counter that goes back': async ({ ask, enter, member }, key) => {
    await enter(key.use(await ask(), { counter: 9 }));
    await service.db.session.deleteMany({
      where: { personId: member.personId as string, userAgent: 'test' },
    });
    return enter(key.use(await ask(), { counter: 9 }));
  },
  'a holder who was not verified': async ({ ask, enter }, key) =>
    enter(key.use(await ask(), { verified: false })),
  'another key that borrows its name': async ({ ask, enter }, key) => {
    const impostor = new Authenticator();
    impostor.userHandle = key.userHandle;
    const answer = impostor.use(await ask());
    return enter({ ...answer, id: key.use(await ask()).id });
  },
  'the name of another person': async ({ ask, enter }, key) => {
    const other = await scene();
    const theirs = await other.add();
    return enter(key.use(await ask(), { userHandle: theirs.userHandle }));
  },
  'a member who is suspended': async ({ ask, enter, member }, key) => {
    await service.db.member.update({ where: { id: member.id }, data: { status: 'SUSPENDED' } });
    return enter(key.use(await ask()));
  },
};

describe('a sign-in by passkey', () => {
  test.each(Object.entries(ATTACKS))(
    'with %s it is refused in one sentence, and opens nothing',
    async (_, attack) => {
      const at = await scene();
      const key = await at.add();
      const before = await at.sessions();
      expect(await refusalOf(attack(at, key))).toEqual({
        code: 'unauthenticated',
        message: 'Cette clé d’accès n’a pas pu vous reconnaître. Réessayez, ou demandez un code par e-mail.',
      });
      expect(await at.sessions()).toBe(before);
    },
  );

  it('ends the session that the browser carried', async () => {
    const { sessionId, add, ask, enter, appear } = await scene();
    const key = await add();
    const opened = await enter(key.use(await ask()), { previousSessionId: sessionId });
    await expect(appear()).rejects.toThrow('the session has ended');
    await appear(opened.sessionId);
  });

  it('is tried three hundred times a quarter of an hour from one network, to enter and to prove together', async () => {
    const { clock, add, ask, askProof, at, enter, prove } = await scene();
    const key = await add();
    const impostor = new Authenticator();
    const [entering, proving] = [impostor.use(await ask()), impostor.use((await askProof()) ?? at(''))];
    const tries = Array.from({ length: 150 }, () => [enter(entering), prove(proving)]).flat();
    const codes = await Promise.all(tries.map(async (one) => (await refusalOf(one)).code));
    expect(new Set(codes)).toEqual(new Set(['unauthenticated']));
    expect((await refusalOf(enter(key.use(await ask())))).code).toBe('rate_limited');
    expect((await refusalOf(prove(proving))).code).toBe('rate_limited');
    clock.advance(15 * 60_000);
    await enter(key.use(await ask()));
  });

  it('the same answer sent twenty times at once opens one session', async () => {
    const { add, ask, enter, sessions } = await scene();
    const key = await add();
    const answer = key.use(await ask());
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => enter(answer)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sessions()).toBe(2);
  });

  it('of ten answers of one counter, each over its own challenge, one opens: a copied key does not count beside its original', async () => {
    const { add, ask, enter, sessions } = await scene();
    const key = await add();
    const challenges = await Promise.all(Array.from({ length: 10 }, () => ask()));
    const answers = challenges.map((challenge) => key.use(challenge, { counter: 9 }));
    const results = await Promise.allSettled(answers.map((answer) => enter(answer)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sessions()).toBe(2);
  });

  it('the same, from an authenticator that does not count: the challenge alone stops it', async () => {
    const { add, ask, enter, sessions } = await scene();
    const key = await add();
    const challenge = await ask();
    const answer = key.use(challenge, { counter: 0 });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => enter(answer)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sessions()).toBe(2);
  });

  it('a hundred wrong codes that strangers gave do not stop a passkey in a new browser', async () => {
    const { add, ask, enter, member } = await scene();
    const key = await add();
    await service.db.signInFailure.create({
      data: { email: member.email, failures: 100, updatedAt: new Date() },
    });
    const elsewhere = newBrowserToken();
    await enter(key.use(await ask(elsewhere)), { browser: elsewhere });
    expect(await service.db.signInFailure.count({ where: { email: member.email } })).toBe(0);
  });
});

describe('a proof by passkey', () => {
  it('holds for this session’s own person alone, once', async () => {
    const at = await scene();
    expect(await at.askProof()).toBeNull();
    const key = await at.add();
    const other = await scene();
    const theirs = await other.add();
    at.clock.advance(3_600_000);
    const asked = await at.askProof();
    if (!asked) throw new Error('nothing was asked');
    const stale = new Date('2026-11-22T10:00:00Z');
    expect((await refusalOf(at.prove(theirs.use(asked)))).code).toBe('unauthenticated');
    expect((await refusalOf(at.prove(key.use(await at.ask())))).code).toBe('unauthenticated');
    expect((await at.appear()).actor.verifiedAt).toEqual(stale);
    const answer = key.use(asked);
    await at.prove(answer);
    expect((await at.appear()).actor.verifiedAt).toEqual(at.clock.now());
    expect((await refusalOf(at.prove(answer))).code).toBe('unauthenticated');
    const entry = await service.db.auditEntry.findFirst({
      where: { accountId: at.account.id, action: 'session.verified' },
    });
    expect(entry?.data).toEqual({ by: 'passkey' });
  });

  it('« Se déconnecter partout » takes passkeys away with keys and applications, where that is asked', async () => {
    const { clock, appear, add, ask, enter, account } = await scene();
    const key = await add();
    await revokeAllSessions(await appear(), {});
    clock.advance(1_000);
    const { sessionId } = await enter(key.use(await ask()));
    await revokeAllSessions(await appear(sessionId), { withCredentials: true });
    expect((await refusalOf(enter(key.use(await ask())))).code).toBe('unauthenticated');
    const entry = await service.db.auditEntry.findFirst({
      where: { accountId: account.id, action: 'session.revoked_all' },
      orderBy: { at: 'desc' },
    });
    expect(entry?.data).toMatchObject({ passkeysRemoved: 1 });
  });
});
