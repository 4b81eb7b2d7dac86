import {
  type AuthInfo,
  createMcpHandler as createProtocolHandler,
  McpServer,
  type ServerOptions,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { createMcpHandler } from 'mcp-handler';
import { z } from 'zod';
import type { CredentialActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { validate } from '#lib/core/input/validate.ts';
import { enforceRate } from '#lib/identity/rate/rate-limit.ts';
import type { McpHost } from '#lib/mcp/protocol/host.ts';
import { type Envelope, jsonRpcError, readEnvelope } from '#lib/mcp/protocol/json-rpc.ts';
import { parseMessage } from '#lib/mcp/protocol/parse-message.ts';
import { INSTRUCTIONS } from '#lib/mcp/register-tools.ts';
import type { McpRules } from '#lib/mcp/rules.ts';
import { readPlainBytes } from '../requests/read-body.ts';
import {
  type AcceptedForms,
  acceptedForms,
  BOTH_FORMS,
  bodyInFrench,
  inAcceptedForm,
} from '../responses/protocol-answer.ts';
import { baseHeaders, jsonResponse, toServiceError } from '../responses/respond.ts';
import { allowHeader, apiPath, type Method } from '../routes/api-path.ts';
import { type BoundDeclaration, declared, type RouteHandler } from '../routes/declaration.ts';
import { connection } from '../runtime/connection.ts';
import { createContext } from '../runtime/context.ts';
import { serviceOrigin } from '../security/origin.ts';
import { ownHostnames } from '../security/own-host.ts';
import { deliverSoon } from '../webhooks/deliver-soon.ts';
import {
  authenticateCredential,
  bearerToken,
  MCP_RESOURCE,
  missingCredential,
  missingScope,
} from './credentials.ts';
import { listen } from './mcp-listen.ts';

/** A tool's arguments may be as large as the body of the REST equivalent; the remainder is for the JSON-RPC envelope. */
export const MAX_MCP_REQUEST_BYTES = 131_072 + 16_384;

type McpEndpoint = {
  /** Registers, on a server made for one request, what that request may reach. */
  register(server: McpServer, host: McpHost): void;
  rules(envelope: Envelope): McpRules | undefined;
};

const NOTHING: Envelope = { id: null, method: null, tool: null, isModern: false };

const SERVER_INFO = { name: 'atelier', version: '1.0.0' };

/**
 * The capabilities announced. Tools and prompts never change while a server runs. Changes of resources are sent on the streams of the 2026
 * revision, one request each; the older revision would need a session shared by every instance, and there is none.
 */
function serverOptions({ isModern }: Envelope) {
  return {
    instructions: INSTRUCTIONS,
    capabilities: {
      tools: { listChanged: false },
      prompts: { listChanged: false },
      resources: { listChanged: isModern, subscribe: isModern },
    },
    cacheHints: {
      'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
      'prompts/list': { ttlMs: 300_000, cacheScope: 'private' },
      'resources/templates/list': { ttlMs: 300_000, cacheScope: 'private' },
      'server/discover': { ttlMs: 300_000, cacheScope: 'private' },
    },
  } as const satisfies ServerOptions;
}

function hostOf(ctx: Context<CredentialActor>, origin: string): McpHost {
  return {
    context: ctx,
    origin,
    validate: (schema, value) => validate(schema, value),
    refusal: (thrown) => toServiceError(thrown, ctx.log, ctx.requestId),
  };
}

/**
 * The edge of `/api/mcp`, for both eras of the protocol: Host and Origin, size, credential, rate, scope of the tool, then
 * the protocol itself. Every refusal before the protocol is JSON-RPC, in French, with what an assistant should do next.
 */
export function withMcp(endpoint: McpEndpoint): Record<Method | 'OPTIONS', RouteHandler> {
  const serve: RouteHandler = (request) => answer(request, endpoint);
  const POST = declared(DECLARATION, serve);
  const { OPTIONS } = apiPath({ POST });
  return { POST, GET: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS };
}

const DECLARATION: BoundDeclaration = {
  id: 'callTool',
  summary: 'Un message JSON-RPC d’un assistant',
  tag: 'MCP',
  caller: { kind: 'assistant' },
  dialect: 'json-rpc',
  commonErrors: [],
  body: {
    type: 'bytes',
    schema: z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string() }),
    maxBytes: MAX_MCP_REQUEST_BYTES,
  },
  answers: {
    200: {
      description: 'La réponse, en JSON ou en flux',
      contentType: 'application/json, text/event-stream',
    },
    202: { description: 'Reçu' },
  },
};

/** Hands one message to the protocol library: a stream of changes, or a server made for this message alone. */
function speak(
  request: Request & { auth?: AuthInfo },
  message: {
    value: unknown;
    envelope: Envelope;
    endpoint: McpEndpoint;
    host: McpHost;
    isLong: boolean;
    currentActor(): Promise<CredentialActor>;
  },
): Promise<Response> {
  const { envelope, endpoint, host, isLong, currentActor } = message;
  const register = (server: McpServer) => endpoint.register(server, host);
  const server = () => {
    const made = new McpServer(SERVER_INFO, serverOptions(envelope));
    register(made);
    return made;
  };
  if (envelope.method === 'subscriptions/listen' && envelope.isModern)
    return listen(request, { host, message: message.value, currentActor, server });
  // By itself the 2026 revision is silent until the result: proxies end such a connection after a minute. A stream says every 15 s that it goes on.
  if (isLong && envelope.isModern)
    return createProtocolHandler(server, { responseMode: 'sse', maxSubscriptions: 0 }).fetch(
      request,
      request.auth ? { authInfo: request.auth } : {},
    );
  const handler = createMcpHandler(register, {
    ...serverOptions(envelope),
    serverInfo: SERVER_INFO,
    maxSubscriptions: 0,
    telemetry: { route: '/api/mcp' },
  });
  return handler(request);
}

