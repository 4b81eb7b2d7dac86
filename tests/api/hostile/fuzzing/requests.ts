import { TOOLS } from '#lib/mcp/register-tools.ts';
import type { Route, RouteCall } from '../routes.ts';
import { hostileValue, LONG_TEXTS, NAMES, type Random, TEXTS } from './random.ts';

/** What a body may begin with to be taken for a file of its kind; noise follows. */
const FILE_HEADS: readonly (readonly [name: string, type: string, head: string])[] = [
  [
    'a.pdf',
    'application/pdf',
    '%PDF-1.7\n1 0 obj <</Length 9>> stream\nq q q q q\nendstream\ntrailer <</Root 1 0 R>>',
  ],
  ['a.png', 'image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x06\0\0\0'],
  ['a.jpg', 'image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF\0'],
  ['a.gif', 'image/gif', 'GIF89a\xff\xff\xff\xff'],
  ['a.webp', 'image/webp', 'RIFF\xff\xff\xff\xffWEBPVP8 '],
  ['a.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><g><g><g><script>'],
  ['a.zip', 'application/zip', 'PK\x03\x04\x14\0\0\0\x08\0'],
  ['a.mp4', 'video/mp4', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
  ['a.mp3', 'audio/mpeg', 'ID3\x04\0\0\0\0\x7f\x7f'],
  ['a.html', 'text/html', '<!doctype html><p><b><b><b><b><table><td><p>'],
  ['a.md', 'text/markdown', '---\ntitle: [a, b\n---\n# Titre\n'],
  ['a.bin', 'application/octet-stream', ''],
];

function hostileFile(random: Random): File {
  const [name, type, head] = random.pick(FILE_HEADS);
  const size = random.pick([0, 1, 64, 2_000, 60_000]);
  const noise = Uint8Array.from({ length: size }, () => Math.floor(random.next() * 256));
  const tail = random.next() < 0.1 ? random.pick(LONG_TEXTS).toWellFormed() : '';
  return new File([Buffer.from(head, 'latin1'), noise, tail], name, { type });
}

type Body = { body: BodyInit; type?: string };

function hostileBody(random: Random): Body {
  const roll = random.next();
  if (roll < 0.55) return { body: JSON.stringify(hostileValue(random)), type: 'application/json' };
  if (roll < 0.62) return { body: '{"a":', type: 'application/json' };
  if (roll < 0.66) return { body: '['.repeat(5_000), type: 'application/json' };
  if (roll < 0.7) return { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), type: 'application/json' };
  if (roll < 0.8)
    return {
      body: new URLSearchParams({
        [random.pick(NAMES)]: random.pick(TEXTS).toWellFormed(),
        [random.pick(NAMES)]: random.pick(TEXTS).toWellFormed(),
      }).toString(),
      type: 'application/x-www-form-urlencoded',
    };
  if (roll < 0.87) {
    const file = hostileFile(random);
    return { body: file, type: file.type };
  }
  if (roll < 0.93) {
    const form = new FormData();
    for (let n = Math.ceil(random.next() * 3); n > 0; n -= 1)
      form.append(random.pick(['file', 'files', 'image', ...NAMES]), hostileFile(random));
    form.append(random.pick(NAMES), random.pick(TEXTS).toWellFormed());
    return { body: form };
  }
  if (roll < 0.95) return { body: random.pick(LONG_TEXTS).toWellFormed(), type: 'text/plain' };
  return {
    body: random.pick(TEXTS).toWellFormed(),
    type: random.pick([
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
    ]),
  };
}

export type Attacker = { credentials: readonly Record<string, string>[]; ids: readonly string[] };

