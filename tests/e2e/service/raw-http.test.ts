import { request } from 'node:http';
import { describe, expect, inject, test } from 'vitest';

type Answer = { status: number; text: string };

/** One request as it is given: chunks, no correction of the headers. */
function send(options: {
  method: string;
  path: string;
  headers: Record<string, string>;
  chunks?: string[];
}): Promise<Answer> {
  const { hostname, port } = new URL(inject('app').baseUrl);
  return new Promise((resolve, reject) => {
    const { chunks = [], ...rest } = options;
    const outgoing = request({ ...rest, hostname, port, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (part: string) => {
        text += part;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    for (const chunk of chunks) outgoing.write(chunk);
    outgoing.end();
  });
}

function add(headers: Record<string, string>, chunks: string[]): Promise<Answer> {
  const { demo } = inject('app');
  return send({
    method: 'POST',
    path: `/api/v1/spaces/${demo?.spaceId}/memories`,
    headers: {
      authorization: `Bearer ${demo?.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `brut-${chunks.length}-${Object.keys(headers).length}`,
      ...headers,
    },
    chunks,
  });
}

describe('over HTTP, against the started server', () => {
  test('131,073 bytes in chunks answer 413 in French; 131,072 are written', async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ pillar: 'ITEMS', title: 'Taille', body: '' });
      return JSON.stringify({ pillar: 'ITEMS', title: 'Taille', body: 'x'.repeat(bytes - empty.length) });
    };
    const inChunks = (text: string) => text.match(/[\s\S]{1,16384}/g) ?? [];
    const refused = await add({}, inChunks(sized(131_073)));
    expect(refused).toMatchObject({
      status: 413,
      text: expect.stringContaining('"code":"payload_too_large"'),
    });
    expect((await add({ 'x-taille': 'juste' }, inChunks(sized(131_072)))).status).toBe(201);
  });

  test('a Content-Length beside chunks is refused before any handler: no request can be smuggled', async () => {
    const answer = await add({ 'transfer-encoding': 'chunked', 'content-length': '10' }, ['{"a":1}']);
    expect(answer.status).toBe(400);
  });

  test('headers longer than 16 KB, a query string of 40 KB included, answer 431', async () => {
    const answer = await send({ method: 'GET', path: `/api/v1/search?q=${'a'.repeat(40_000)}`, headers: {} });
    expect(answer.status).toBe(431);
  });
});

test('a page asked for with a NUL in its address is refused before anything is read', async () => {
  for (const path of ['/journal?q=%00', '/recherche?q=a%00b', '/journal/gen_%00'])
    expect((await send({ method: 'GET', path, headers: {} })).status, path).toBe(400);
});
