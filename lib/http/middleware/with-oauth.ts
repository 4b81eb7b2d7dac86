import type { AnonymousActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { safeFetch } from '#lib/core/net/safe-fetch.ts';
import { throttleName } from '#lib/identity/sign-in/throttle.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import type { DocumentReader } from '#lib/oauth/clients/find-client.ts';
import { OAuthError, oauthErrorBody } from '#lib/oauth/protocol/errors.ts';
import { networkOf } from '../requests/network.ts';
import { readBytes } from '../requests/read-body.ts';
import { baseHeaders, jsonResponse, toServiceError } from '../responses/respond.ts';
import { createContext } from '../runtime/context.ts';

/** Largest body of an OAuth request, in bytes. */
const MAX_OAUTH_REQUEST_BYTES = 16_384;

export type OAuthAnswer = { status: number; body: unknown; headers?: Record<string, string> };
export type OAuthHandler = (ctx: Context<AnonymousActor>, request: Request) => Promise<OAuthAnswer>;

// Clients that live in a browser read these answers from their own origin. No cookie is ever read here.
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
function withOAuth(handle: OAuthHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = createId('request');
    const headers = baseHeaders(requestId);
    for (const [name, value] of Object.entries(CORS)) headers.set(name, value);
    headers.set('Cache-Control', 'no-store');
    headers.set('Pragma', 'no-cache');
    const ctx = createContext({ type: 'anonymous' } as const, requestId);
    try {
      const answer = await handle(ctx, request);
      for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
      return jsonResponse(answer.status, answer.body, headers);
    } catch (thrown) {
      const error = thrown instanceof OAuthError ? thrown : translated(thrown, ctx);
      for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
      return jsonResponse(error.status, oauthErrorBody(error), headers);
    }
  };
}

async function preflight(): Promise<Response> {
  return new Response(null, { status: 204, headers: CORS });
}

/** Handlers of one endpoint: its method, the preflight of browsers, and 405 for every other method. */
export function oauthPath(method: 'GET' | 'POST', handle: OAuthHandler) {
  const refuse = withOAuth(async () => {
    throw new OAuthError('invalid_request', 'Cette adresse n’accepte pas cette méthode.', {
      status: 405,
      headers: { Allow: `${method}, OPTIONS` },
    });
  });
  const served = withOAuth(handle);
  const only = (name: string) => (name === method ? served : refuse);
  return {
    GET: only('GET'),
    POST: only('POST'),
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
    OPTIONS: preflight,
  };
}

function translated(thrown: unknown, ctx: Context): OAuthError {
  const error = toServiceError(thrown, ctx.log, ctx.requestId);
  const message = errorMessage(error);
  if (error.code === 'unavailable')
    return new OAuthError('temporarily_unavailable', message, {
      headers: { 'Retry-After': String(error.options.retryAfterSeconds ?? 5) },
    });
  if (error.status >= 500) return new OAuthError('server_error', message);
  return new OAuthError('invalid_request', message, {
    status: error.code === 'payload_too_large' ? 413 : 400,
  });
}

/** The network of a request under the keyed hash that the throttles of signing in use: no address in clear is kept. */
export function networkName(headers: { get(name: string): string | null }): string {
  return throttleName(env().SERVICE_SESSION_SECRET, networkOf(headers));
}

/** What it takes to read the metadata document of a client. */
export function documentReader(headers: { get(name: string): string | null }): DocumentReader {
  return { network: networkName(headers), safeFetch };
}

export type OAuthForm = {
  /** The value of a parameter; null when absent or empty. */
  get(name: string): string | null;
  /** The value of a parameter. Errors: `invalid_request` when it is absent. */
  need(name: string): string;
  all(name: string): string[];
};

/** Reads a form (never JSON, never the query string). Errors: `invalid_request`, also for a parameter given twice. */
export async function readForm(request: Request): Promise<OAuthForm> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new OAuthError(
      'invalid_request',
      'Le corps doit être envoyé en application/x-www-form-urlencoded.',
    );
  const bytes = await readBytes(request, MAX_OAUTH_REQUEST_BYTES);
  let params: URLSearchParams;
  try {
    params = new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new OAuthError('invalid_request', 'Le corps n’est pas de l’UTF-8 valide.');
  }
  for (const name of new Set(params.keys()))
    if (name !== 'resource' && params.getAll(name).length > 1)
      throw new OAuthError('invalid_request', `Le paramètre ${name.slice(0, 50)} est donné deux fois.`);
  const get = (name: string) => params.get(name) || null;
  return {
    get,
    need(name) {
      const value = get(name);
      if (value === null) throw new OAuthError('invalid_request', `Le paramètre ${name} est obligatoire.`);
      return value;
    },
    all: (name) => params.getAll(name).filter((value) => value !== ''),
  };
}

/** Refuses a client that tries to authenticate: there are public clients only. Errors: `invalid_client`. */
export function refuseClientSecret(request: Request, form: OAuthForm): void {
  const header = request.headers.get('authorization');
  if (header === null && form.get('client_secret') === null && form.get('client_assertion') === null) return;
  throw new OAuthError('invalid_client', 'Les clients sont publics\u00a0: aucun secret n’est attendu.', {
    headers: header === null ? {} : { 'WWW-Authenticate': 'Basic realm="Atelier"' },
  });
}

/** The body as a JSON object. Errors: `code`. */
export async function readMetadata(request: Request): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new OAuthError('invalid_client_metadata', 'Le corps doit être envoyé en application/json.');
  const bytes = await readBytes(request, MAX_OAUTH_REQUEST_BYTES);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new OAuthError('invalid_client_metadata', 'Le corps n’est pas du JSON valide en UTF-8.');
  }
}
