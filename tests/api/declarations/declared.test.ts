import { expect, test } from 'vitest';
import { contextApiDocument } from '#app/api/_documents/context-api.ts';
import { studioApiDocument } from '#app/api/_documents/studio-api.ts';
import { ERROR_CATALOG } from '#lib/core/errors.ts';
import { DIALECTS, type HouseDialect } from '#lib/http/responses/dialects.ts';
import { declarationOf } from '#lib/http/routes/declaration.ts';
import { declaredErrors } from '#lib/http/routes/declared-errors.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { callRoute, discoverRoutes } from '../hostile/routes.ts';

useApi();

const where = ({ method, pattern }: { method: string; pattern: string }) => `${method} ${pattern}`;

test('every method of every route file is declared, or refuses with 405 whoever calls', async () => {
  const undeclared: string[] = [];
  for (const route of await discoverRoutes()) {
    if (declarationOf(route.handler)) continue;
    const { status } = await callRoute(route, {});
    // There, the host and the caller are judged before the method.
    if (status !== 405 && !(route.pattern === '/api/mcp' && [401, 403].includes(status)))
      undeclared.push(where(route));
  }
  expect(undeclared).toEqual([]);
});

test('a declaration names its operation alone, at least one answer, and codes of the catalogue', async () => {
  const routes = await discoverRoutes();
  const declared = routes.flatMap((route) => {
    const declaration = declarationOf(route.handler);
    return declaration ? [{ route, declaration }] : [];
  });
  const owners = Map.groupBy(declared, ({ declaration }) => declaration.id);
  for (const [id, several] of owners)
    expect(new Set(several.map(({ route }) => route.pattern)).size, id).toBe(1);
  for (const { route, declaration } of declared) {
    const refusesAll = ['/api/[...path]', '/.well-known/[...path]'].includes(route.pattern);
    expect(Object.keys(declaration.answers).length > 0 || refusesAll, where(route)).toBe(true);
    for (const code of declaredErrors(declaration)) expect(Object.keys(ERROR_CATALOG)).toContain(code);
    expect(declaration.path !== undefined, `path of ${where(route)}`).toBe(
      route.params.length > 0 && !refusesAll && !route.pattern.startsWith('/.well-known'),
    );
  }
  expect(declared.length).toBeGreaterThan(40);
});

test('every route of the Brain that is ours names its refusals as the Brain does', async () => {
  const brain = (await discoverRoutes()).flatMap((route) => {
    const declaration = declarationOf(route.handler);
    return declaration && /^\/api\/(?:brain|v1\/(?:spaces|memories))\//.test(route.pattern)
      ? [{ at: where(route), dialect: declaration.dialect }]
      : [];
  });
  expect(brain.length).toBeGreaterThan(10);
  expect(brain.filter(({ dialect }) => dialect !== 'brain')).toEqual([]);
});

test('the two documents hold every route that a member or a program calls; the rest serves the cockpit alone', async () => {
  const documented = new Set(
    [contextApiDocument(ORIGIN), studioApiDocument(ORIGIN)].flatMap((document) =>
      Object.values(document.paths ?? {}).flatMap((item) =>
        Object.values(item ?? {}).flatMap((operation) => operation?.operationId ?? []),
      ),
    ),
  );
  const ofPrograms = (await discoverRoutes()).flatMap((route) => {
    const declaration = declarationOf(route.handler);
    const kind = declaration?.caller.kind;
    return declaration && ['member', 'credential', 'either'].includes(kind ?? '') ? [declaration.id] : [];
  });
  const missing = ofPrograms.filter((id) => !documented.has(id));
  expect(missing.sort()).toEqual([
    'copyContext',
    'createVariants',
    'downloadGenerations',
    'exportJournal',
    'findAnything',
    'getImport',
    'getMemoryDetail',
    'getRevision',
    'grantImportUpload',
    'importFiles',
    'importUploadedFiles',
    'listRevisions',
    'listSentGenerations',
    'playGeneration',
  ]);
});

test('both documents have tags, a contact, and for each operation the tag, the refusals of its body and who may call', () => {
  for (const document of [contextApiDocument(ORIGIN), studioApiDocument(ORIGIN)]) {
    let withBody = 0;
    const tags = new Set((document.tags ?? []).map(({ name }) => name));
    expect(document.info.contact?.url).toMatch(/^http:\/\/atelier\.test\/docs\//);
    for (const [path, item] of Object.entries(document.paths ?? {}))
      for (const operation of Object.values(item ?? {})) {
        expect(tags, path).toContain(operation?.tags?.[0]);
        expect(operation?.security?.length, path).toBeGreaterThan(0);
        const takesJson = operation?.requestBody?.content?.['application/json'] !== undefined;
        withBody += takesJson ? 1 : 0;
        expect(Object.keys(operation?.responses ?? {}), path).toEqual(
          expect.arrayContaining(takesJson ? ['413', '415'] : []),
        );
      }
    expect(withBody, document.info.title).toBeGreaterThan(0);
  }
});

test('OPTIONS says which methods a route has, under a Request-Id', async () => {
  const routes = await discoverRoutes(['OPTIONS']);
  const files = new Set((await discoverRoutes()).map(({ pattern }) => pattern));
  expect(new Set(routes.map(({ pattern }) => pattern))).toEqual(files);
  let told = 0;
  for (const route of routes) {
    const answer = await callRoute(route, {});
    expect(answer.headers.get('request-id'), where(route)).toMatch(/^req_/);
    const methods = answer.headers.get('allow') ?? answer.headers.get('access-control-allow-methods') ?? '';
    expect([204, 404], where(route)).toContain(answer.status);
    expect(answer.status === 404 || /OPTIONS/.test(methods), where(route)).toBe(true);
    told += answer.status === 204 ? 1 : 0;
  }
  // Those that are no route at all refuse whatever the method.
  expect(told).toBeGreaterThan(routes.length / 2);
});

test('a fault of ours answers in the words of the route’s half: internal_error for the Brain, internal-error for the Studio', async () => {
  const shared = globalThis as { atelierConnection?: unknown };
  const whole = shared.atelierConnection;
  const broken = new Proxy(
    {},
    {
      get: () => {
        throw new Error('boom');
      },
    },
  );
  const seen = new Set<string>();
  shared.atelierConnection = { db: broken, kysely: broken };
  try {
    for (const route of await discoverRoutes()) {
      const declaration = declarationOf(route.handler);
      if (!declaration || !(declaration.dialect in DIALECTS)) continue;
      // Enough of each credential that it has to be looked up.
      const cookie = await signSessionCookie('ses_x', process.env.SERVICE_SESSION_SECRET as string);
      const token =
        declaration.caller.kind === 'scheduler' ? process.env.CRON_SECRET : `atl_${'0'.repeat(64)}`;
      const headers = { cookie: `atelier=${cookie}`, authorization: `Bearer ${token}` };
      const { status, text } = await callRoute(route, { headers });
      if (status < 500 || declaration.caller.kind === 'anyone') continue;
      const { fault } = DIALECTS[declaration.dialect as HouseDialect];
      expect(status, where(route)).toBe(500);
      expect(JSON.parse(text).error.code, where(route)).toBe(fault);
      seen.add(declaration.dialect);
    }
  } finally {
    shared.atelierConnection = whole;
  }
  expect([...seen].sort()).toEqual(['brain', 'studio']);
});