async function answer(request: Request, endpoint: McpEndpoint): Promise<Response> {
  const requestId = createId('request');
  const headers = baseHeaders(requestId);
  const anonymous = createContext({ type: 'anonymous' }, requestId);
  let envelope = NOTHING;
  const refuse = (error: ServiceError, code?: number, status: number = error.status) => {
    for (const [name, value] of Object.entries(error.options.headers ?? {})) headers.set(name, value);
    if (error.options.retryAfterSeconds !== undefined)
      headers.set('Retry-After', String(error.options.retryAfterSeconds));
    return jsonResponse(status, jsonRpcError(error, envelope.id, code), headers);
  };
  try {
    refuseStrangers(request);
    const origin = serviceOrigin(request);
    // No body is read before the request shows something that could be a credential.
    if (bearerToken(request) === null) throw missingCredential(request, origin, MCP_RESOURCE);
    const bytes = request.method === 'POST' ? await readPlainBytes(request, MAX_MCP_REQUEST_BYTES) : null;
    const message = bytes && parseMessage(bytes);
    if (message) envelope = readEnvelope(message.value);
    const rules = endpoint.rules(envelope);
    const isWrite = rules?.isWrite ?? false;
    const authenticate = () =>
      authenticateCredential(
        { ...connection(), clock: anonymous.clock, accountRequests: env().SERVICE_ACCOUNT_RATE },
        request,
        { isWrite, resource: MCP_RESOURCE, origin },
      );
    const requireScope = (of: CredentialActor) => {
      if (rules && !of.scopes.includes(rules.scope))
        throw missingScope(of, rules.scope, origin, MCP_RESOURCE, { withGranted: !envelope.isModern });
    };
    const { actor, rate } = await authenticate();
    enforceRate(rate, isWrite, headers);
    if (!bytes || !message)
      return refuse(new ServiceError('method_not_allowed', { headers: { Allow: allowHeader(['POST']) } }));
    const { fault, field } = message;
    if (fault) {
      const problems = field === undefined ? {} : { problems: [{ field, message: fault }] };
      const refusal = new ServiceError('invalid_request', { message: fault, ...problems });
      return refuse(refusal, message.code, message.status);
    }
    requireScope(actor);
    if (isWrite) deliverSoon(actor.accountId);
    const plain = { ...anonymous, actor };
    const ctx = rules?.scope.startsWith('studio:') ? await studioContext(plain, request) : plain;
    const host = hostOf(ctx, origin);
    const forms = acceptedForms(request.headers.get('accept'));
    const said = await speak(forProtocol(request, { bytes: message.bytes, ctx, forms }), {
      value: message.value,
      envelope,
      endpoint,
      host,
      isLong: rules?.isLong ?? false,
      async currentActor() {
        const current = await authenticate();
        requireScope(current.actor);
        return current.actor;
      },
    });
    // A subscription is always a stream: as JSON, it would be delivered only when it ends.
    const spoken = envelope.method === 'subscriptions/listen' ? said : await inAcceptedForm(said, forms);
    for (const [name, value] of spoken.headers) headers.set(name, value);
    if (!spoken.body) headers.delete('Content-Type');
    // A proxy that compresses a stream delivers it only at its end.
    headers.set('Cache-Control', 'private, no-store, no-transform');
    headers.delete('Content-Length');
    return new Response(await bodyInFrench(spoken), { status: spoken.status, headers });
  } catch (thrown) {
    return refuse(toServiceError(thrown, anonymous.log, requestId));
  }
}

/** With what reaches the outside, loaded for the calls that need it. */
async function studioContext(
  ctx: Context<CredentialActor>,
  request: Request,
): Promise<Context<CredentialActor>> {
  const { withStudio } = await import('../runtime/studio.ts');
  return withStudio(ctx, request);
}

/** Refuses a page of another site: it must not act for the person whose browser shows it, whatever token it holds. */
function refuseStrangers(request: Request): void {
  const own = ownHostnames();
  const isOwnHost = validateHostHeader(request.headers.get('host') ?? new URL(request.url).host, own).ok;
  const isOwnOrigin = validateOriginHeader(request.headers.get('origin'), own).ok;
  if (isOwnHost && isOwnOrigin) return;
  throw new ServiceError('forbidden', {
    message: isOwnHost
      ? 'Cette demande vient d’un autre site\u00a0: elle est refusée.'
      : 'Ce service ne répond pas sous ce nom d’hôte.',
  });
}

/**
 * The request as the protocol library reads it: the message and its actor, without the token. The library requires that both answer forms are
 * accepted.
 */
function forProtocol(
  request: Request,
  { bytes, ctx, forms }: { bytes: Uint8Array; ctx: Context<CredentialActor>; forms: AcceptedForms },
): Request {
  const headers = new Headers(request.headers);
  if (forms.json || forms.stream) headers.set('accept', BOTH_FORMS);
  headers.delete('authorization');
  headers.delete('content-length');
  const clean = new Request(request.url, {
    method: 'POST',
    headers,
    body: bytes as BodyInit,
    signal: request.signal,
  }) as Request & { auth?: AuthInfo };
  const { actor } = ctx;
  clean.auth = {
    token: '',
    clientId: actor.type === 'oauth' ? actor.clientId : actor.keyId,
    scopes: [...actor.scopes],
  };
  return clean;
}
