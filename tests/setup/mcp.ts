import { POST as mcp } from '#app/api/mcp/route.ts';
import { ORIGIN } from './api.ts';

const MODERN = '2026-07-28';

type McpCall = {
  token?: string;
  headers?: Record<string, string>;
  /** Sent unchanged instead of a message. */
  raw?: BodyInit;
  path?: string;
};

/** A message in the protocol of 2026-07-28, which carries everything about the session in `_meta`. */
export function modern(method: string, params: Record<string, unknown> = {}, id: number | string = 1) {
  return {
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
}

/** The headers of a message, for the protocol version in which it is written. */
export function messageHeaders(message: { method: string; params?: Record<string, unknown> } | null) {
  const name = message?.params?.name;
  const isModern = Boolean((message?.params as { _meta?: unknown } | undefined)?._meta);
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(isModern
      ? {
          'mcp-protocol-version': MODERN,
          'mcp-method': message?.method ?? '',
          ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        }
      : { 'mcp-protocol-version': '2025-11-25' }),
  };
}

/** Posts a message to `/api/mcp`; of an answer that is a stream, returns its only message. */
export async function speak(
  message: { method: string; params?: Record<string, unknown> } | null,
  options: McpCall = {},
) {
  const response = await mcp(
    new Request(ORIGIN + (options.path ?? '/api/mcp'), {
      method: 'POST',
      headers: {
        ...messageHeaders(message),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...options.headers,
      },
      body: options.raw ?? JSON.stringify(message),
      ...(options.raw instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit),
  );
  return { status: response.status, headers: response.headers, ...readMessage(await response.text()) };
}

/** The message of an answer, which may be a stream with one message. */
export function readMessage(text: string) {
  const data = /^data: ?(\{[^\n]*\})$/m.exec(text)?.[1] ?? text;
  return { text: data, json: data ? JSON.parse(data) : null };
}

/** Calls a tool, in the given version of the protocol. */
export async function callTool(
  name: string,
  args: Record<string, unknown>,
  options: McpCall & { era?: 'modern' | 'legacy' } = {},
) {
  const params = { name, arguments: args };
  const message =
    options.era === 'legacy'
      ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      : modern('tools/call', params);
  const answer = await speak(message, options);
  return { ...answer, result: answer.json?.result };
}
