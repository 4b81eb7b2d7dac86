import { beforeAll, expect, test } from 'vitest';
import { POST as mcp } from '#app/api/mcp/route.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { messageHeaders, modern } from '#tests/setup/mcp.ts';

const service = useApi();
let token = '';

beforeAll(async () => {
  const { member } = await makeAccount(service);
  token = (await makeTokens(service, member)).tokens.access_token;
});

type Message = { method: string; params?: Record<string, unknown> };
const legacy = (method: string, params: Record<string, unknown> = {}) =>
  ({ jsonrpc: '2.0', id: 1, method, params }) as Message;

/** Posts a message with these headers; a null one is left out. */
async function post(message: Message, changed: Record<string, string | null> = {}) {
  const own = { host: '127.0.0.1', authorization: `Bearer ${token}` };
  const headers = new Headers({ ...messageHeaders(message), ...own });
  for (const [name, value] of Object.entries(changed))
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  const answer = await mcp(
    new Request(`${ORIGIN}/api/mcp`, { method: 'POST', headers, body: JSON.stringify(message) }),
  );
  const text = await answer.text();
  const type = answer.headers.get('content-type')?.split(';')[0];
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  const body = type === 'text/event-stream' ? lines.at(-1)?.slice('data: '.length) : text;
  const kept = answer.headers.get('cache-control');
  return { status: answer.status, type, kept, json: JSON.parse(body || '{}') };
}

/** Each era, and what it answers a client that takes neither form. */
const eras: [
  era: string,
  of: (method: string, params?: Record<string, unknown>) => Message,
  neither: number,
][] = [
  ['2026-07-28', modern, 200],
  ['2025-11-25', legacy, 406],
];

test.each(eras)(
  '%s: an answer comes in the form that its client takes, be it one of the two alone',
  async (_, of, neither) => {
    const ask = (accept: string | null) => post(of('tools/list'), { accept });
    const whole = await ask('application/json, text/event-stream');
    expect(whole.status).toBe(200);
    expect(whole.json.result.tools.length).toBeGreaterThan(5);
    const taken: [accept: string | null, type?: string][] = [
      ['application/json', 'application/json'],
      ['text/event-stream', 'text/event-stream'],
      ['application/json, text/event-stream;q=0', 'application/json'],
      ['*/*'],
      ['application/*, text/*'],
      [null],
    ];
    for (const [accept, type] of taken) {
      const { status, json, ...answer } = await ask(accept);
      expect([status, json.result], String(accept)).toEqual([200, whole.json.result]);
      if (type) expect(answer.type, String(accept)).toBe(type);
      // A proxy that transforms a stream would hold it back to its end.
      expect(answer.kept).toBe('private, no-store, no-transform');
    }
    expect((await ask('text/html')).status).toBe(neither);
  },
);

test('an address of nothing is a fault of the parameters, as the protocol has it, in both eras', async () => {
  for (const [, of] of eras)
    for (const uri of ['atelier://memories/mem_x', 'atelier://spaces/spc_x']) {
      const { json } = await post(of('resources/read', { uri }), { 'mcp-name': uri });
      expect(json.error, uri).toMatchObject({ code: -32_602, data: { code: 'not_found', uri } });
    }
});

test('each revision of before 2026 is spoken as it was asked for', async () => {
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const hello = legacy('initialize', {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'tests', version: '1' },
    });
    const { status, json } = await post(hello, { 'mcp-protocol-version': null });
    expect([status, json.result?.protocolVersion]).toEqual([200, version]);
    const ping = await post(legacy('ping'), { 'mcp-protocol-version': version });
    expect([ping.status, ping.json.result], version).toEqual([200, {}]);
  }
  // A client of before 2025-06-18 names no revision in its headers.
  expect((await post(legacy('tools/list'), { 'mcp-protocol-version': null })).status).toBe(200);
});

test('what a client writes as null is what it leaves out: it connects, lists and calls as one that writes nothing', async () => {
  const hello = legacy('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { roots: null, sampling: null, elicitation: null, experimental: null },
    clientInfo: { name: 'tests', version: '1', title: null, websiteUrl: null },
    _meta: null,
  });
  const greeted = await post(hello, { 'mcp-protocol-version': null });
  expect([greeted.status, greeted.json.result?.protocolVersion]).toEqual([200, '2025-11-25']);
  const asLegacy = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': null };
  const plain = await post(legacy('tools/list'));
  for (const params of [null, { cursor: null }, { _meta: { progressToken: null } }]) {
    const listed = await post({ ...legacy('tools/list'), params } as unknown as Message, asLegacy);
    expect([listed.status, listed.json.result], JSON.stringify(params)).toEqual([200, plain.json.result]);
  }
  for (const [, of] of eras) {
    const called = await post(of('tools/call', { name: 'brain_quota', arguments: null }));
    expect(called.json.result?.structuredContent).toMatchObject({ object: 'quota' });
    // A tool judges its own: what it has to be given is not left out.
    const search = { name: 'brain_search', arguments: { q: null, limit: null } };
    const judged = await post(of('tools/call', search));
    expect(judged.json.result?.content[0].text).toContain('q\u00a0: Le type attendu est texte.');
  }
});
