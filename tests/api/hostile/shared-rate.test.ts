import { beforeAll, describe, expect, test, vi } from 'vitest';
import { saveProfile } from '#app/(cockpit)/compte/actions.ts';
import { enter } from '#app/(public)/invitations/actions.ts';
import { GET as listJournal } from '#app/api/generations/route.ts';
import { GET as getQuota } from '#app/api/v1/quota/route.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { makeAccount, makeKey, makeMember } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { call, stopClock, useApi } from '#tests/setup/api.ts';

// Next gives an action its request through these modules; here the test does.
const browser = vi.hoisted(() => ({ headers: new Headers(), cookie: '' }));
vi.mock('next/headers', () => ({
  headers: async () => browser.headers,
  cookies: async () => ({
    get: (name: string) => (name === 'atelier' ? { name, value: browser.cookie } : undefined),
  }),
}));
vi.mock('next/cache', () => ({ revalidatePath: () => undefined, revalidateTag: () => undefined }));

const POOL = 20;
const service = useApi({ poolMax: POOL });
/** An account: 200 requests, 20 of them writes; one member's browsers: 80 and 10. */
const ACCOUNT = { requests: 200, writes: 20 };
const MEMBER = { requests: 80, writes: 10 };

beforeAll(() => {
  process.env.SERVICE_ACCOUNT_RATE = String(ACCOUNT.requests);
  browser.headers = new Headers({ host: 'atelier.test', origin: 'http://atelier.test' });
  return () => {
    delete process.env.SERVICE_ACCOUNT_RATE;
  };
});

type Member = Awaited<ReturnType<typeof makeMember>>;

async function cookieOf(member: Member): Promise<string> {
  const { sessionId } = await openSession(testContext(service, { type: 'admin' }), {
    accountId: member.accountId,
    memberId: member.id,
  });
  return signSessionCookie(sessionId, process.env.SERVICE_SESSION_SECRET as string);
}

const asKey = (token: string) => call(getQuota, { path: '/api/v1/quota', token });
const asBrowser = (cookie: string) =>
  call(listJournal, { path: '/api/generations', headers: { cookie: `atelier=${cookie}` } });
const keysOf = (member: Member, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await makeKey(service, member)).secret));

type Call = () => Promise<{ status: number }>;
/** So many calls of each, all at once; how many were answered, and how many refused for the rate. */
async function all(calls: readonly { of: Call; times: number }[]) {
  const answers = await Promise.all(
    calls.flatMap(({ of, times }) => Array.from({ length: times }, () => of())),
  );
  const statuses = answers.map(({ status }) => status);
  expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return { answered: statuses.filter((status) => status === 200).length };
}

describe('an account', () => {
  test('has one rate for all its keys, applications and sessions together; every other account goes on', async () => {
    const attacker = await makeAccount(service);
    const victim = await makeAccount(service);
    const [one = '', two = '', last = ''] = await keysOf(attacker.member, 3);
    const { tokens } = await makeTokens(service, attacker.member, { resource: '/api/v1' });
    const colleague = await makeMember(service, attacker.account.id);
    const cookie = await cookieOf(colleague);
    const [victimKey = ''] = await keysOf(victim.member, 1);
    const victimCookie = await cookieOf(victim.member);

    const advance = stopClock();
    const first = await all([
      { of: () => asKey(one), times: 60 },
      { of: () => asKey(two), times: 60 },
      { of: () => asKey(tokens.access_token), times: 60 },
      { of: () => asBrowser(cookie), times: 20 },
    ]);
    expect(first.answered).toBe(ACCOUNT.requests);
    for (const refused of [
      await asKey(one),
      await asKey(last),
      await asKey(tokens.access_token),
      await asBrowser(cookie),
    ]) {
      expect([refused.status, refused.json.error.code, refused.headers.get('retry-after')]).toEqual([
        429,
        'rate_limited',
        '60',
      ]);
      expect(refused.json.error.message).toContain('Votre compte fait trop de demandes');
    }
    expect([(await asKey(victimKey)).status, (await asBrowser(victimCookie)).status]).toEqual([200, 200]);
    advance(60);
    expect([(await asKey(last)).status, (await asBrowser(cookie)).status]).toEqual([200, 200]);
  });

  test('lets no more through when all ask at once, but those that run at the very moment', async () => {
    const { member } = await makeAccount(service);
    const keys = await keysOf(member, 4);
    stopClock();
    const { answered } = await all(keys.map((key) => ({ of: () => asKey(key), times: 100 })));
    expect(answered).toBeGreaterThanOrEqual(ACCOUNT.requests);
    expect(answered).toBeLessThanOrEqual(ACCOUNT.requests + POOL);
  });

  test('is not shut out by one key of its own that asks without end', async () => {
    const { member } = await makeAccount(service);
    const [runaway = '', other = ''] = await keysOf(member, 2);
    stopClock();
    expect((await all([{ of: () => asKey(runaway), times: 400 }])).answered).toBe(120);
    expect((await all([{ of: () => asKey(other), times: 80 }])).answered).toBe(80);
    expect((await asKey(other)).json.error.message).toContain('Votre compte');
  });
});

