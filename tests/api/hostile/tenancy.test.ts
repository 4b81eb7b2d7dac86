import { beforeAll, describe, expect, test } from 'vitest';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { useApi } from '#tests/setup/api.ts';
import { type Attempt, attemptsOn, rowsOf, unknownTwin, withoutChance } from './attacks.ts';
import { generationsWith } from './generation-bodies.ts';
import { callRoute, discoverRoutes, type Route, type RouteCall } from './routes.ts';

const service = useApi({ poolMax: 10 });
const VICTIM = 'ZQVICTIMEZQ';
const OWN = 'ZQATTAQUEZQ';

/** Tables that hold nothing of an account. */
const NOT_OWNED = new Set(['OAuthClient', 'CronRun', 'CronCursor', 'SearchPage', 'SpentChallenge']);

/** Paths that open by something else than an account's identifier: the API's catch-all, a page of the documentation, an OAuth resource, bytes in the store. */
const OPENED_OTHERWISE = new Set([
  // Read whole in tests/api/studio/by-key.test.ts: no file here has bytes.
  'GET /api/v1/files/[id]/content',
  'GET /api/[...path]',
  'GET /api/docs/[[...slug]]',
  'GET /.well-known/oauth-protected-resource/[[...path]]',
  'GET /.well-known/[...path]',
  'GET /api/exports/[id]',
  'GET /api/files/[...pathname]',
  'GET /api/templates/[id]/example',
  'GET /api/voice-desk/preview/[voiceId]',
  // A share opens by its secret, which no row holds: read whole in tests/api/files/shares.test.ts.
  'GET /partage/[token]',
  'GET /partage/[token]/fichier',
]);

const CREDENTIALS = ['nobody', 'session', 'key', 'token of the API', 'token of assistants'] as const;
type Credential = (typeof CREDENTIALS)[number];

let routes: Route[] = [];
let victim: PopulatedAccount;
let own: PopulatedAccount;
let credentials: Record<Credential, Record<string, string>>;

beforeAll(async () => {
  routes = await discoverRoutes();
  victim = await populatedAccount(service, {
    marker: VICTIM,
    accountId: DEMO_ACCOUNT_ID,
    productId: 'lumen-bougies',
  });
  own = await populatedAccount(service, { marker: OWN });
  const cookie = await signSessionCookie(
    own.ids.session?.[0] as string,
    process.env.SERVICE_SESSION_SECRET as string,
  );
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  credentials = {
    nobody: {},
    session: { cookie: `atelier=${cookie}` },
    key: bearer(own.keySecret),
    'token of the API': bearer(own.apiToken),
    'token of assistants': bearer(own.mcpToken),
  };
});

const PREVIEW = 'POST /api/generations/preview';
const SAME_ORIGIN = { origin: 'http://atelier.test' };

let calls = 0;

/** One call; the counters of rate are emptied so that a limit never answers instead of the route. */
async function ask(route: Route, call: RouteCall, headers: Record<string, string>) {
  if (calls % 10 === 0) await service.pool.query('DELETE FROM "RateLimitWindow"');
  calls += 1;
  return callRoute(route, { ...call, headers: { ...call.headers, ...headers } });
}

/** Whether the route answers this method at all. */
const isMethodOf = async (route: Route) => (await ask(route, { params: {} }, {})).status !== 405;

/** Whether one of these is answered to one of the credentials: the first that is ends the search. */
async function opensFor(route: Route, attempts: Attempt[]): Promise<boolean> {
  for (const headers of Object.values(credentials))
    for (const attempt of attempts)
      if ((await ask(route, attempt.call(attempt.value), headers)).status < 400) return true;
  return false;
}

