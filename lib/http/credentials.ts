import type { CredentialActor, Scope } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Sql } from '#lib/core/database.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { authenticateKey } from '#lib/identity/authenticate-key.ts';
import type { RateCounts } from '#lib/identity/rate-limit.ts';

/** Which protected resource a door is: its metadata address and the scopes worth asking for. */
export type ProtectedResource = { path: '/api/v1' | '/api/mcp'; scopes: readonly Scope[] };

export const API_RESOURCE: ProtectedResource = { path: '/api/v1', scopes: ['brain:read', 'brain:write'] };
export const MCP_RESOURCE: ProtectedResource = { path: '/api/mcp', scopes: ['brain:read', 'brain:write'] };

/** The bearer token of a request, or null. A token in the query string is never read (RFC 9700). */
export function bearerToken(request: Request): string | null {
  const match = /^Bearer +([\x21-\x7e]+)$/i.exec(request.headers.get('authorization')?.trim() ?? '');
  return match?.[1] ?? null;
}

/** The `WWW-Authenticate` challenge of a resource (RFC 6750, RFC 9728). */
export function challenge(
  origin: string,
  resource: ProtectedResource,
  error?: { code: 'invalid_token' | 'insufficient_scope'; scope?: Scope },
): string {
  const parts = [
    `resource_metadata="${origin}/.well-known/oauth-protected-resource${resource.path}"`,
    `scope="${error?.scope ?? resource.scopes.join(' ')}"`,
  ];
  if (error) parts.unshift(`error="${error.code}"`);
  return `Bearer ${parts.join(', ')}`;
}

/** Authenticates a bearer token of either kind and counts the request. Errors: `invalid_api_key` with the challenge. */
export async function authenticateCredential(
  deps: { sql: Sql; clock: Clock },
  request: Request,
  options: { isWrite: boolean; resource: ProtectedResource; origin: string },
): Promise<{ actor: CredentialActor; rate: RateCounts }> {
  const token = bearerToken(request);
  const found = token === null ? null : await authenticateKey(deps, token, options);
  if (found) return found;
  const error = token === null ? undefined : ({ code: 'invalid_token' } as const);
  throw new ServiceError('invalid_api_key', {
    headers: { 'WWW-Authenticate': challenge(options.origin, options.resource, error) },
  });
}
