import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_MCP_REQUEST_BYTES } from '#lib/http/middleware/with-mcp.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { modern, speak } from '#tests/setup/mcp.ts';
import { setting } from './setting.ts';

process.env.SERVICE_PUBLIC_URL = ORIGIN;
const service = useApi();

describe('malformed requests', () => {
  test.each([
    ['no JSON', '{', 400, -32_700],
    ['bad UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, -32_700],
    ['an empty body', '', 400, -32_700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400, -32_600],
  ])('%s answers %i in JSON-RPC', async (_, raw, status, code) => {
    const { token } = await setting(service);
    const answer = await speak(null, { token, raw: raw as BodyInit });
    expect(answer).toMatchObject({
      status,
      json: { jsonrpc: '2.0', id: null, error: { code, data: { code: 'invalid_request' } } },
    });
  });

  test.each([
    'null',
    '1',
    '"texte"',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"inconnu","arguments":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brain_quota","arguments":[]}}',
    '{"jsonrpc":"2.0","id":1,"method":"nimporte/quoi"}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}',
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'x',
      params: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
    }),
  ])('%s is no 5xx and leaks nothing', async (raw) => {
    const { token } = await setting(service);
    const answer = await speak(null, { token, raw });
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toMatch(/\bat .*\.(m?js|ts):\d+/);
    expect(answer.text).not.toContain('node_modules');
  });

  test('a body that is announced as compressed is refused for that, not as bad JSON, and told how to send it', async () => {
    const { token } = await setting(service);
    const message = modern('tools/list');
    const raw = gzipSync(JSON.stringify(message)) as BodyInit;
    for (const coding of ['gzip', 'br', 'deflate']) {
      const answer = await speak(message, { token, raw, headers: { 'content-encoding': coding } });
      expect(answer).toMatchObject({
        status: 415,
        json: {
          jsonrpc: '2.0',
          id: null,
          error: {
            code: -32_000,
            message: 'Le corps doit être envoyé sans compression (Content-Encoding).',
            data: { code: 'unsupported_media_type', retryable: false },
          },
        },
      });
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    }
    const plain = await speak(message, { token, headers: { 'content-encoding': 'identity' } });
    expect(plain.status).toBe(200);
  });

  test('an oversized body is refused on the stream, whatever it declares; another media type too', async () => {
    const { token } = await setting(service);
    const big = JSON.stringify(modern('tools/list', { x: 'x'.repeat(MAX_MCP_REQUEST_BYTES) }));
    expect(await speak(null, { token, raw: big })).toMatchObject({
      status: 413,
      json: { jsonrpc: '2.0', error: { data: { code: 'payload_too_large' } } },
    });
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(16_384));
      },
    });
    expect((await speak(null, { token, raw: endless })).status).toBe(413);
    expect(sent).toBeLessThan(20);
    expect(
      (await speak(modern('tools/list'), { token, headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(415);
  });
});
