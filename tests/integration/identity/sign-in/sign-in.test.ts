import { describe, expect, it } from 'vitest';
import type { AnonymousActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';
import { newBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { requestSignInCode } from '#lib/identity/sign-in/request-sign-in-code.ts';
import { readTypedCode } from '#lib/identity/sign-in/sign-in-codes.ts';
import { REQUEST_LIMITS, VERIFY_LIMITS } from '#lib/identity/sign-in/throttle.ts';
import { verifySignInCode } from '#lib/identity/sign-in/verify-sign-in-code.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { type LogLine, testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });
const secret = 'session-secret-of-the-tests-0123456789';
const ANONYMOUS: AnonymousActor = { type: 'anonymous' };
let networks = 0;

async function scene(options: { status?: 'INVITED' | 'ACTIVE' | 'SUSPENDED'; known?: boolean } = {}) {
  const clock = manualClock('2026-11-21T10:01:00Z');
  const lines: LogLine[] = [];
  const posted: Mail[] = [];
  const ctx = testContext(service, ANONYMOUS, { clock, lines });
  const { account, member } = await makeAccount(service, { now: clock.now() });
  await service.db.member.update({ where: { id: member.id }, data: { status: options.status ?? 'ACTIVE' } });
  const email = options.known === false ? `${createId('member')}@exemple.test` : member.email;
  networks += 1;
  const network = `203.0.113.${networks}`;
  const post = (mail: Mail) => posted.push(mail);
  const browser = newBrowserToken();
  const request = (over: { email?: string; network?: string; browser?: string } = {}) =>
    requestSignInCode(ctx, { email, network, browser, ...over }, { secret, post });
  const codes = () => posted.flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
  const mailed = () => codes().at(-1) ?? '';
  const wrong = () => (mailed() === '000000' ? '111111' : '000000');
  const verify = (code: string, over: Partial<Parameters<typeof verifySignInCode>[1]> = {}) =>
    verifySignInCode(ctx, { email, code, network, browser, userAgent: 'test', ...over }, { secret, post });
  return { clock, lines, posted, ctx, account, member, email, request, mailed, wrong, verify };
}

const refused = async (work: Promise<unknown>): Promise<ServiceError> =>
  work.then(
    () => {
      throw new Error('was not refused');
    },
    (error: ServiceError) => error,
  );

describe('signing in', () => {
  it('the mailed code opens a session that authenticates the member, once', async () => {
    const { request, mailed, verify, member, clock, ctx, account } = await scene();
    await request();
    const session = await verify(`${mailed().slice(0, 3)} ${mailed().slice(3)}`);
    const found = await authenticateSession({ kysely: service.kysely, clock }, session.sessionId);
    expect(found?.actor).toMatchObject({ memberId: member.id, accountId: account.id });
    expect((await refused(verify(mailed()))).code).toBe('unauthenticated');
    const audit = await service.db.auditEntry.findMany({ where: { accountId: account.id } });
    expect(audit.map((entry) => entry.action)).toEqual(['session.opened']);
    expect(audit[0]?.actor).toBe(`member:${member.id}`);
    expect(ctx.requestId).toBe(audit[0]?.requestId);
  });

  it('an address typed with capitals and spaces is the same address', async () => {
    const { request, mailed, verify, email } = await scene();
    await request({ email: `  ${email.toUpperCase()} ` });
    await expect(verify(mailed())).resolves.toMatchObject({ sessionId: expect.stringMatching(/^ses_/) });
  });

  it('a code lives ten minutes', async () => {
    const { request, mailed, verify, clock } = await scene();
    await request();
    clock.advance(10 * 60_000 - 1);
    const early = mailed();
    await expect(verify(early)).resolves.toBeDefined();
    await request();
    clock.advance(10 * 60_000);
    expect((await refused(verify(mailed()))).message).toMatch(/expiré/);
  });

  it('only the newest code opens', async () => {
    const { request, mailed, verify } = await scene();
    await request();
    const first = mailed();
    // One draw in a million gives the same six digits again.
    do await request();
    while (mailed() === first);
    expect((await refused(verify(first))).code).toBe('unauthenticated');
    await expect(verify(mailed())).resolves.toBeDefined();
  });

  it('after five wrong tries the right code opens nothing', async () => {
    const { request, mailed, wrong, verify } = await scene();
    await request();
    const words = [];
    for (let n = 0; n < 5; n += 1) words.push((await refused(verify(wrong()))).message);
    expect(words[0]).toMatch(/4 essais/);
    expect(words[4]).toMatch(/dernier essai/);
    expect((await refused(verify(mailed()))).message).toMatch(/Demandez-en un autre/);
  });

  it('a hundred guesses at once get five comparisons', async () => {
    const { request, wrong, verify, lines } = await scene();
    await request();
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => refused(verify(wrong(), { network: `198.51.100.${n}` }))),
    );
    expect(lines.filter((line) => line.event === 'auth.otp.failed' && line.reason === 'wrong')).toHaveLength(
      5,
    );
  });

  it('the right code sent twenty times at once opens one session', async () => {
    const { request, mailed, verify, member } = await scene();
    await request();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => verify(mailed())));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await service.db.session.count({ where: { memberId: member.id } })).toBe(1);
  });

  it('signing in gives a fresh session and ends the one the browser carried', async () => {
    const { request, mailed, verify, clock } = await scene();
    await request();
    const first = await verify(mailed());
    await request();
    const second = await verify(mailed(), { previousSessionId: first.sessionId });
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(await authenticateSession({ kysely: service.kysely, clock }, first.sessionId)).toBeNull();
  });

  it('what is stored opens nothing by itself: a hash moved to another row or read without the secret does not match', async () => {
    const { request, mailed, verify, email } = await scene();
    await request();
    const stolen = await service.db.signInCode.findFirstOrThrow({
      where: { email },
      orderBy: { id: 'desc' },
    });
    expect(Buffer.from(stolen.codeHash).toString('latin1')).not.toContain(mailed());
    const code = mailed();
    await request();
    const next = await service.db.signInCode.findFirstOrThrow({ where: { email }, orderBy: { id: 'desc' } });
    await service.db.signInCode.update({ where: { id: next.id }, data: { codeHash: stolen.codeHash } });
    expect((await refused(verify(code))).code).toBe('unauthenticated');
  });
});