/** One request to a route, with anything in its path, query, headers and body. */
export function hostileCall(random: Random, route: Route, { credentials, ids }: Attacker): RouteCall {
  const { body, type } = hostileBody(random);
  const params = Object.fromEntries(
    route.params.map(({ name }) => [
      name,
      random.next() < 0.4 ? random.pick(ids) : random.pick(TEXTS).toWellFormed(),
    ]),
  );
  const pairs = Array.from({ length: Math.floor(random.next() * 4) }, () => {
    const value = random.next() < 0.02 ? random.pick(LONG_TEXTS).slice(0, 8_000) : random.pick(TEXTS);
    return `${encodeURIComponent(random.pick(NAMES))}=${encodeURIComponent(value.toWellFormed())}`;
  });
  const headers: Record<string, string> = {
    ...(type ? { 'content-type': type } : {}),
    ...random.pick(credentials),
  };
  if (random.next() < 0.5)
    headers['idempotency-key'] = random.pick([
      'k',
      'a'.repeat(201),
      'x y',
      `k${Math.floor(random.next() * 1e9)}`,
    ]);
  if (random.next() < 0.3)
    headers['if-none-match'] = random.pick(['*', '"x"', '"1.1.1.AAAA"', 'W/"1"', '"'.repeat(50)]);
  if (random.next() < 0.3)
    headers.range = random.pick(['bytes=0-', 'bytes=9-1', 'bytes=a-b', `bytes=0-${'9'.repeat(40)}`]);
  if (random.next() < 0.2) headers['x-vercel-signature'] = random.pick(['', 'abc', 'f'.repeat(64)]);
  if (random.next() < 0.2) headers['webhook-signature'] = random.pick(['v1,', 'v1,AAAA', 'v2,x']);
  if (random.next() < 0.2) headers['x-ai-gateway-signature'] = random.pick(['t=1,v1=aa', 't=x', '']);
  return { params, query: pairs.length > 0 ? `?${pairs.join('&')}` : '', headers, body };
}

const argumentsOf = ({ input }: (typeof TOOLS)[number]): string[] =>
  'shape' in input ? Object.keys(input.shape as object) : [];

/** What each tool takes, read from the tools: one that is added is attacked too. Two are none. */
const TAKEN = new Map<string, readonly string[]>([
  ...TOOLS.map((tool) => [tool.name, argumentsOf(tool)] as const),
  ...['inconnu', ''].map((name) => [name, []] as const),
]);
const ARGUMENTS = [...new Set([...TAKEN.values()].flat()), 'cursor', 'inconnu'];
/** Values that let a call through to the verb, by the argument that they are given as. */
const PLAIN: Readonly<Record<string, unknown>> = {
  q: 'bougie',
  query: 'bougie',
  pillar: 'ITEMS',
  title: 'Titre',
  body: 'Corps',
  maxChars: 2_000,
};
const METHODS = ['tools/call', 'tools/list', 'initialize', 'server/discover', 'ping', 'resources/list', 'x'];

/** One message of an assistant: a tool with anything for arguments, or a method that is wrong. */
export function hostileMessage(random: Random, { credentials, ids }: Attacker): RouteCall {
  const value = () => {
    const roll = random.next();
    if (roll < 0.3) return random.pick(ids);
    if (roll < 0.4) return random.pick(LONG_TEXTS);
    return hostileValue(random);
  };
  const name = random.pick([...TAKEN.keys()]);
  const taken = TAKEN.get(name) ?? [];
  const isPlain = random.next() < 0.5;
  const plain = taken
    .filter((argument) => isPlain && (argument in PLAIN || /id$/i.test(argument)))
    .map((argument) => [argument, PLAIN[argument] ?? random.pick(ids)] as const);
  const args = Object.fromEntries([
    ...plain,
    ...Array.from(
      { length: Math.ceil(random.next() * (isPlain ? 2 : 4)) },
      () => [random.pick(taken.length > 0 && random.next() < 0.7 ? taken : ARGUMENTS), value()] as const,
    ),
  ]);
  const method = random.next() < 0.8 ? 'tools/call' : random.pick(METHODS);
  const modern = random.next() < 0.5;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = {
    name,
    arguments: random.next() < 0.9 ? args : value(),
    ...(modern ? { _meta: meta } : {}),
  };
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': modern ? '2026-07-28' : '2025-11-25',
      ...(modern ? { 'mcp-method': method, ...(name ? { 'mcp-name': name } : {}) } : {}),
      ...random.pick(credentials),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: random.pick([1, 'a', null, -1]), method, params }),
  };
}

/** What a form or a call of a page could send: what a member types, with some of it replaced by anything. */
export function hostileInput(random: Random, typed: Record<string, unknown>, ids: readonly string[]) {
  const input = { ...typed };
  for (let n = Math.ceil(random.next() * 4); n > 0; n -= 1) {
    const field = random.pick([...Object.keys(typed), ...NAMES]);
    const roll = random.next();
    input[field] =
      roll < 0.2
        ? random.pick(ids)
        : roll < 0.3
          ? random.pick(LONG_TEXTS)
          : roll < 0.4
            ? hostileFile(random)
            : hostileValue(random);
  }
  return input;
}