describe('a member', () => {
  test('has one rate for all their browsers; a colleague goes on', async () => {
    const { account, member } = await makeAccount(service);
    const colleague = await makeMember(service, account.id);
    const [first, second, other] = await Promise.all([
      cookieOf(member),
      cookieOf(member),
      cookieOf(colleague),
    ]);
    const advance = stopClock();
    const { answered } = await all([
      { of: () => asBrowser(first), times: 60 },
      { of: () => asBrowser(second), times: 60 },
    ]);
    expect(answered).toBe(MEMBER.requests);
    const refused = await asBrowser(second);
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
    expect((await asBrowser(other)).status).toBe(200);
    advance(60);
    expect((await asBrowser(first)).status).toBe(200);
  });

  test('does so much by server actions in a minute; what is refused is not done', async () => {
    const { account, member } = await makeAccount(service);
    const colleague = await makeMember(service, account.id);
    const rename = async (cookie: string, name: string) => {
      browser.cookie = cookie;
      const form = new FormData();
      form.set('name', name);
      return saveProfile({ status: 'idle' }, form);
    };
    const [cookie, other] = [await cookieOf(member), await cookieOf(colleague)];
    stopClock();
    for (let n = 1; n <= MEMBER.writes; n += 1)
      expect(await rename(cookie, `Nom ${n}`)).toMatchObject({ status: 'done' });
    expect(await rename(cookie, 'Un de trop')).toMatchObject({
      status: 'refused',
      code: 'rate_limited',
      values: { name: ['Un de trop'] },
    });
    expect(await service.db.member.findUniqueOrThrow({ where: { id: member.id } })).toMatchObject({
      name: `Nom ${MEMBER.writes}`,
    });
    expect((await asBrowser(cookie)).status).toBe(200);
    expect(await rename(other, 'Un autre')).toMatchObject({ status: 'done' });
  });
});

describe('somebody signed in', () => {
  test('asks for sixty actions a minute by themselves, whatever account they chose or did not; somebody else goes on', async () => {
    const signIn = async () => cookieOf((await makeAccount(service)).member);
    const [one, other] = [await signIn(), await signIn()];
    const enterAs = (cookie: string) => {
      browser.cookie = cookie;
      return enter({ memberId: 'mem_inconnu' });
    };
    const advance = stopClock();
    for (let n = 0; n < 60; n += 1) expect(await enterAs(one)).toMatchObject({ code: 'not_found' });
    expect(await enterAs(one)).toMatchObject({ status: 'refused', code: 'rate_limited' });
    expect(await enterAs(other)).toMatchObject({ code: 'not_found' });
    advance(60);
    expect(await enterAs(one)).toMatchObject({ code: 'not_found' });
  });
});
