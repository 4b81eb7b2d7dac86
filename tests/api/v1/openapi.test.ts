import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { studioApiDocument } from '#app/api/_documents/studio-api.ts';
import { DELETE, GET } from '#app/api/v1/openapi.json/route.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { ERROR_CATALOG } from '#lib/core/errors.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { call, freshIdempotencyKey, useApi } from '#tests/setup/api.ts';

const service = useApi();

async function readDocument() {
  const answer = await call(GET, { path: '/api/v1/openapi.json' });
  return answer.json as {
    openapi: string;
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: { name: string }[];
          responses: Record<string, { description: string; headers: object }>;
          security: object[];
        }
      >
    >;
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The route handlers of the folder by the path that the document gives them, the document's own route aside. */
async function routes() {
  const root = path.join(repositoryRoot, 'app/api/v1');
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('route.ts'));
  const known = files.map(async (file) => {
    const name = `/${path.dirname(file).split(path.sep).join('/')}`.replace(/\[(\w+)\]/g, '{$1}');
    return [name, await import(path.join(root, file))] as [
      string,
      Record<string, Parameters<typeof call>[0]>,
    ];
  });
  return Object.fromEntries(await Promise.all(known));
}

test('every route of /api/v1 is in the document, with the methods that it serves, and nothing else', async () => {
  const document = await readDocument();
  const { '/openapi.json': own, ...served } = await routes();
  expect(own).toBeDefined();
  expect(Object.keys(document.paths).sort()).toEqual(Object.keys(served).sort());
  for (const [name, handlers] of Object.entries(served)) {
    const documented = Object.keys(document.paths[name] ?? {}).map((method) => method.toUpperCase());
    const answering = [];
    for (const method of METHODS) {
      const { status } = await call(handlers[method] as never, { method, path: `/api/v1${name}` });
      // Whatever answers asks first who calls.
      expect([401, 405], `${method} ${name}`).toContain(status);
      if (status !== 405) answering.push(method);
    }
    expect(answering, name).toEqual(documented);
    expect(
      Object.keys(handlers)
        .filter((key) => /^[A-Z]+$/.test(key))
        .sort(),
      name,
    ).toEqual([...METHODS, 'OPTIONS'].sort());
  }
  expect(document.openapi).toMatch(/^3\.1/);
});

