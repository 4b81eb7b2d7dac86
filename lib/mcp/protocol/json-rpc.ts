import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { ServiceError } from '#lib/core/errors.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import { errorData } from './tool-error.ts';

type JsonRpcId = string | number | null;

/** Codes of JSON-RPC 2.0; what only this service refuses uses the first of the server's own range. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
export const SERVER_ERROR = -32_000;
export const INTERNAL_ERROR = -32_603;

/** A refusal of the whole request in the dialect of `/api/mcp`. */
export function jsonRpcError(error: ServiceError, id: JsonRpcId, code?: number) {
  return {
    jsonrpc: '2.0' as const,
    error: {
      code: code ?? (error.status >= 500 ? INTERNAL_ERROR : SERVER_ERROR),
      message: errorMessage(error),
      data: errorData(error),
    },
    id,
  };
}

/** The part of a message that the endpoint reads before the protocol does. */
export type Envelope = {
  id: JsonRpcId;
  method: string | null;
  tool: string | null;
  /** Whether the message speaks the protocol of 2026, in which each says everything about its session. */
  isModern: boolean;
};

/** Who calls what: the identifier and the tool of a JSON-RPC message, each null when the message does not say it. */
export function readEnvelope(message: unknown): Envelope {
  const { id, method, params } = (message ?? {}) as {
    id?: unknown;
    method?: unknown;
    params?: { name?: unknown; _meta?: unknown };
  };
  const name = method === 'tools/call' && typeof params?.name === 'string' ? params.name : null;
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method: typeof method === 'string' ? method : null,
    tool: name,
    isModern: isModern(params?._meta),
  };
}

function isModern(meta: unknown): boolean {
  return typeof meta === 'object' && meta !== null && PROTOCOL_VERSION_META_KEY in meta;
}

/** Lists that are answered whole, and so never give a cursor. */
const WHOLE_LISTS: ReadonlySet<string> = new Set(['tools/list', 'prompts/list', 'resources/templates/list']);

/**
 * Whether a message asks where a list goes on that ends with its one page: answered with that page again, a client that lost count would never
 * notice. An empty cursor is read as none.
 */
export function asksBeyondList(message: unknown): boolean {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { cursor?: unknown } | null };
  const cursor = params?.cursor;
  return typeof method === 'string' && WHOLE_LISTS.has(method) && typeof cursor === 'string' && cursor !== '';
}

/** Levels of a message that are looked into: more than the protocol's own parameters have. */
const MAX_LEVELS = 8;

/**
 * A message without the `params` members that are null: clients that serialise whole records write absent members so, and the protocol's
 * schemas reject them. A tool's arguments are kept: `readArguments` knows which of them are optional.
 */
export function withoutNulls(message: unknown): unknown {
  if (!isRecord(message) || !('params' in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isRecord(params)) return message;
  const said = kept(params, MAX_LEVELS) as Record<string, unknown>;
  const isCall = message.method === 'tools/call' && isRecord(params.arguments);
  return { ...rest, params: isCall ? { ...said, arguments: params.arguments } : said };
}

function kept(value: unknown, levels: number): unknown {
  if (!isRecord(value) || levels === 0) return value;
  const members = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(members.map(([name, one]) => [name, kept(one, levels - 1)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
