import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { POST as register } from '#app/api/oauth/register/route.ts';
import { DIALECTS, type HouseDialect } from '#lib/http/responses/dialects.ts';
import { type BoundDeclaration, declarationOf } from '#lib/http/routes/declaration.ts';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { call } from '#tests/setup/api.ts';
import { sessionCookie } from '#tests/setup/blob.ts';
import { type HttpServer, startHttpServer } from '#tests/setup/http/http-server.ts';
import { callTool } from '#tests/setup/mcp.ts';
import { useStudioApi } from '#tests/setup/studio-api.ts';
import { ownFor } from './attacks.ts';
import { discoverRoutes, type Route } from './routes.ts';
import { type Shaped, shapesOf, textPlaces, valuesOf, withText } from './schema-values.ts';

vi.mock('next/server', () => ({ after: () => undefined }));

const service = useStudioApi();

/** What PostgreSQL cannot hold, or would hold as something else: refused wherever it comes, naming the field. */
const NO_TEXT = ['\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\udc00\ud800'];
/** What is text, however odd: answered, or refused for another reason. */
const ODD_TEXT = ['\u202e\u0001\u001b\ufffe', 'ﷺ'.repeat(2_000), 'a'.repeat(50_000)];
/** What may stand where a file is named: each form that is read, and what looks like one. */
const FILE_NAMES = [
  'https://exemple.test/a\u0000b.png',
  'upl_00000000000000000000000000\u0000',
  'references/libre/\ud800.png',
  'gen_00000000000000000000000000#0\u0000',
];
const ODD_FILE_NAMES = [
  'https://[::',
  'https://exemple.test:99999/a.png',
  'http://169.254.169.254/latest',
  'data:image/png;base64,AAAA',
  'upl_00000000000000000000000000',
  'ast_00000000000000000000000000',
  'ava_00000000000000000000000000',
  'gen_00000000000000000000000000#99',
  'references/../../etc/passwd',
  'https://local.private.blob.vercel-storage.com/%zz',
  `https://${'a'.repeat(70)}.test/`,
];
const NAMES_FILE =
  /(^|\.)(references|startImage|endImage|characters?|clips?|composition|fields|document|pathname|url)(\.|$)/;
const DEEP = '['.repeat(60_000) + ']'.repeat(60_000);

type Declared = { route: Route; declaration: BoundDeclaration };

let own: PopulatedAccount;
let operations: Declared[] = [];
let server: HttpServer;
let session: Record<string, string>;

beforeAll(async () => {
  own = await populatedAccount(service, { marker: 'ZQTEXTEZQ' });
  const cookie = await sessionCookie(service, {
    id: own.ids.member?.[0] as string,
    accountId: own.accountId,
  });
  session = { cookie };
  const routes = await discoverRoutes();
  operations = routes.flatMap((route) => {
    const declaration = declarationOf(route.handler);
    return declaration && declaration.dialect in DIALECTS ? [{ route, declaration }] : [];
  });
  server = await startHttpServer((request) => {
    const url = new URL(request.url);
    const name = request.headers.get('x-operation');
    const one = operations.find(({ declaration }) => declaration.id === name);
    if (!one) return Promise.resolve(new Response(null, { status: 404 }));
    const parts = url.pathname.split('/').map(decodeURIComponent);
    const values = one.route.pattern.split('/').flatMap((part, index) => {
      const param = /^\[{1,2}(\.{3})?(\w+)\]{1,2}$/.exec(part);
      return param ? [[param[2], param[1] ? parts.slice(index) : parts[index]]] : [];
    });
    return one.route.handler(request, { params: Promise.resolve(Object.fromEntries(values)) });
  });
}, 60_000);
afterAll(() => server.close());

const headersOf = ({ caller }: BoundDeclaration): Record<string, string> =>
  caller.kind === 'credential'
    ? { authorization: `Bearer ${own.keySecret}` }
    : caller.kind === 'scheduler'
      ? { authorization: `Bearer ${process.env.CRON_SECRET}` }
      : session;

/** A path of the account's own rows, so that what is refused is the text and nothing before it. */
function pathOf({ route, declaration }: Declared): string {
  const id = route.pattern.includes('/templates') ? 'quote-card' : ownFor(route, own);
  return route.pattern.replace(/\[{1,2}(?:\.{3})?(\w+)\]{1,2}/g, (_, name) =>
    name === 'version' ? '1' : declaration.id === 'readVoicePreview' ? 'voix' : id,
  );
}

let calls = 0;