test('no deletion and no edit is exposed: DELETE, PUT and PATCH answer 405 on every route, and change nothing', async () => {
  const { account, member, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const { memory } = await addMemory(testContext(service, actor), {
    spaceId: space.id,
    pillar: 'IDENTITY',
    title: 'Promesse',
    body: 'Éclairer.',
    parentId: null,
    source: 'MANUAL',
    idempotencyKey: null,
  });
  const { secret: token } = await makeKey(service, member);
  const stored = async () => ({
    account: await service.db.account.findUniqueOrThrow({ where: { id: account.id } }),
    space: await service.db.space.findUniqueOrThrow({ where: { id: space.id } }),
    memories: await service.db.memory.findMany({ where: { spaceId: space.id } }),
  });
  const before = await stored();
  const body = { id: memory.id, pillar: 'IDENTITY', title: 'Autre', body: 'Autre.' };
  for (const [name, handlers] of Object.entries(await routes()))
    for (const method of ['DELETE', 'PUT', 'PATCH'] as const) {
      const answer = await call(handlers[method] as never, {
        method,
        path: `/api/v1${name.replace('{id}', space.id)}`,
        params: { id: space.id },
        token,
        headers: { 'idempotency-key': freshIdempotencyKey() },
        body,
      });
      expect([answer.status, answer.json.error.code], `${method} ${name}`).toEqual([
        405,
        'method_not_allowed',
      ]);
      expect(answer.headers.get('allow')).toMatch(/^(GET, HEAD|POST|GET, HEAD, POST), OPTIONS$/);
      expect(answer.headers.get('request-id')).toMatch(/^req_/);
    }
  expect(await stored()).toEqual(before);
});

test('every operation asks for a bearer credential: without one, or under another scheme, it answers 401 and the challenge', async () => {
  const { secret } = await makeKey(service, (await makeAccount(service)).member);
  const [document, served] = [await readDocument(), await routes()];
  const operations = Object.entries(document.paths).flatMap(([name, item]) =>
    Object.keys(item).map((method) => [name, method.toUpperCase()] as const),
  );
  expect(operations.length).toBeGreaterThan(7);
  for (const [name, method] of operations)
    for (const authorization of ['', secret, `Basic ${secret}`, 'Bearer']) {
      const handler = served[name]?.[method] as never;
      const address = `/api/v1${name}?access_token=${secret}`;
      const answer = await call(handler, { method, path: address, headers: { authorization } });
      expect([answer.status, answer.json.error.code], `${method} ${name}`).toEqual([401, 'invalid_api_key']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/);
    }
});

test('a parameter that an operation does not have is refused by name, whoever is asked for what: none is passed over in silence', async () => {
  const { account, member } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const { secret: token } = await makeKey(service, member);
  const [document, served] = [await readDocument(), await routes()];
  for (const [name, item] of Object.entries(document.paths))
    for (const method of Object.keys(item).map((one) => one.toUpperCase())) {
      const answer = await call(served[name]?.[method] as never, {
        method,
        path: `/api/v1${name.replace('{id}', space.id)}?inconnu=1`,
        params: { id: space.id },
        token,
        headers: { 'idempotency-key': freshIdempotencyKey() },
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect(answer.status, `${method} ${name}`).toBe(400);
      const fields = answer.json.error.problems.map(({ field }: { field: string }) => field);
      expect(fields, `${method} ${name}`).toContain('inconnu');
    }
});

test('the document answers through the same wrapper as the others: a Request-Id, in French, and 405 in the house shape', async () => {
  const answer = await call(GET, { path: '/api/v1/openapi.json' });
  expect(answer.headers.get('request-id')).toMatch(/^req_/);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const refused = await call(DELETE, { method: 'DELETE', path: '/api/v1/openapi.json' });
  expect([refused.status, refused.json.error.code]).toEqual([405, 'method_not_allowed']);
  for (const { headers } of [answer, refused]) expect(headers.get('content-language')).toBe('fr');
});

test('every operation names its success, its refusals with their French sentence, and who may call it', async () => {
  const document = await readDocument();
  const described = new Map<string, string>();
  for (const [route, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const statuses = Object.keys(operation.responses);
      expect(statuses, `${method} ${route}`).toEqual(
        expect.arrayContaining(['200', '401', '403', '429', '500']),
      );
      expect(operation.security.length).toBe(route === '/projects' ? 1 : 2);
      for (const { description } of Object.values(operation.responses)) {
        expect(description).not.toMatch(/\{\w+\}/);
        for (const [, code, said] of description.matchAll(/`([a-z_]+)`\u00a0: (.+)/g))
          described.set(code as string, said as string);
      }
      expect(operation.responses['429']?.headers, `${method} ${route}`).toHaveProperty('Retry-After');
    }
  const spec = {
    pillar_invalid: 'Pilier inconnu',
    invalid_api_key: 'Clé de développeur ou jeton d’accès absent',
    capacity_full: 'La capacité de contexte du compte est pleine',
    insufficient_scope: 'Ces identifiants ne donnent pas le droit',
    not_found: 'Introuvable dans ce compte',
    idempotency_conflict: 'Cette clé d’idempotence a déjà servi',
    payload_too_large: 'Le corps de la requête dépasse',
    rate_limited: 'Trop de requêtes',
  };
  for (const [code, said] of Object.entries(spec)) expect(described.get(code), code).toContain(said);
  for (const code of described.keys()) expect(Object.keys(ERROR_CATALOG)).toContain(code);
});

test('every count in CU and every figure of the quota says what it counts', async () => {
  const { components } = (await call(GET, { path: '/api/v1/openapi.json' })).json as {
    components: { schemas: Record<string, Described> };
  };
  const { Quota, ...others } = components.schemas;
  const figures = Object.entries(Quota?.properties ?? {}).filter(([name]) => name !== 'object');
  const counts = Object.values(others).flatMap((schema) =>
    fieldsOf(schema).filter(([name]) => /^cu$|Cu$/.test(name)),
  );
  expect([figures.length, counts.length]).toEqual([5, 9]);
  for (const [name, { description }] of [...figures, ...counts]) expect(description, name).toMatch(/\S \S/);
});

type Described = { description?: string; properties?: Record<string, Described>; items?: Described };

/** The fields of a schema, and of what they hold. */
function fieldsOf({ properties = {}, items }: Described): [string, Described][] {
  const own = Object.entries(properties);
  return [...own, ...[...own.map(([, field]) => field), ...(items ? [items] : [])].flatMap(fieldsOf)];
}

test('what is asked for and still runs says when to read it, in both documents', async () => {
  const { paths } = await readDocument();
  const headersOf = (answer: unknown) => Object.keys((answer as { headers: object }).headers);
  expect(headersOf(paths['/generations']?.post?.responses['202'])).toContain('Retry-After');
  expect(headersOf(paths['/generations']?.post?.responses['201'])).not.toContain('Retry-After');
  const studio = studioApiDocument('https://atelier.example').paths;
  for (const path of ['/api/generations', '/api/generations/{id}/relaunch'])
    expect(headersOf(studio?.[path]?.post?.responses?.['202']), path).toContain('Retry-After');
});

test('the headers that a program acts on are in the document: ETag, the mark of a replay, the challenge of a refused credential', async () => {
  const { paths } = await readDocument();
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ at: `${method} ${path}`, ...operation })),
  );
  const headersOf = (answer: { headers: object } | undefined) => Object.keys(answer?.headers ?? {});
  // The bytes of a file have a tag where its store gave one.
  const conditional = operations.filter(
    ({ at, parameters = [] }) =>
      at !== 'get /files/{id}/content' && parameters.some(({ name }) => name === 'If-None-Match'),
  );
  expect(conditional.map(({ at }) => at)).toEqual(
    expect.arrayContaining(['get /spaces/{id}', 'get /spaces/{id}/context', 'get /wallet']),
  );
  for (const { at, responses } of conditional)
    for (const status of ['200', '304']) expect(headersOf(responses[status]), at).toContain('ETag');
  const added = paths['/spaces/{id}/memories']?.post?.responses;
  expect(headersOf(added?.['200'])).toContain('Idempotent-Replayed');
  expect(headersOf(added?.['201'])).not.toContain('Idempotent-Replayed');
  // By it a download that was cut is taken up again.
  for (const status of ['206', '416'])
    expect(headersOf(paths['/files/{id}/content']?.get?.responses[status]), status).toContain(
      'Content-Range',
    );
  for (const { at, responses } of operations) {
    for (const status of ['401', '403'])
      expect(headersOf(responses[status]), `${at} ${status}`).toContain('WWW-Authenticate');
    // Where nobody was recognised there is no rate to tell; everywhere else there is.
    expect(headersOf(responses['401']), at).not.toContain('RateLimit');
    expect(headersOf(responses['403']), at).toContain('RateLimit');
  }
});

