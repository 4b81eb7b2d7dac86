import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { FOUNDER_ONLY, OPERATOR_ONLY, PERMISSIONS, type Permission } from '#lib/core/actor.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { makeAccount, makeMember } from '#tests/factories/account.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { useApi } from '#tests/setup/api.ts';
import { discoverActions, typedBy } from './actions.ts';
import { browser, ORIGIN, signInAs } from './next-request.ts';
import { ACTIONS, PAGES, type Right, ROUTES } from './roles.ts';
import { callRoute, discoverRoutes, type Route } from './routes.ts';

const service = useApi({ poolMax: 10 });
const MARKER = 'ZQVISEEZQ';

type Person = { accountId: string; memberId: string };
type Caller = { name: string; person: Person | null; rights: ReadonlySet<Permission>; isSuspended?: boolean };

let target: PopulatedAccount;
let callers: Caller[] = [];

beforeAll(async () => {
  target = await populatedAccount(service, { marker: MARKER });
  const stranger = await populatedAccount(service, { marker: 'ZQAILLEURSZQ' });
  const member = async (
    accountId: string,
    permissions: Permission[],
    role: 'MEMBER' | 'FOUNDER' = 'MEMBER',
  ) => {
    const { id } = await makeMember(service, accountId, { role, permissions });
    return { accountId, memberId: id };
  };
  const { accountId } = target;
  const suspended = await member(accountId, ['brain.write', 'generate'], 'FOUNDER');
  await service.db.member.update({ where: { id: suspended.memberId }, data: { status: 'SUSPENDED' } });
  const all = new Set(PERMISSIONS.filter((right) => !OPERATOR_ONLY.has(right)));
  const operator = await makeAccount(service, { operator: true });
  const none = new Set<Permission>();
  callers = [
    { name: 'nobody', person: null, rights: none },
    { name: 'suspended', person: suspended, rights: none, isSuspended: true },
    { name: 'no right', person: await member(accountId, []), rights: none },
  ];
  // A right of founders that stands in a member's list opens nothing.
  for (const right of PERMISSIONS)
    callers.push({
      name: right,
      person: await member(accountId, [right]),
      rights: FOUNDER_ONLY.has(right) ? none : new Set([right]),
    });
  callers.push(
    {
      name: 'member elsewhere',
      person: await member(stranger.accountId, ['brain.write', 'generate']),
      rights: new Set<Permission>(['brain.write', 'generate']),
    },
    { name: 'founder elsewhere', person: await member(stranger.accountId, [], 'FOUNDER'), rights: all },
    { name: 'founder', person: await member(accountId, [], 'FOUNDER'), rights: all },
    {
      name: 'operator’s member elsewhere',
      person: await member(operator.account.id, ['generate', 'service.operate']),
      rights: new Set<Permission>(['generate']),
    },
    {
      name: 'operator elsewhere',
      person: { accountId: operator.account.id, memberId: operator.member.id },
      rights: new Set(PERMISSIONS),
    },
  );
});

/** A fresh session, and the headers with which a route is called in it. */
async function appear({ person }: Caller): Promise<Record<string, string>> {
  await signInAs(service, person);
  return { origin: ORIGIN, ...(person ? { cookie: `atelier=${browser.cookie}` } : {}) };
}

type Outcome = 'in' | 'signed out' | 'forbidden';

function expected(right: Right, caller: Caller): Outcome {
  if (right === 'anyone') return 'in';
  if (!caller.person) return 'signed out';
  if (right === 'person') return 'in';
  if (caller.isSuspended) return 'signed out';
  return right === 'member' || caller.rights.has(right as Permission) ? 'in' : 'forbidden';
}

/** Calls one entry point as everybody and says where the table is wrong; what strangers are shown is nothing of the account. */
async function faultsOf(
  where: string,
  right: Right | undefined,
  call: (headers: Record<string, string>) => Promise<{ outcome: Outcome; shown: string }>,
): Promise<string[]> {
  if (right === undefined) return [`${where} is not in the table (tests/api/hostile/roles.ts)`];
  const faults: string[] = [];
  const signs: string[] = [];
  for (const caller of callers) {
    const { outcome, shown } = await call(await appear(caller));
    signs.push({ in: '●', 'signed out': '·', forbidden: '○' }[outcome]);
    if (/elsewhere|nobody|suspended/.test(caller.name) && shown.toUpperCase().includes(MARKER))
      faults.push(`${where} shows the account to ${caller.name}`);
    // What other credentials open says the same to every session: it is none of them.
    if (right !== 'no session' && outcome !== expected(right, caller))
      faults.push(
        `${where} as ${caller.name}: ${outcome}, not ${expected(right, caller)}: ${shown.slice(0, 160)}`,
      );
  }
  if (right === 'no session' && new Set(signs).size > 1)
    faults.push(`${where} heeds a session: ${signs.join('')}`);
  lines.push(`${signs.join(' ')}  ${where} (${right})`);
  return faults;
}

