import { describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { listMembers } from '#lib/identity/members/list-members.ts';
import { unblockSignIn } from '#lib/identity/members/unblock-sign-in.ts';
import { FAILURES_ALLOWED } from '#lib/identity/sign-in/attempts.ts';
import { newBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { requestSignInCode } from '#lib/identity/sign-in/request-sign-in-code.ts';
import { REQUEST_LIMITS, VERIFY_LIMITS } from '#lib/identity/sign-in/throttle.ts';
import { verifySignInCode } from '#lib/identity/sign-in/verify-sign-in-code.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });
const secret = 'session-secret-of-the-tests-0123456789';
const refused = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error('was not refused')),
    (error: ServiceError) => error,
  );

/** A member at home, and what reaches their letter box. */
async function scene() {
  const clock = manualClock('2026-11-21T10:01:00Z');
  const ctx = testContext(service, { type: 'anonymous' as const }, { clock });
  const { account, member, actor } = await makeAccount(service, { now: clock.now() });
  const box: Mail[] = [];
  const post = (mail: Mail) => void box.push(mail);
  const code = () => box.flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []).at(-1) ?? '';
  const person = (network: string, browser = newBrowserToken()) => ({
    ask: (email = member.email) => requestSignInCode(ctx, { email, network, browser }, { secret, post }),
    enter: (digits: string) =>
      verifySignInCode(
        ctx,
        { email: member.email, code: digits, network, browser, userAgent: 'test' },
        { secret, post },
      ),
  });
  const signIn = async (one: ReturnType<typeof person>) => {
    await one.ask();
    return one.enter(code());
  };
  const wrong = () => (code() === '000000' ? '111111' : '000000');
  return { clock, ctx, account, actor, member, box, code, wrong, person, signIn };
}

describe('whoever knows an address', () => {
  it('cannot kill the code that its owner waits for, by five guesses with a forged cookie', async () => {
    const { person, code, wrong } = await scene();
    const owner = person('203.0.113.1');
    await owner.ask();
    for (let n = 0; n < 30; n += 1)
      expect((await refused(person('198.51.100.1').enter(wrong()))).code).toBe('unauthenticated');
    await expect(owner.enter(code())).resolves.toMatchObject({ sessionId: expect.stringMatching(/^ses_/) });
  });

  it('cannot end that code either, by asking for others', async () => {
    const { person, code } = await scene();
    const owner = person('203.0.113.1');
    await owner.ask();
    const theirs = code();
    await person('198.51.100.1').ask();
    await expect(owner.enter(theirs)).resolves.toBeDefined();
  });

  it('cannot use the code that the owner asked for, even read over a shoulder', async () => {
    const { person, code } = await scene();
    const owner = person('203.0.113.1');
    await owner.ask();
    expect((await refused(person('198.51.100.1').enter(code()))).code).toBe('unauthenticated');
    await expect(owner.enter(code())).resolves.toBeDefined();
  });

  it('cannot shut the owner out by asking for codes: from another network, in a new browser, the owner gets one', async () => {
    const { person, code } = await scene();
    const stranger = person('198.51.100.1');
    for (let n = 0; n < 60; n += 1) await stranger.ask().catch(() => undefined);
    const owner = person('203.0.113.1');
    await owner.ask();
    await expect(owner.enter(code())).resolves.toBeDefined();
  });

  it('cannot shut the owner out from one IPv6 subscription either, which holds thousands of networks', async () => {
    const { person, code, box } = await scene();
    for (let n = 0; n < 60; n += 1)
      await person(`2001:db8:77:${n.toString(16)}::/64`)
        .ask()
        .catch(() => undefined);
    expect(box).toHaveLength(REQUEST_LIMITS.perPerson);
    const owner = person('2001:db8:78:0::/64');
    await owner.ask();
    await expect(owner.enter(code())).resolves.toBeDefined();
  });

  it('cannot shut the owner out of a browser known to the address, from a thousand networks, the owner’s own among them', async () => {
    const { person, code, signIn, clock, box } = await scene();
    const browser = newBrowserToken();
    await signIn(person('203.0.113.1', browser));
    clock.advance(60 * 60_000);
    for (let n = 0; n < 1000; n += 1)
      await person(n % 10 === 0 ? '203.0.113.1' : `198.51.${n >> 8}.${n % 256}`)
        .ask()
        .catch(() => undefined);
    expect(box.length).toBeLessThan(10 + REQUEST_LIMITS.perAddress);
    const owner = person('203.0.113.1', browser);
    await owner.ask();
    await expect(owner.enter(code())).resolves.toBeDefined();
  });
});

