import type { AnonymousActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import { createId } from '#lib/core/ids.ts';
import { safeFetch } from '#lib/core/net/safe-fetch.ts';
import { subscriptionOf, throttleName } from '#lib/identity/sign-in/throttle.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import type { DocumentReader } from '#lib/oauth/clients/find-client.ts';
import { OAuthError, oauthErrorBody } from '#lib/oauth/protocol/errors.ts';
import { networkOf } from '../requests/network.ts';
import { baseHeaders, jsonResponse, toServiceError } from '../responses/respond.ts';
import { allowHeader, type Method } from '../routes/api-path.ts';
import {
  type DeclaredHandler,
  declared,
  type RouteDeclaration,
  type RouteHandler,
} from '../routes/declaration.ts';
import { createContext } from '../runtime/context.ts';

type OAuthAnswer = { status: number; body: unknown; headers?: Record<string, string> };
type OAuthWork = (ctx: Context<AnonymousActor>, request: Request) => Promise<OAuthAnswer>;

// Clients that run in a browser read these answers from their own origin. No cookie is ever read here.
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept, MCP-Protocol-Version',
  'Access-Control-Expose-Headers': 'Request-Id, Retry-After, WWW-Authenticate',
  'Access-Control-Max-Age': '86400',
};

/**
 * The edge of the OAuth endpoints that programs call: errors in the dialect of RFC 6749, `no-store`, readable from any
 * origin. What is not a refusal of ours is logged and hidden.
 */
export function withOAuth(declaration: RouteDeclaration, work: OAuthWork): DeclaredHandler {
  return declared(
    { ...declaration, caller: { kind: 'oauth-client' }, dialect: 'oauth', commonErrors: [] },
    (request) => answer(request, work),
  );
}

async function answer(request: Request, work: OAuthWork): Promise<Response> {
  const requestId = createId('request');
  const headers = baseHeaders(requestId);
  for (const [name, value] of Object.entries(CORS)) headers.set(name, value);
  headers.set('Cache-Control', 'no-store');
  headers.set('Pragma', 'no-cache');
  const ctx = createContext({ type: 'anonymous' } as const, requestId);
  try {
    const { status, body, headers: own } = await work(ctx, request);
    for (const [name, value] of Object.entries(own ?? {})) headers.set(name, value);
    // An answer that says how long it may be kept says nothing else beside it.
    if (own?.['Cache-Control']) headers.delete('Pragma');
    return jsonResponse(status, body, headers);
  } catch (thrown) {
    const error = thrown instanceof OAuthError ? thrown : translated(thrown, ctx);
    for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
    return jsonResponse(error.status, oauthErrorBody(error), headers);
  }
}

/** Handlers of one endpoint: its method, the preflight of browsers, and 405 in the dialect for every other method. */
export function oauthPath(handlers: { GET: DeclaredHandler } | { POST: DeclaredHandler }) {
  const [method, served] = Object.entries(handlers)[0] as ['GET' | 'POST', DeclaredHandler];
  const allow = allowHeader([method]);
  // The preflight of browsers, and what any program that asks is told.
  const options: RouteHandler = async () => {
    const headers = { ...CORS, Allow: allow, 'Request-Id': createId('request') };
    return new Response(null, { status: 204, headers });
  };
  const refuse: RouteHandler = (request) =>
    answer(request, async () => {
      throw new OAuthError('invalid_request', 'Cette adresse n’accepte pas cette méthode.', {
        status: 405,
        headers: { Allow: allow },
      });
    });
  const all: Record<Method | 'OPTIONS', RouteHandler> = {
    GET: refuse,
    POST: refuse,
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
    OPTIONS: options,
  };
  return { ...all, [method]: served };
}

function translated(thrown: unknown, ctx: Context): OAuthError {
  const error = toServiceError(thrown, ctx.log, ctx.requestId);
  const message = errorMessage(error);
  if (error.code === 'unavailable')
    return new OAuthError('temporarily_unavailable', message, {
      headers: { 'Retry-After': String(error.options.retryAfterSeconds ?? 5) },
    });
  if (error.status >= 500) return new OAuthError('server_error', message);
  // Errors of the body itself have HTTP's own status, whatever the dialect.
  const ofBody = error.code === 'payload_too_large' || error.code === 'unsupported_media_type';
  return new OAuthError('invalid_request', message, {
    status: ofBody ? error.status : 400,
    headers: error.options.headers ?? {},
  });
}

/** The network of a request under the keyed hash that the throttles of signing in use: no address in clear is kept. */
export function networkName(headers: { get(name: string): string | null }): string {
  return throttleName(env().SERVICE_SESSION_SECRET, networkOf(headers));
}

/**
 * The same for the whole network subscription: where a shared resource is used up (registered clients, documents to read, tokens to look up),
 * the thousands of IPv6 networks of one subscriber count as one.
 */
export function subscriptionName(headers: { get(name: string): string | null }): string {
  return throttleName(env().SERVICE_SESSION_SECRET, subscriptionOf(networkOf(headers)));
}

/** The means to read a client's metadata document. */
export function documentReader(headers: { get(name: string): string | null }): DocumentReader {
  return { network: subscriptionName(headers), safeFetch };
}