const lines: string[] = [];
const print = (title: string) =>
  console.log(
    [
      `${title}: ● in, ○ forbidden, · signed out; as ${callers.map(({ name }) => name).join(', ')}`,
      ...lines.splice(0),
    ].join('\n'),
  );

/** Rows of the account for the names of a path. */
function paramsOf(route: Route): Record<string, string> {
  const { ids, pathnames } = target;
  const kind = /brain\/memories/.test(route.pattern)
    ? 'memory'
    : /imports\/\[id\]$/.test(route.pattern)
      ? 'importJob'
      : /generations|webhooks/.test(route.pattern)
        ? 'generation'
        : 'space';
  const id = ids[kind]?.[0] ?? 'x';
  return {
    id: route.pattern.includes('/templates/') ? 'quote' : id,
    generationId: id,
    version: '1',
    pathname: pathnames[0] ?? 'x',
    voiceId: 'voix',
  };
}

/** The member's half of a route that an outside service calls as well. */
const BODIES: Record<string, object> = {
  'POST /api/references/upload': { type: 'blob.generate-client-token', payload: {} },
};

const outcomeOf = (status: number): Outcome =>
  status === 401 ? 'signed out' : status === 403 ? 'forbidden' : 'in';

describe('who may call what', () => {
  test('every route opens to whom the table says, and to nobody else', async () => {
    const faults: string[] = [];
    const routes = await discoverRoutes();
    const seen = new Set<string>();
    for (const route of routes) {
      const where = `${route.method} ${route.pattern}`;
      const params = paramsOf(route);
      if ((await callRoute(route, { params })).status === 405) continue;
      seen.add(where);
      faults.push(
        ...(await faultsOf(where, ROUTES[where], async (headers) => {
          const json: Record<string, string> =
            route.method === 'GET' ? {} : { 'content-type': 'application/json' };
          const body = route.method === 'GET' ? null : JSON.stringify(BODIES[where] ?? {});
          const { status, text } = await callRoute(route, { params, body, headers: { ...headers, ...json } });
          // What comes back as it was sent tells nothing.
          return { outcome: outcomeOf(status), shown: text.replaceAll(params.pathname ?? '', '') };
        })),
      );
    }
    print('routes');
    expect(faults).toEqual([]);
    expect(Object.keys(ROUTES).filter((where) => !seen.has(where))).toEqual([]);
  });

  test('every server action opens to whom the table says, and to nobody else', async () => {
    const faults: string[] = [];
    const actions = await discoverActions();
    for (const action of actions)
      faults.push(
        ...(await faultsOf(action.name, ACTIONS[action.name], async () => {
          const answer = await action.run(typedBy(target));
          const { values: _, ...said } = answer as typeof answer & { values?: unknown };
          const outcome =
            answer.code === 'unauthenticated'
              ? 'signed out'
              : answer.code === 'forbidden'
                ? 'forbidden'
                : 'in';
          return { outcome, shown: JSON.stringify(said) };
        })),
      );
    print('server actions');
    expect(faults).toEqual([]);
    const names = new Set(actions.map(({ name }) => name));
    expect(Object.keys(ACTIONS).filter((name) => !names.has(name))).toEqual([]);
  });

  test('every page opens to whom the table says, and to nobody else', async () => {
    const faults: string[] = [];
    const root = path.join(repositoryRoot, 'app');
    const files = (await readdir(root, { recursive: true }))
      .filter((file) => path.basename(file) === 'page.tsx')
      .sort();
    for (const file of files) {
      const { default: page } = (await import(pathToFileURL(path.join(root, file)).href)) as {
        default: (props: object) => unknown;
      };
      const kind = file.includes('journal') ? 'generation' : 'space';
      const id = file.includes('modeles') ? 'quote' : (target.ids[kind]?.[0] ?? 'x');
      faults.push(
        ...(await faultsOf(file, PAGES[file], async () => {
          try {
            const drawn = await page({
              params: Promise.resolve({ id }),
              searchParams: Promise.resolve({}),
            });
            const type = (drawn as { type?: { name?: string } } | null)?.type;
            return { outcome: type?.name === 'NoPermission' ? 'forbidden' : 'in', shown: '' };
          } catch (error) {
            const { digest } = error as { digest?: unknown };
            if (typeof digest !== 'string' || !digest.startsWith('NEXT_')) throw error;
            return { outcome: /;\/connexion/.test(digest) ? 'signed out' : 'in', shown: '' };
          }
        })),
      );
    }
    print('pages');
    expect(faults).toEqual([]);
    expect(Object.keys(PAGES).filter((file) => !files.includes(file))).toEqual([]);
  });
});