describe('tenancy of every route', () => {
  test('the victim has a row in every table that an account can have rows in', async () => {
    const tables = await rowsOf(service, victim, VICTIM);
    const empty = Object.entries(tables).filter(([name, { rows }]) => rows === 0 && !NOT_OWNED.has(name));
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  // One test for each credential: all five together outlast ten minutes on a machine that is kept busy.
  test.each(CREDENTIALS)(
    'every route × every identifier of another account answers like an unknown identifier, tells nothing and changes nothing: %s',
    async (name) => {
      const headers = credentials[name];
      const before = await rowsOf(service, victim, VICTIM);
      const failures: string[] = [];
      const startedAt = calls;
      let attempts = 0;
      const victimIds = Object.values(victim.ids).flat();
      for (const route of routes) {
        const where = `${route.method} ${route.pattern}`;
        if (!(await isMethodOf(route))) continue;
        // A route that does not take this credential at all says so before it reads anything: one of each kind shows it.
        const isShut = (await ask(route, { params: {}, headers: SAME_ORIGIN }, headers)).status === 401;
        const tried = new Set<string>();
        // What is said of identifiers that no row has: of one kind in one place the same; where the credential is not taken, of all.
        const saidOfNone = new Map<string, string>();
        for (const attempt of attemptsOn(route, victim, own)) {
          if (isShut && tried.has(attempt.what)) continue;
          tried.add(attempt.what);
          attempts += 1;
          const answer = await ask(route, attempt.call(attempt.value), headers);
          const shown = `${where} as ${name}, ${attempt.what} ${attempt.value}`;
          if (answer.text.toUpperCase().includes(VICTIM) && !attempt.value.includes(VICTIM))
            failures.push(`${shown}: the answer holds the victim's text`);
          const others = victimIds.filter((id) => !attempt.value.includes(id) && answer.text.includes(id));
          if (others.length > 0) failures.push(`${shown}: the answer names ${others[0]}`);
          const said = withoutChance(
            `${answer.status} ${withoutChance(answer.text)}`.replaceAll(attempt.value, '<id>'),
          );
          const place = isShut ? '' : attempt.what;
          if (saidOfNone.get(place) === said) continue;
          const twin = unknownTwin(attempt.value);
          const stranger = await ask(route, attempt.call(twin), headers);
          const none = `${stranger.status} ${withoutChance(stranger.text)}`.replaceAll(twin, '<id>');
          saidOfNone.set(place, none);
          if (said !== none) failures.push(`${shown}: ${said.slice(0, 200)} ≠ ${none.slice(0, 200)}`);
        }
      }
      console.log(
        `tenancy, ${name}: ${attempts} attempts (each compared with an unknown identifier), ${routes.length} handlers, ${calls - startedAt} calls`,
      );
      expect(attempts).toBeGreaterThan(1_000);
      expect(failures.slice(0, 12)).toEqual([]);
      expect(await rowsOf(service, victim, VICTIM)).toEqual(before);
    },
  );

  test('the same paths open for the one whose row it is: the matrix bites', async () => {
    const closed: string[] = [];
    for (const route of routes) {
      if (route.params.length === 0 || route.method !== 'GET' || !(await isMethodOf(route))) continue;
      const mine = attemptsOn(route, own, own).filter(({ what }) => what.startsWith('path'));
      if (!(await opensFor(route, mine))) closed.push(`${route.method} ${route.pattern}`);
    }
    expect(closed.filter((where) => !OPENED_OTHERWISE.has(where))).toEqual([]);
  });

  test('every place of a generation that names a file reads it: one of one’s own is answered otherwise than one that nobody has', async () => {
    const preview = routes.find(({ pattern, method }) => `${method} ${pattern}` === PREVIEW) as Route;
    const said = async (kind: string, value: string) => {
      const answers: string[] = [];
      for (const request of generationsWith(kind, value, own)) {
        const body = JSON.stringify(request);
        const headers = { ...credentials.session, ...SAME_ORIGIN, 'content-type': 'application/json' };
        const { status, text } = await ask(preview, { params: {}, body }, headers);
        answers.push(
          `${status} ${withoutChance(text).replaceAll(value, '<id>')} to ${body.replaceAll(value, '<id>')}`,
        );
      }
      return answers;
    };
    const upload = own.ids.upload?.[0] as string;
    const read = await said('upload', upload);
    const none = await said('upload', unknownTwin(upload));
    // Without a runner a render is refused before anybody looks for its files, so nothing is shown of them here.
    const vain = read.filter((answer) => none.includes(answer));
    expect(vain.filter((answer) => !answer.includes('"kind":"render"'))).toEqual([]);
  });
});
