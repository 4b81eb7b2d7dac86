import { beforeAll, expect, test } from 'vitest';
import { makeAccount } from '#tests/factories/account.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
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
    ];
    for (const [message, code, sentence, fields] of faults) {
      const error = await errorOf(message);
      expect(error).toMatchObject({ code, message: sentence, data: { retryable: false } });
      expect(error.data.problems?.map(({ field }) => field)).toEqual(fields);
      expect(JSON.stringify(error)).not.toMatch(/Invalid|expected|not found|\\n/);
    }
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