type Sent = {
  description?: string;
  $ref?: string;
  anyOf?: Sent[];
  oneOf?: Sent[];
  items?: Sent;
  properties?: Record<string, Sent>;
};
type SentTo = {
  operationId: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: Sent }> };
};
type Asked = {
  paths: Record<string, Record<string, SentTo>>;
  components: { schemas: Record<string, Sent> };
};

/** Every field that a body may have, by its path, those of objects within objects and of each choice too. */
function sentFields(schema: Sent, schemas: Record<string, Sent>, at: string): [string, Sent][] {
  const known = schema.$ref ? (schemas[schema.$ref.split('/').pop() ?? ''] ?? {}) : schema;
  const choices = [...(known.anyOf ?? []), ...(known.oneOf ?? []), ...(known.items ? [known.items] : [])];
  const own = Object.entries(known.properties ?? {}).map(([name, field]): [string, Sent] => [
    `${at}.${name}`,
    field,
  ]);
  return [
    ...own,
    ...own.flatMap(([name, field]) => sentFields(field, schemas, name)),
    ...choices.flatMap((choice) => sentFields(choice, schemas, at)),
  ];
}

test('every parameter, and every field of a body, says what it means, in both documents', async () => {
  const documents = [await readDocument(), studioApiDocument('https://atelier.example')];
  const given = (documents as unknown as Asked[]).flatMap(({ paths, components }) =>
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId, parameters = [], requestBody }): [string, Sent][] => [
        ...parameters.map((one): [string, Sent] => [`${operationId} ${one.name}`, one]),
        ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          sentFields(schema, components.schemas, operationId),
        ),
      ]),
  );
  const names = given.map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'listStudioGenerations from',
      'listGenerations cursor',
      'addMemory Idempotency-Key',
      'addMemory.title',
      'createStudioGeneration.consent.personName',
      'createGeneration.edit.mask.file',
    ]),
  );
  const unsaid = given.filter(([, one]) => !one.description?.trim());
  expect(unsaid.map(([name]) => name)).toEqual([]);
});
