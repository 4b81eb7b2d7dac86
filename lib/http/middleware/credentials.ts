import {
  type CredentialActor,
  hasPermission,
  isWritingScope,
  SCOPE_PERMISSIONS,
  type Scope,
} from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Queries } from '#lib/db/types.ts';
import type { AuthenticatedRead } from '#lib/identity/find-credential.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import type { RateCounts } from '#lib/identity/rate/rate-limit.ts';
import { authenticateAccessToken } from '#lib/oauth/authenticate-access-token.ts';
import { OAUTH_SCOPES } from '#lib/oauth/protocol/config.ts';
import { ACCESS_SHAPE } from '#lib/oauth/protocol/tokens.ts';

/** The protected resource that a route belongs to: its path, and the scopes that its challenge asks for. */
type ProtectedResource = { path: '/api/v1' | '/api/mcp'; scopes: readonly Scope[] };

// The Studio's scopes are not in the default challenge: a client asks for them when a call lacks them, so that spending is granted by choice.
export const API_RESOURCE: ProtectedResource = { path: '/api/v1', scopes: ['brain:read', 'brain:write'] };
export const MCP_RESOURCE: ProtectedResource = { path: '/api/mcp', scopes: ['brain:read', 'brain:write'] };

/** The bearer token of a request, or null. A token in the query string is never read (RFC 9700). */
export function bearerToken(request: Request): string | null {
  const match = /^Bearer +([\x21-\x7e]+)$/i.exec(request.headers.get('authorization')?.trim() ?? '');
  return match?.[1] ?? null;
}

/** The `WWW-Authenticate` challenge of a resource (RFC 6750, RFC 9728). */
function challenge(
  origin: string,
  resource: ProtectedResource,
  error?: { code: 'invalid_token' | 'insufficient_scope'; scope?: string },
): string {
  const parts = [
    `resource_metadata="${origin}/.well-known/oauth-protected-resource${resource.path}"`,
    `scope="${error?.scope ?? resource.scopes.join(' ')}"`,
  ];
  if (error) parts.unshift(`error="${error.code}"`);
  return `Bearer ${parts.join(', ')}`;
}

/** For a program whose `Authorization` header cannot be read: « absent » would make it look for its key. */
const UNREAD_HEADER =
  'L’en-tête Authorization n’est pas lu\u00a0: écrivez «\u00a0Bearer\u00a0», une espace, puis la clé ou le jeton.';

/**
 * The refusal, under `code`, of a request without a bearer token, with the challenge of the resource. Says so where an `Authorization` header
 * is there in another form.
 */
export function missingCredential(
  request: Request,
  origin: string,
  resource: ProtectedResource,
  code: 'invalid_api_key' | 'unauthenticated' = 'invalid_api_key',
): ServiceError {
  // A browser behind a proxy with a password sends an `Authorization` header that its user never wrote.
  const isByProgram = !request.headers.has('cookie');
  return new ServiceError(code, {
    headers: { 'WWW-Authenticate': challenge(origin, resource) },
    ...(isByProgram && request.headers.has('authorization') ? { message: UNREAD_HEADER } : {}),
  });
}

/**
 * The refusal of a credential without `scope`, or of one that writes in a closed account. A challenge invites the client to ask for more, so
 * it is left out where asking cannot help (a scope that only keys carry, a right that the member lacks): clients would loop. `withGranted`
 * also lists the scopes already granted: clients older than the 2026 revision request only those of the challenge, and would lose the others.
 */
export function missingScope(
  actor: CredentialActor,
  scope: Scope,
  origin: string,
  resource: ProtectedResource,
  { withGranted = false }: { withGranted?: boolean } = {},
): ServiceError {
  // No challenge: the scope is not what is missing, and nobody can grant more here.
  if (actor.closed && isWritingScope(scope)) return new ServiceError('account_closed');
  const grantable = (OAUTH_SCOPES as readonly Scope[]).includes(scope);
  const permission = SCOPE_PERMISSIONS[scope];
  const allowed = permission === undefined || hasPermission(actor, permission);
  const helps = actor.type === 'key' || (grantable && allowed);
  const granted = OAUTH_SCOPES.filter((one) => one !== scope && actor.scopes.includes(one));
  const header = challenge(origin, resource, {
    code: 'insufficient_scope',
    scope: withGranted ? [...granted, scope].join(' ') : scope,
  });
  return new ServiceError('insufficient_scope', {
    message: allowed
      ? `Ces identifiants n’ont pas le droit ${scope}.`
      : scope === 'brain:write'
        ? 'Le membre derrière ces identifiants n’a pas le droit d’écrire dans le Brain.'
        : 'Le membre derrière ces identifiants n’a pas le droit de demander des générations.',
    ...(helps ? { headers: { 'WWW-Authenticate': header } } : {}),
  });
}

/**
 * Authenticates a bearer token of either kind and counts the request, in one round trip, with the read that it is for. Errors:
 * `invalid_api_key` with the challenge.
 */
export async function authenticateCredential<R = never>(
  deps: { kysely: Queries; clock: Clock; accountRequests?: number | undefined },
  request: Request,
  options: {
    isWrite: boolean;
    resource: ProtectedResource;
    origin: string;
    read?: AuthenticatedRead<R> | undefined;
  },
): Promise<{ actor: CredentialActor; rate: RateCounts; answer(): R }> {
  const token = bearerToken(request);
  if (token === null) throw missingCredential(request, options.origin, options.resource);
  const found = await authenticate(deps, token, options);
  if (found) return found;
  throw new ServiceError('invalid_api_key', {
    headers: { 'WWW-Authenticate': challenge(options.origin, options.resource, { code: 'invalid_token' }) },
  });
}

type Options<R> = { isWrite: boolean; resource: ProtectedResource; read?: AuthenticatedRead<R> | undefined };

/** The token's shape says which kind it is. A token issued for another resource is unknown here. */
function authenticate<R>(
  deps: { kysely: Queries; clock: Clock; accountRequests?: number | undefined },
  token: string,
  { isWrite, resource, read }: Options<R>,
) {
  return ACCESS_SHAPE.test(token)
    ? authenticateAccessToken(deps, token, { isWrite, resource: resource.path, read })
    : authenticateKey(deps, token, { isWrite, read });
}
