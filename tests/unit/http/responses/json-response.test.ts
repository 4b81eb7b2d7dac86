import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeNextRequest, NodeNextResponse } from 'next/dist/server/base-http/node.js';
import { sendResponse } from 'next/dist/server/send-response.js';
import { describe, expect, test } from 'vitest';
import { DECLARED_LENGTH, sendDeclaredLengths } from '#lib/http/responses/declared-length.ts';
import { baseHeaders, jsonResponse } from '#lib/http/responses/respond.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';

/** The answer to a request, sent as Next sends it. */
async function sent(answer: (response: ServerResponse) => Response, method = 'GET') {
  sendDeclaredLengths();
  const server = createServer((incoming, outgoing) => {
    sendResponse(new NodeNextRequest(incoming), new NodeNextResponse(outgoing), answer(outgoing));
  });
  try {
    await listenHere(server);
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method });
    return { headers: response.headers, text: await response.text() };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('an answer of JSON, as it leaves the server', () => {
  test.each([
    ['an object', { mot: 'été' }, '{"mot":"été"}'],
    ['a text', '"é"', '"é"'],
    ['bytes', Buffer.from('[1]'), '[1]'],
    ['a long one', Buffer.alloc(300_000, 'a'), 'a'.repeat(300_000)],
    ['nothing', '', ''],
  ])('says its length in bytes, by HEAD too: %s', async (_, body, text) => {
    const answer = () => jsonResponse(200, body, baseHeaders('req_1'));
    const length = String(Buffer.byteLength(text));
    const whole = await sent(answer);
    expect([whole.text, whole.headers.get('content-length')]).toEqual([text, length]);
    expect([whole.headers.get('transfer-encoding'), whole.headers.get(DECLARED_LENGTH)]).toEqual([
      null,
      null,
    ]);
    const head = await sent(answer, 'HEAD');
    expect([head.text, head.headers.get('content-length')]).toEqual(['', length]);
  });

  test('leaves with its headers: a flush before the body sends nothing yet, unless no length is declared', async () => {
    const flushed: boolean[] = [];
    for (const headers of [baseHeaders('req_1'), new Headers()])
      await sent((outgoing) => {
        const { flushHeaders } = outgoing;
        outgoing.flushHeaders = function () {
          flushHeaders.call(this);
          flushed.push(this.headersSent);
        };
        return headers.has('Request-Id') ? jsonResponse(200, [], headers) : Response.json([]);
      });
    expect(flushed).toEqual([false, true]);
  });

  test('bytes that are kept for the next answer stay as they are', async () => {
    const kept = Buffer.from('{"a":1}');
    for (const _ of [1, 2])
      expect(await jsonResponse(200, kept, baseHeaders('req_1')).json()).toEqual({ a: 1 });
    expect(kept.toString()).toBe('{"a":1}');
  });
});