async function ask(
  one: Declared,
  change: { query?: string; body?: string; headers?: Record<string, string> },
) {
  if (calls % 10 === 0) await service.pool.query('DELETE FROM "RateLimitWindow"');
  calls += 1;
  const { body } = change;
  const response = await fetch(`${server.url}${pathOf(one)}${change.query ?? ''}`, {
    method: one.route.method,
    headers: {
      'x-operation': one.declaration.id,
      ...headersOf(one.declaration),
      ...(one.declaration.headers?.shape['idempotency-key'] ? { 'idempotency-key': `k-${calls}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...change.headers,
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, text };
}

type Refusal = { code: string; problems?: { field: string; message: string }[] };

/** What is wrong with the answer to a text that is none; null when it is the refusal that it should be. */
function notRefused(dialect: HouseDialect, field: string, answer: { status: number; text: string }) {
  const json = answer.text.startsWith('{') ? JSON.parse(answer.text) : {};
  const error = (json.error ?? json.refused) as Refusal | undefined;
  const named = error?.problems?.some((problem) => problem.field === field);
  const good = error?.code === DIALECTS[dialect].malformed && named && [200, 400].includes(answer.status);
  return good ? null : `${answer.status} ${answer.text.slice(0, 200)}`;
}

const shown = (text: string) => JSON.stringify(text.slice(0, 20));

describe('texts that are none, over HTTP', () => {
  test('every text of every body, generated from its schema: 400 naming the field, and whatever the text no 5xx', async () => {
    const failures: string[] = [];
    let places = 0;
    for (const one of operations) {
      const { body, id, dialect } = one.declaration;
      if (body?.type !== 'json') continue;
      const extra =
        id.startsWith('preview') || id.startsWith('play') ? shapesOf(bodyOf('createGeneration')) : [];
      for (const shape of [...shapesOf(body.schema), ...extra].flatMap(withTemplate)) {
        const { value: base } = shape;
        for (const place of shape.places) {
          places += 1;
          const field = place.join('.') || 'corps';
          const named = NAMES_FILE.test(field) ? [FILE_NAMES, ODD_FILE_NAMES] : [[], []];
          const refused = [...NO_TEXT, ...(named[0] as string[])];
          for (const text of [...refused, ...ODD_TEXT, ...(named[1] as string[])]) {
            const answer = await ask(one, { body: JSON.stringify(withText(base, place, text)) });
            const where = `${id} ${field} ${shown(text)}`;
            if (answer.status >= 500 && !HONEST.test(answer.text))
              failures.push(`${where}: ${answer.status} ${answer.text.slice(0, 200)}`);
            // Of an address of two callers, what is no token request is for its signature to judge.
            else if (refused.includes(text) && !(id === 'uploadReference' && !field.startsWith('payload'))) {
              const fault = notRefused(dialect as HouseDialect, field, answer);
              if (fault) failures.push(`${where}: ${fault}`);
            }
          }
        }
        if (body.maxBytes < 2 * DEEP.length) continue;
        const deep = JSON.stringify({ ...(base as object), rules: 0 }).replace(
          '"rules":0',
          `"rules":${DEEP}`,
        );
        const answer = await ask(one, { body: deep });
        if (answer.status >= 500) failures.push(`${id} nested: ${answer.status}`);
      }
    }
    console.log(`texts: ${places} places, ${calls} calls, ${failures.length} failures`);
    expect(failures.slice(0, 20)).toEqual([]);
    expect(places).toBeGreaterThan(300);
  }, 600_000);

  test('every parameter of every query: a NUL is 400 naming it, one given twice too, and whatever the text no 5xx', async () => {
    const failures: string[] = [];
    for (const one of operations) {
      const { query, id, dialect } = one.declaration;
      for (const name of Object.keys(query?.shape ?? {})) {
        for (const text of [
          '%00',
          'a%00b',
          '%ED%A0%80',
          '%FF',
          '%',
          '%zz',
          '%F0%9F%AA%94'.repeat(200),
          'a'.repeat(8_000),
        ]) {
          const answer = await ask(one, { query: `?${name}=${text}` });
          if (answer.status >= 500) failures.push(`${id} ${name}=${text.slice(0, 20)}: ${answer.status}`);
          if (text.includes('%00')) {
            const fault = notRefused(dialect as HouseDialect, name, answer);
            if (fault) failures.push(`${id} ${name}=${text}: ${fault}`);
          }
        }
        const twice = notRefused(
          dialect as HouseDialect,
          name,
          await ask(one, { query: `?${name}=a&${name}=b` }),
        );
        if (twice) failures.push(`${id} ${name} twice: ${twice}`);
      }
    }
    expect(failures.slice(0, 20)).toEqual([]);
  }, 120_000);

  test('every value of every path: what no identifier can be is 404, never a 5xx', async () => {
    const failures: string[] = [];
    for (const one of operations.filter(({ route }) => route.params.length > 0)) {
      for (const text of [
        '%00',
        'gen_%00',
        '%EF%BF%BD',
        'a'.repeat(2_000),
        '%F0%9F%AA%94',
        '..%2f..%2fetc',
      ]) {
        const path = one.route.pattern.replace(/\[{1,2}(?:\.{3})?(\w+)\]{1,2}/g, text);
        const headers = { 'x-operation': one.declaration.id, ...headersOf(one.declaration) };
        const key = one.declaration.headers?.shape['idempotency-key']
          ? { 'idempotency-key': 'k' }
          : undefined;
        const response = await fetch(server.url + path, {
          method: one.route.method,
          headers: { ...headers, ...key, 'content-type': 'application/json' },
          ...(one.route.method === 'GET' ? {} : { body: '{}' }),
        });
        if (response.status >= 500 || response.status < 400)
          if (one.declaration.id !== 'notFound')
            failures.push(`${one.declaration.id} ${text}: ${response.status}`);
      }
    }
    expect(failures.slice(0, 20)).toEqual([]);
  }, 120_000);

  test('every text of a client’s metadata: invalid_client_metadata or invalid_redirect_uri, never a 5xx', async () => {
    const failures: string[] = [];
    const metadata = {
      client_name: 'Assistant',
      client_uri: 'https://assistant.exemple/',
      redirect_uris: ['https://assistant.exemple/retour'],
      grant_types: ['authorization_code'],
      scope: 'brain:read',
      software_id: 'x',
    };
    for (const place of textPlaces(metadata))
      for (const text of [...NO_TEXT, ...NO_TEXT.map((one) => `https://assistant.exemple/${one}`)]) {
        await service.pool.query('DELETE FROM "RateLimitWindow"');
        const { status, json } = await call(register, {
          path: '/api/oauth/register',
          body: withText(metadata, place, text),
        });
        if (status !== 400 || !/^invalid_(client_metadata|redirect_uri)$/.test(json.error))
          failures.push(`${place.join('.')} ${shown(text)}: ${status} ${JSON.stringify(json).slice(0, 200)}`);
      }
    expect(failures.slice(0, 20)).toEqual([]);
  });

  test('every text argument of every assistant tool: invalid_request naming it, not to be retried', async () => {
    const failures: string[] = [];
    for (const tool of TOOLS)
      for (const value of valuesOf(tool.input))
        for (const place of textPlaces(value))
          for (const text of NO_TEXT) {
            await service.pool.query('DELETE FROM "RateLimitWindow"');
            const args = withText(value, place, text) as Record<string, unknown>;
            const { result, json, status } = await callTool(tool.name, args, {
              token: own.mcpToken,
              headers: { host: '127.0.0.1' },
            });
            const error = result?._meta?.['atelier/error'];
            const named = error?.problems?.[0]?.field === place.join('.');
            if (!(error?.code === 'invalid_request' && error.retryable === false && named))
              failures.push(
                `${tool.name} ${place.join('.')} ${shown(text)}: ${status} ${JSON.stringify(error ?? json).slice(0, 200)}`,
              );
          }
    expect(failures.slice(0, 20)).toEqual([]);
  }, 120_000);
});

/** Answers that say « not here, not now » on purpose. */
const HONEST = /"code":"(not_configured|composition-unavailable|unavailable|provider-failure)"/;

/** A render asks with the fields of templates that there are; of one with a picture, by address and by its place in the journal. */
function withTemplate({ value, places }: Shaped): Shaped[] {
  if ((value as { kind?: string }).kind !== 'render') return [{ value, places }];
  return ['quote-card', 'product-card'].flatMap((name) => {
    const template = findTemplate(name);
    if (!template) throw new Error(`${name} is gone`);
    const base = { ...(value as object), template: template.id, size: template.sizes[0]?.id };
    const asked = (fields: object) => {
      const one = { ...base, fields };
      return { value: one, places: textPlaces(one) };
    };
    const photo = template.fields.find(({ kind }) => kind === 'image')?.id;
    const made = { generationId: 'gen_00000000000000000000000000', file: 0 };
    const examples = exampleFields(template);
    return [
      asked(examples),
      ...(photo ? [asked({ ...examples, [photo]: 'x' }), asked({ ...examples, [photo]: made })] : []),
    ];
  });
}

function bodyOf(id: string) {
  const schema = operations.find(({ declaration }) => declaration.id === id)?.declaration.body?.schema;
  if (!schema) throw new Error(`${id} has no body`);
  return schema;
}
