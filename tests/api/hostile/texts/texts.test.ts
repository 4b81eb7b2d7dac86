import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { POST as register } from '#app/api/oauth/register/route.ts';
import type { BoundDeclaration } from '#lib/http/routes/declaration.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { call } from '#tests/setup/api.ts';
import { type HttpServer, startHttpServer } from '#tests/setup/http/http-server.ts';
import { callTool } from '#tests/setup/mcp.ts';
import { sessionCookie } from '#tests/setup/storage/blob.ts';
import { useStudioApi } from '#tests/setup/studio-api.ts';
import { textPlaces, withText } from '../fuzzing/schema-values.ts';
import {
  bodyCases,
  discoverOperations,
  faultOf,
  headersOf,
  NO_TEXT,
  type Operation,
  pathCases,
  queryCases,
  shown,
  type TextCase,
  toolCases,
  toolFaultOf,
} from './text-cases.ts';

// The same cases go to the built server over a real socket by `npm run exploits` (tests/exploits/texts.test.ts).
vi.mock('next/server', () => ({ after: () => undefined }));

const service = useStudioApi();

let own: PopulatedAccount;
let operations: Operation[] = [];
let server: HttpServer;
let session: Record<string, string>;

beforeAll(async () => {
  own = await populatedAccount(service, { marker: 'ZQTEXTEZQ' });
  const cookie = await sessionCookie(service, {
    id: own.ids.member?.[0] as string,
    accountId: own.accountId,
  });
  session = { cookie };
  operations = await discoverOperations();
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
});
afterAll(() => server.close());

const credentialOf = ({ caller }: BoundDeclaration): Record<string, string> =>
  caller.kind === 'credential'
    ? { authorization: `Bearer ${own.keySecret}` }
    : caller.kind === 'scheduler'
      ? { authorization: `Bearer ${process.env.CRON_SECRET}` }
      : session;

let calls = 0;

async function send(one: TextCase) {
  if (calls % 10 === 0) await service.pool.query('DELETE FROM "RateLimitWindow"');
  calls += 1;
  const { declaration, route } = one.operation;
  const response = await fetch(server.url + one.path, {
    method: route.method,
    headers: { 'x-operation': declaration.id, ...credentialOf(declaration), ...headersOf(one, calls) },
    ...(one.body === undefined ? {} : { body: one.body }),
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text() };
}

async function faultsOf(cases: TextCase[]): Promise<string[]> {
  const faults: string[] = [];
  for (const one of cases) faults.push(...[faultOf(one, await send(one))].filter((fault) => fault !== null));
  return faults.slice(0, 20);
}

describe('texts that are none, over HTTP', () => {
  test('every text of every body, generated from its schema: 400 naming the field, and whatever the text no 5xx', async () => {
    const { cases, places } = bodyCases(operations, own);
    expect(await faultsOf(cases)).toEqual([]);
    console.log(`texts: ${places} places, ${cases.length} calls`);
    expect(places).toBeGreaterThan(300);
  });

  test('every parameter of every query: a NUL is 400 naming it, one given twice too, and whatever the text no 5xx', async () => {
    const cases = queryCases(operations, own);
    expect(await faultsOf(cases)).toEqual([]);
    expect(cases.length).toBeGreaterThan(100);
  });

  test('every value of every path: what no identifier can be is 404, never a 5xx', async () => {
    const cases = pathCases(operations);
    expect(await faultsOf(cases)).toEqual([]);
    expect(cases.length).toBeGreaterThan(100);
  });

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
    const places = textPlaces(metadata);
    expect(places.map(([name]) => name)).toEqual(Object.keys(metadata));
    for (const place of places)
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
    const faults: (string | null)[] = [];
    for (const one of toolCases()) {
      await service.pool.query('DELETE FROM "RateLimitWindow"');
      const answer = await callTool(one.name, one.args, {
        token: own.mcpToken,
        headers: { host: '127.0.0.1' },
      });
      faults.push(toolFaultOf(one, answer));
    }
    expect(faults.filter((fault) => fault !== null).slice(0, 20)).toEqual([]);
    expect(faults.length).toBeGreaterThan(20);
  });
});
