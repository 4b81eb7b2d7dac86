import { beforeAll, expect, test } from 'vitest';
import { WRITING_SCOPES } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import { declarationOf } from '#lib/http/routes/declaration.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { useApi } from '#tests/setup/api.ts';
import { discoverActions, typedBy } from './actions.ts';
import { browser, ORIGIN, signInAs } from './next-request.ts';
import { ACTIONS } from './roles.ts';
import { callRoute, discoverRoutes } from './routes.ts';

const service = useApi({ poolMax: 10 });
let closed: PopulatedAccount;

/** What may still be done in a closed account: leaving it, ending what opens it, taking it with oneself, opening it again. */
const STILL_DONE = [
  'app/(cockpit)/applications/actions.ts disconnectApplication',
  'app/(cockpit)/compte/actions.ts closeSession',
  'app/(cockpit)/compte/actions.ts deletePasskey',
  'app/(cockpit)/compte/actions.ts signOutEverywhere',
  'app/(cockpit)/developpeurs/actions.ts endKey',
  'app/(cockpit)/developpeurs/evenements/actions.ts deleteEndpointAction',
  'app/(cockpit)/equipe/compte/actions.ts exportAccount',
  'app/(cockpit)/equipe/compte/actions.ts reopenAccount',
  'app/(cockpit)/partages/actions.ts endShare',
  'app/_cockpit/switch-account.ts switchAccount',
  'app/_cockpit/verification/actions.ts mailCode',
  'app/_cockpit/verification/actions.ts passkeyProofOptions',
  'app/_cockpit/verification/actions.ts proveByCode',
  'app/_cockpit/verification/actions.ts proveByPasskey',
  'app/_studio/journal/actions.ts readRetention',
  'app/_studio/lightbox/actions.ts readNeighbours',
  'app/_studio/review/actions.ts readBinned',
];

beforeAll(async () => {
  closed = await populatedAccount(service, { marker: 'ZQCLOSEDZQ' });
  await service.db.account.update({ where: { id: closed.accountId }, data: { closedAt: new Date() } });
});

const who = () => ({ accountId: closed.accountId, memberId: closed.actor.memberId });

test('every route of a member that changes something says that the account is closed, and those that read answer', async () => {
  const faults: string[] = [];
  const answered = new Set<string>();
  let refused = 0;
  for (const route of await discoverRoutes()) {
    if (declarationOf(route.handler)?.caller.kind !== 'member') continue;
    await signInAs(service, who());
    const { status, text } = await callRoute(route, {
      params: { id: closed.ids.space?.[0] ?? '' },
      headers: { cookie: `atelier=${browser.cookie}`, origin: ORIGIN, 'content-type': 'application/json' },
      body: route.method === 'GET' ? null : '{}',
    });
    const isRefused = status === 409 && text.includes('Ce compte est fermé');
    if (isRefused) refused += 1;
    const isShut = route.method === 'GET' && (status === 401 || status === 403);
    if (isShut || isRefused !== (route.method !== 'GET'))
      faults.push(`${route.method} ${route.pattern}: ${status} ${text}`);
    if (status === 200) answered.add(`${route.method} ${route.pattern}`);
  }
  expect(faults).toEqual([]);
  expect(refused).toBeGreaterThan(5);
  for (const path of ['/api/wallet', '/api/generations', '/api/brain/spaces/[id]/context'])
    expect(answered).toContain(`GET ${path}`);
});

test('every action is refused but those that leave, end, prove, export and open again', async () => {
  const done: string[] = [];
  for (const action of await discoverActions()) {
    const right = ACTIONS[action.name];
    if (right === 'anyone' || right === 'person' || right === 'no session' || right === 'service.operate')
      continue;
    await signInAs(service, who());
    const { message, status } = await action.run(typedBy(closed));
    if (status !== 'refused' || !message?.startsWith('Ce compte est fermé')) done.push(action.name);
    await service.db.account.update({ where: { id: closed.accountId }, data: { closedAt: new Date() } });
  }
  expect(done.sort()).toEqual(STILL_DONE);
});

test('a key and a token read and write nothing; a reopened account gives them back what they carry', async () => {
  const account = await populatedAccount(service, { marker: 'ZQKEYZQ' });
  const routes = await discoverRoutes();
  const call = (method: string, pattern: string, token: string) => {
    const route = routes.find((one) => one.method === method && one.pattern === pattern);
    if (!route) throw new Error(`${method} ${pattern} is gone`);
    return callRoute(route, {
      params: { id: account.ids.space?.[0] ?? '' },
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': createId('request'),
      },
      body: method === 'GET' ? null : JSON.stringify({ pillar: 'ITEMS', title: 'Titre', body: 'Corps' }),
    });
  };
  const both = async () => {
    const statuses: number[] = [];
    for (const token of [account.keySecret, account.apiToken])
      for (const [method, pattern] of [
        ['GET', '/api/v1/spaces/[id]'],
        ['POST', '/api/v1/spaces/[id]/memories'],
      ] as const)
        statuses.push((await call(method, pattern, token)).status);
    return statuses;
  };
  const where = { id: account.accountId };
  expect(await both()).toEqual([200, 201, 200, 201]);
  await service.db.account.update({ where, data: { closedAt: new Date() } });
  expect(await both()).toEqual([200, 403, 200, 403]);
  // What writes refuses by itself, too: their scopes are gone before any of it is asked.
  const key = await authenticateKey({ kysely: service.kysely, clock: systemClock }, account.keySecret, {
    isWrite: false,
  });
  expect(key?.actor.closed).toBe(true);
  expect(key?.actor.scopes).toContain('brain:read');
  expect(key?.actor.scopes.filter((scope) => WRITING_SCOPES.some((one) => one === scope))).toEqual([]);
  for (const token of [account.keySecret, account.apiToken]) {
    const refusal = await call('POST', '/api/v1/spaces/[id]/memories', token);
    expect(JSON.parse(refusal.text)).toMatchObject({
      error: { code: 'account_closed', message: expect.stringContaining('Ce compte est fermé') },
    });
    // Nothing that a client could ask for would help: no challenge, or it would loop.
    expect(refusal.headers.get('www-authenticate')).toBeNull();
  }
  await service.db.account.update({ where, data: { closedAt: null } });
  expect(await both()).toEqual([200, 201, 200, 201]);
  const deps = { kysely: service.kysely, clock: systemClock };
  const { accountId, actor } = account;
  const { sessionId } = await openSession(deps, { accountId, memberId: actor.memberId });
  expect(await authenticateSession(deps, sessionId)).not.toBeNull();
  const before = new Date(Date.now() - 31 * 86_400_000);
  await service.db.account.update({ where, data: { closedAt: before, erasingAt: new Date() } });
  expect(await both()).toEqual([401, 401, 401, 401]);
  expect(await authenticateSession(deps, sessionId)).toBeNull();
});