describe('guessing', () => {
  /** As many wrong codes as are let through, over fresh codes, browsers and networks, for weeks. */
  async function guess({ person, wrong, clock }: Awaited<ReturnType<typeof scene>>, times: number) {
    let heard = 0;
    for (let n = 0; heard < times && n < 2 * times; n += 1) {
      const stranger = person(`198.51.${n >> 8}.${n % 256}`);
      const asked = await stranger.ask().then(
        () => true,
        () => false,
      );
      if (!asked) {
        if (n > times) break;
        clock.advance(86_400_000);
        continue;
      }
      for (let attempt = 0; attempt < 5 && heard < times; attempt += 1) {
        const error = await refused(stranger.enter(wrong()));
        if (error.code !== 'unauthenticated') return heard;
        heard += 1;
      }
    }
    return heard;
  }

  it('ends after a hundred wrong codes in a row, over whatever codes, browsers and days; the known browser still gets in, and its right code opens the door again', async () => {
    const one = await scene();
    const { person, signIn, code, clock } = one;
    const browser = newBrowserToken();
    await signIn(person('203.0.113.1', browser));
    expect(await guess(one, FAILURES_ALLOWED + 50)).toBe(FAILURES_ALLOWED);
    clock.advance(20 * 86_400_000);
    const elsewhere = person('203.0.113.77');
    const shut = await refused(elsewhere.ask());
    expect([shut.code, shut.message]).toEqual(['rate_limited', expect.stringContaining('fondateur')]);
    const owner = person('203.0.113.1', browser);
    await owner.ask();
    await expect(owner.enter(code())).resolves.toBeDefined();
    await elsewhere.ask();
    await expect(elsewhere.enter(code())).resolves.toBeDefined();
  });

  it('from one place ends for the day long before the hundred that would shut new browsers out everywhere', async () => {
    const { person, code, wrong, clock } = await scene();
    let heard = 0;
    for (let n = 0; n < REQUEST_LIMITS.perPersonDaily; n += 1) {
      if (n > 0 && n % REQUEST_LIMITS.perPerson === 0) clock.advance(15 * 60_000);
      const stranger = person('192.0.2.77');
      await stranger.ask();
      for (let attempt = 0; attempt < 5; attempt += 1)
        if ((await refused(stranger.enter(wrong()))).code === 'unauthenticated') heard += 1;
    }
    expect(heard).toBe(VERIFY_LIMITS.perPlaceDaily);
    const owner = person('203.0.113.99');
    await owner.ask();
    await expect(owner.enter(code())).resolves.toBeDefined();
  });

  it('many at once are counted to the last one', async () => {
    const one = await scene();
    await guess(one, FAILURES_ALLOWED - 3);
    const { person, wrong, clock } = one;
    clock.advance(86_400_000);
    const stranger = person('192.0.2.1');
    await stranger.ask();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refused(stranger.enter(wrong()))));
    expect(answers.filter(({ message }) => /convient pas/.test(message))).toHaveLength(3);
  });

  it('answers alike for an address of nobody', async () => {
    const one = await scene();
    await service.db.member.update({
      where: { id: one.member.id },
      data: { email: `elsewhere-${one.member.id}@exemple.test` },
    });
    expect(await guess(one, FAILURES_ALLOWED + 5)).toBe(FAILURES_ALLOWED);
    one.clock.advance(86_400_000);
    expect((await refused(one.person('192.0.2.9').ask())).message).toMatch(/fondateur/);
  });

  it('makes a stranger of a known browser from which it comes', async () => {
    const { person, signIn, code, wrong, clock, member } = await scene();
    const browser = newBrowserToken();
    const stolen = person('203.0.113.1', browser);
    await signIn(stolen);
    const known = () => service.db.knownBrowser.count({ where: { personId: member.personId as string } });
    for (let n = 0; n < FAILURES_ALLOWED / 5; n += 1) {
      clock.advance(86_400_000);
      await stolen.ask();
      // Known until the last of them: fewer wrong codes are those of its owner.
      expect(await known()).toBe(1);
      for (let attempt = 0; attempt < 5; attempt += 1) await refused(stolen.enter(wrong()));
    }
    expect(await known()).toBe(0);
    // The owner is let in from another browser, and from this one: the right code makes it known again.
    const owner = person('203.0.113.2');
    clock.advance(86_400_000);
    await owner.ask();
    await expect(owner.enter(code())).resolves.toMatchObject({ memberId: member.id });
    await signIn(stolen);
    expect(await known()).toBeGreaterThan(0);
  });

  it('from a known browser is forgotten with the right code: what came before it makes no stranger of it later', async () => {
    const { person, signIn, wrong, clock, member } = await scene();
    const browser = newBrowserToken();
    const home = person('203.0.113.1', browser);
    await signIn(home);
    const known = { personId: member.personId as string };
    await service.db.knownBrowser.updateMany({ where: known, data: { failures: FAILURES_ALLOWED - 1 } });
    clock.advance(60_000);
    await signIn(home);
    clock.advance(60_000);
    await home.ask();
    await refused(home.enter(wrong()));
    expect(await service.db.knownBrowser.count({ where: known })).toBe(1);
  });

  it('from a browser that the address knows has tries of its own: twenty-five a quarter of an hour, whatever its network', async () => {
    const { person, signIn, wrong, clock } = await scene();
    const browser = newBrowserToken();
    await signIn(person('203.0.113.1', browser));
    clock.advance(15 * 60_000);
    for (let n = 0; n < VERIFY_LIMITS.perPerson; n += 1) {
      const owner = person(`203.0.113.${n + 10}`, browser);
      if (n % 5 === 0) await owner.ask();
      expect((await refused(owner.enter(wrong()))).code).toBe('unauthenticated');
    }
    expect((await refused(person('203.0.113.99', browser).enter(wrong()))).code).toBe('rate_limited');
    clock.advance(15 * 60_000);
    expect((await refused(person('203.0.113.99', browser).enter(wrong()))).code).toBe('unauthenticated');
  });

  it('is forgiven by a founder of the account, and by nobody else', async () => {
    const one = await scene();
    await guess(one, FAILURES_ALLOWED);
    one.clock.advance(86_400_000);
    const target = { accountId: one.account.id, memberId: one.member.id };
    const stranger = await makeAccount(service, { now: one.clock.now() });
    const as = (actor: typeof one.actor) => testContext(service, actor, { clock: one.clock });
    expect((await refused(unblockSignIn(as(stranger.actor), target))).code).toBe('not_found');
    expect((await refused(unblockSignIn(as({ ...one.actor, role: 'MEMBER' }), target))).code).toBe(
      'forbidden',
    );
    await unblockSignIn(as(one.actor), target);
    const owner = one.person('203.0.113.5');
    await owner.ask();
    await expect(owner.enter(one.code())).resolves.toBeDefined();
    // Where nothing is left to forgive, nothing is done.
    await unblockSignIn(as(one.actor), target);
    const entries = await service.db.auditEntry.findMany({
      where: { accountId: one.account.id, action: 'member.sign_in_unblocked' },
    });
    expect(entries.map(({ subjectId }) => subjectId)).toEqual([one.member.id]);
  });

  it('is neither told to nor forgiven by a founder who only invited the address', async () => {
    const one = await scene();
    await guess(one, FAILURES_ALLOWED);
    const inviting = await makeAccount(service, { now: one.clock.now() });
    const founder = testContext(service, inviting.actor, { clock: one.clock });
    const accountId = inviting.account.id;
    const { id: memberId } = await inviteMember(founder, {
      accountId,
      email: one.member.email,
      name: 'Nour',
      role: 'MEMBER',
      permissions: [],
    });
    const listed = (await listMembers(founder)).find(({ id }) => id === memberId);
    expect(listed).toMatchObject({ status: 'INVITED', signInBlocked: false });
    expect((await refused(unblockSignIn(founder, { accountId, memberId }))).code).toBe('conflict');
    one.clock.advance(86_400_000);
    expect((await refused(one.person('192.0.2.9').ask())).message).toMatch(/fondateur/);
    // Of the person's own account it is.
    const own = testContext(service, one.actor, { clock: one.clock });
    expect(await listMembers(own)).toMatchObject([{ id: one.member.id, signInBlocked: true }]);
  });
});

it('a member is told by mail of a browser never seen before, once, without its code or network', async () => {
  const { person, signIn, box, clock, member } = await scene();
  const known = newBrowserToken();
  await signIn(person('203.0.113.1', known));
  await signIn(person('203.0.113.1', known));
  clock.advance(3_600_000);
  const told = () => box.filter(({ subject }) => subject === 'Nouvelle connexion à Atelier');
  expect(told()).toHaveLength(1);
  await signIn(person('198.51.100.8'));
  expect(told()).toHaveLength(2);
  expect(told()[1]).toMatchObject({
    to: member.email,
    text: expect.stringContaining('21 novembre 2026 à 12:01'),
  });
  expect(told()[1]?.text).not.toMatch(/198\.51|\b\d{6}\b/);
});
