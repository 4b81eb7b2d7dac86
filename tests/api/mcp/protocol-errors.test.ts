import { beforeAll, expect, test } from 'vitest';
import { makeAccount } from '#tests/factories/account.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';
import { useApi } from '#tests/setup/api.ts';
import { modern, speak } from '#tests/setup/mcp.ts';

const service = useApi();
let token = '';

beforeAll(async () => {
  const { member } = await makeAccount(service);
  token = (await makeTokens(service, member)).tokens.access_token;
});

type Message = { method: string; params?: Record<string, unknown> };

async function errorOf(message: Message, headers: Record<string, string> = {}) {
  const { json } = await speak(message, { token, headers: { host: '127.0.0.1', ...headers } });
  return json.error as {
    code: number;
    message: string;
    data: { retryable: boolean; problems?: { field: string }[] };
  };
}

const eras: [era: string, of: (method: string, params: Record<string, unknown>) => Message][] = [
  ['2026-07-28', (method, params) => modern(method, params)],
  ['2025-11-25', (method, params) => ({ jsonrpc: '2.0', id: 1, method, params }) as Message],
];

test.each(eras)(
  '%s: what the protocol refuses is told in French, with the fields at fault and no dump of a schema',
  async (_, of) => {
    const faults: [Message, number, string, string[]?][] = [
      [of('nulle/part', {}), -32601, 'Cette méthode n’existe pas ici.'],
      [
        of('tools/call', { name: 'inconnu', arguments: {} }),
        -32602,
        'Cet outil n’existe pas\u00a0: tools/list donne ceux qui existent.',
      ],
      [
        of('tools/call', { arguments: 3 }),
        -32602,
        'params.name\u00a0: Le type attendu est texte.',
        ['params.name', 'params.arguments'],
      ],
      [
        of('tools/call', { name: 'brain_quota', arguments: 'x' }),
        -32602,
        'params.arguments\u00a0: Le type attendu est objet.',
        ['params.arguments'],
      ],
      [
        of('tools/list', { cursor: 3 }),
        -32602,
        'params.cursor\u00a0: Le type attendu est texte.',
        ['params.cursor'],
      ],
      ...['tools/list', 'prompts/list', 'resources/templates/list'].map(
        (method) =>
          [
            of(method, { cursor: 'page-2' }),
            -32602,
            'Cette liste est entière\u00a0: aucun curseur ne la continue.',
            ['cursor'],
          ] satisfies [Message, number, string, string[]],
      ),
    ];
    for (const [message, code, sentence, fields] of faults) {
      const error = await errorOf(message);
      expect(error).toMatchObject({ code, message: sentence, data: { retryable: false } });
      expect(error.data.problems?.map(({ field }) => field)).toEqual(fields);
      expect(JSON.stringify(error)).not.toMatch(/Invalid|expected|not found|\\n/);
    }
  },
);

test.each(eras)(
  '%s: a list that ends with its page says so in an answer to the message: another status would end the session of several clients',
  async (_, of) => {
    const ask = (cursor: string) =>
      speak(of('tools/list', { cursor }), { token, headers: { host: '127.0.0.1' } });
    const beyond = await ask('page-2');
    expect([beyond.status, beyond.json.id, beyond.json.error.code]).toEqual([200, 1, -32602]);
    // As many a form writes what it leaves out.
    expect((await ask('')).json.result.tools.length).toBeGreaterThan(5);
  },
);

test('versions, headers and media types that the protocol refuses are told in French', async () => {
  const list: Message = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as Message;
  for (const [message, headers, sentence] of [
    [
      list,
      { 'mcp-protocol-version': '1999-01-01' },
      /^La version 1999-01-01 du protocole n’est pas servie\. Versions\u00a0: 2025-11-25/,
    ],
    [
      {
        ...list,
        params: {
          _meta: { ...modern('x').params._meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
        },
      },
      { 'mcp-protocol-version': '2099-01-01' },
      /^La version 2099-01-01 du protocole n’est pas servie\. Versions\u00a0: 2026-07-28\.$/,
    ],
    [
      list,
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
      /^params\._meta\u00a0: Ce champ est obligatoire\.$/,
    ],
    [
      { ...list, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } },
      {},
      /^params\._meta\.io\.modelcontextprotocol\/clientCapabilities\u00a0: Ce champ est obligatoire\.$/,
    ],
    [list, { accept: 'text/plain' }, /^Le client doit accepter application\/json et text\/event-stream\.$/],
    [list, { 'content-type': 'text/plain' }, /^Le corps doit être envoyé en application\/json\.$/],
    [
      modern('tools/list'),
      { 'mcp-method': 'x' },
      /^Les en-têtes de la requête et son corps ne disent pas la même chose\.$/,
    ],
    [{ method: 3 } as unknown as Message, {}, /^Le corps n’est pas un message JSON-RPC valable\.$/],
  ] as const)
    expect((await errorOf(message as Message, headers)).message).toMatch(sentence);
});

/** Of processor, at the reference machine's speed: what the serving process never takes at once. */
const MOST_HELD_MS = 100;

test('a tool’s name that is slow to look through is refused as any other, and holds the loop for less than 100 ms', async () => {
  const called = (name: string) =>
    ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }) as Message;
  for (const name of [
    'deux\nlignes',
    // As many beginnings of a dumped schema as ends of one, and none that is whole.
    '[{'.repeat(30_000) + '}'.repeat(60_000),
    'Unsupported protocol version: x (supported versions: '.repeat(2_000),
  ]) {
    let heldMs = Number.POSITIVE_INFINITY;
    // The least of a few: what a collection of garbage holds, it does not hold each time.
    for (let again = 0; again < 4 && heldMs >= MOST_HELD_MS; again++) {
      const watched = await longestHold(() => errorOf(called(name)));
      expect(watched.result).toMatchObject({
        code: -32602,
        message: 'Cet outil n’existe pas\u00a0: tools/list donne ceux qui existent.',
      });
      heldMs = Math.min(heldMs, watched.heldMs);
    }
    expect(heldMs, name.slice(0, 20)).toBeLessThan(MOST_HELD_MS);
  }
});
