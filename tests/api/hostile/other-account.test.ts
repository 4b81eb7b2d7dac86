import { beforeAll, expect, test } from 'vitest';
import { declarationOf } from '#lib/http/routes/declaration.ts';
import { MEMBER_HEADER } from '#lib/http/security/member-header.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { useApi } from '#tests/setup/api.ts';
import { type Action, discoverActions, typedBy } from './actions.ts';
import { rowsOf } from './attacks.ts';
import { browser, ORIGIN, signInAs } from './next-request.ts';
import { ACTIONS } from './roles.ts';
import { callRoute, discoverRoutes, type Route } from './routes.ts';

const service = useApi({ poolMax: 10 });
const LEFT = 'ZQQUITTEZQ';
const NOW = 'ZQARRIVEZQ';
const SENTENCE = `Vous êtes passé au compte «\u00a0Compte ${NOW}\u00a0» dans un autre onglet`;
const SWITCH = 'app/_cockpit/switch-account.ts switchAccount';

/** The account whose page is still open, and the one where the session is now. */
let left: PopulatedAccount;
let now: PopulatedAccount;
let actions: Action[] = [];

beforeAll(async () => {
  left = await populatedAccount(service, { marker: LEFT });
  now = await populatedAccount(service, { marker: NOW });
  actions = await discoverActions();
});

/** A session in the second account, in which a page of this member asks. */
async function asPageOf(memberId: string | null): Promise<void> {
  await signInAs(service, { accountId: now.accountId, memberId: now.actor.memberId });
  if (memberId) browser.headers.set(MEMBER_HEADER, memberId);
}

const rowsOfBoth = async () => [await rowsOf(service, left, LEFT), await rowsOf(service, now, NOW)];

const ofMembers = (name: string) => {
  const right = ACTIONS[name];
  return right !== 'anyone' && right !== 'person' && right !== 'no session' && name !== SWITCH;
};

const call = (route: Route, mark: string) =>
  callRoute(route, {
    params: { id: now.ids.space?.[0] ?? '' },
    headers: {
      cookie: `atelier=${browser.cookie}`,
      origin: ORIGIN,
      'content-type': 'application/json',
      [MEMBER_HEADER]: mark,
    },
    body: route.method === 'GET' ? null : '{}',
  });

test('every action from a page of an account that was left in another tab is refused, names where one is now, and writes nothing', async () => {
  await asPageOf(left.actor.memberId);
  const before = await rowsOfBoth();
  const done: string[] = [];
  const asked = actions.filter(({ name }) => ofMembers(name));
  for (const action of asked) {
    // What one minute allows is not what this is about.
    await service.pool.query('DELETE FROM "RateLimitWindow"');
    const { status, code, message } = await action.run(typedBy(now));
    if (status !== 'refused' || code !== 'forbidden' || !message?.startsWith(SENTENCE))
      done.push(`${action.name}: ${status} ${code} ${message}`);
  }
  expect(done).toEqual([]);
  expect(asked.length).toBeGreaterThan(60);
  expect(await rowsOfBoth()).toEqual(before);
});

test('every route of a member answers such a page in the same words, reads too, and writes nothing', async () => {
  await asPageOf(null);
  const before = await rowsOfBoth();
  const answered: string[] = [];
  let refused = 0;
  for (const route of await discoverRoutes()) {
    if (declarationOf(route.handler)?.caller.kind !== 'member') continue;
    await service.pool.query('DELETE FROM "RateLimitWindow"');
    const { status, text } = await call(route, left.actor.memberId);
    if (status === 403 && text.includes(SENTENCE)) refused += 1;
    else answered.push(`${route.method} ${route.pattern}: ${status} ${text.slice(0, 160)}`);
  }
  expect(answered).toEqual([]);
  expect(refused).toBeGreaterThan(25);
  expect(await rowsOfBoth()).toEqual(before);
});

test('a page of the account at hand goes on, and so does what does not say whose page it is', async () => {
  const save = actions.find(({ name }) => name.endsWith(' saveProfile'));
  const wallet = (await discoverRoutes()).find(({ pattern }) => pattern === '/api/wallet');
  if (!save || !wallet) throw new Error('saveProfile or GET /api/wallet is gone');
  for (const [turn, mark] of [now.actor.memberId, null].entries()) {
    await asPageOf(mark);
    expect(await save.run({ name: `Camille ${turn}` })).toMatchObject({ status: 'done' });
    const row = await service.db.member.findUniqueOrThrow({ where: { id: now.actor.memberId } });
    expect(row.name).toBe(`Camille ${turn}`);
  }
  expect((await call(wallet, now.actor.memberId)).status).toBe(200);
});

test('a page of the account that was left still leads to another one', async () => {
  await asPageOf(left.actor.memberId);
  const change = actions.find(({ name }) => name === SWITCH);
  expect(await change?.run({ memberId: now.actor.memberId })).toMatchObject({ status: 'done' });
});