describe('what a stranger learns', () => {
  it('an unknown and a suspended address answer exactly like a member’s, at each step', async () => {
    const answers = [];
    for (const options of [{}, { known: false }, { status: 'SUSPENDED' as const }]) {
      const { request, wrong, verify, email } = await scene(options);
      const asked = await request();
      expect(asked.email).toBe(email);
      const tries = [];
      for (let n = 0; n < 6; n += 1) {
        const error = await refused(verify(wrong()));
        tries.push([error.code, error.message, error.options.problems]);
      }
      answers.push({ expiresAt: asked.expiresAt, tries });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('every address costs the same round trips to the database, for asking and for trying', async () => {
    const trips = [];
    for (const options of [{}, { known: false }, { status: 'SUSPENDED' as const }]) {
      const { request, wrong, verify } = await scene(options);
      const before = service.connection.roundTrips();
      await request();
      const asked = service.connection.roundTrips();
      await refused(verify(wrong()));
      trips.push([asked - before, service.connection.roundTrips() - asked]);
    }
    expect(trips[1]).toEqual(trips[0]);
    expect(trips[2]).toEqual(trips[0]);
  });

  it('nothing is mailed to an unknown or a suspended address', async () => {
    for (const options of [{ known: false }, { status: 'SUSPENDED' as const }]) {
      const { request, posted } = await scene(options);
      await request();
      expect(posted).toEqual([]);
    }
  });

  it('a member suspended after the code was sent is refused in the words of a wrong code', async () => {
    const { request, mailed, verify, member } = await scene();
    await request();
    await service.db.member.update({ where: { id: member.id }, data: { status: 'SUSPENDED' } });
    const error = await refused(verify(mailed()));
    expect(error.message).toBe('Ce code ne convient pas. Il vous reste 4 essais.');
    expect(await service.db.session.count({ where: { memberId: member.id } })).toBe(0);
  });

  it('a failure is logged as auth.otp.failed, without the code, the address or the network', async () => {
    const { request, wrong, verify, lines, email } = await scene();
    await request();
    await refused(verify(wrong()));
    const line = lines.find((one) => one.event === 'auth.otp.failed');
    expect(line).toMatchObject({ level: 'warn', reason: 'wrong', traceId: null, spanId: null });
    const text = JSON.stringify(lines);
    for (const private_ of [wrong(), email, '203.0.113']) expect(text).not.toContain(private_);
  });
});

describe('throttles', () => {
  it('one person in one place gets so many codes a quarter of an hour, known or not, and is told when to come back', async () => {
    for (const options of [{}, { known: false }]) {
      const { request, clock } = await scene(options);
      for (let n = 0; n < REQUEST_LIMITS.perPerson; n += 1) await request({ browser: newBrowserToken() });
      const error = await refused(request());
      expect([error.code, error.status]).toEqual(['rate_limited', 429]);
      expect(error.options.retryAfterSeconds).toBe(14 * 60);
      clock.advance(14 * 60_000);
      await expect(request()).resolves.toBeDefined();
    }
  });

  it('one person in one place gets twenty codes a day, known or not, and one network four hundred, until midnight', async () => {
    const midnight = Date.parse('2026-11-22T00:00:00Z');
    for (const options of [{}, { known: false }]) {
      const { request, clock } = await scene(options);
      for (let n = 0; n < REQUEST_LIMITS.perPersonDaily; n += 1) {
        await request();
        if ((n + 1) % REQUEST_LIMITS.perPerson === 0) clock.advance(15 * 60_000);
      }
      const error = await refused(request());
      expect(error.options.retryAfterSeconds).toBe((midnight - clock.now().getTime()) / 1000);
    }
    const { request, clock } = await scene();
    for (let n = 0; n < REQUEST_LIMITS.perNetworkDaily; n += 1) {
      await request({ email: `jour${n}@exemple.test` });
      if ((n + 1) % REQUEST_LIMITS.perNetwork === 0) clock.advance(15 * 60_000);
    }
    const error = await refused(request({ email: 'jour@exemple.test' }));
    expect(error.options.retryAfterSeconds).toBe((midnight - clock.now().getTime()) / 1000);
  });

  it('an address is mailed so many codes a day, from wherever they are asked, until midnight', async () => {
    const { request, clock, posted } = await scene();
    let places = 0;
    const burst = async () => {
      for (let n = 0; n < 40; n += 1, places += 1)
        await request({ network: `192.0.${places >> 8}.${places % 256}` }).catch(() => undefined);
    };
    for (let quarter = 1; posted.length < REQUEST_LIMITS.perAddressDaily && quarter < 9; quarter += 1) {
      await burst();
      expect(posted).toHaveLength(
        Math.min(quarter * REQUEST_LIMITS.perAddress, REQUEST_LIMITS.perAddressDaily),
      );
      clock.advance(15 * 60_000);
    }
    const error = await refused(request({ network: '198.51.100.1' }));
    expect([error.code, error.options.retryAfterSeconds]).toEqual([
      'rate_limited',
      (Date.parse('2026-11-22T00:00:00Z') - clock.now().getTime()) / 1000,
    ]);
    clock.set('2026-11-22T00:00:00Z');
    await expect(request()).resolves.toBeDefined();
  });

  it('a network that is full weighs on no address any more: those it names still get their codes elsewhere', async () => {
    const { request, email } = await scene();
    for (let n = 0; n < REQUEST_LIMITS.perNetwork; n += 1) await request({ email: `c${n}@exemple.test` });
    for (let n = 0; n < 30; n += 1) await refused(request({ email }));
    await expect(request({ email, network: '198.51.100.7' })).resolves.toBeDefined();
  });

  it('one network gets so many codes, whatever addresses it names', async () => {
    const { request } = await scene();
    for (let n = 0; n < REQUEST_LIMITS.perNetwork; n += 1) await request({ email: `a${n}@exemple.test` });
    expect((await refused(request({ email: 'b@exemple.test' }))).code).toBe('rate_limited');
  });

  it('one network gets so many tries, even over fresh codes and browsers', async () => {
    const { verify } = await scene();
    for (let n = 0; n < VERIFY_LIMITS.perNetwork; n += 1)
      await refused(verify('000000', { browser: newBrowserToken() }));
    expect((await refused(verify('000000', { browser: newBrowserToken() }))).code).toBe('rate_limited');
  });

  it('a malformed code or address is a field error and costs no try', async () => {
    const { request, mailed, verify } = await scene();
    await request();
    for (let n = 0; n < 8; n += 1) {
      const error = await refused(verify('12 34'));
      expect(error.options.problems).toEqual([{ field: 'code', message: 'Le code compte six chiffres.' }]);
    }
    expect((await refused(request({ email: 'camille' }))).options.problems?.[0]?.field).toBe('email');
    await expect(verify(mailed())).resolves.toBeDefined();
  });
});

it('a pasted code is read with its spaces, dashes and wide digits, and out of the words around it', () => {
  const pasted = [' 123-456\n', '１２３４５６', '123\u00a0456', 'Votre code\u00a0: 123 456.', '\u200e123456'];
  expect(pasted.map(readTypedCode)).toEqual(pasted.map(() => '123456'));
  expect(['12345', '1234567', '12345a', ''].map(readTypedCode)).toEqual([null, null, null, null]);
});
