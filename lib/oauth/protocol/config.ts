import type { Scope } from '#lib/core/actor.ts';

/** Paths of the protected resources; a token opens exactly one of them (RFC 8707). */
export const RESOURCE_PATHS = ['/api/mcp', '/api/v1'] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** What an application can ask for. `projects:read` stays with developer keys (B-93). */
export const OAUTH_SCOPES = [
  'brain:read',
  'brain:write',
  'brain:propose',
  'studio:read',
  'studio:generate',
] as const satisfies readonly Scope[];
export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/**
 * What a client asks for that wants a refresh token. Every client gets one, but several keep it unused where the authorization server does not
 * announce this scope, and have their people sign in each hour. No resource announces it: it opens nothing.
 */
export const REFRESH_SCOPE = 'offline_access';

/**
 * Scopes that assistants send whatever a server announces: those of OpenID Connect (mcp-remote, n8n, Cline, VS Code), and those that Claude’s
 * first connectors asked every server for. They are accepted and ignored: the answer says which scopes were granted.
 */
export const HABITUAL_SCOPES: ReadonlySet<string> = new Set([
  REFRESH_SCOPE,
  'openid',
  'profile',
  'email',
  'claudeai',
]);

/** The scopes of a request that names none: the least. */
export const DEFAULT_SCOPES: readonly OAuthScope[] = ['brain:read'];

const SECOND = 1000;
const DAY = 86_400 * SECOND;

export const CODE_LIFETIME_MS = 60 * SECOND;
export const ACCESS_LIFETIME_MS = 3_600 * SECOND;
export const REFRESH_LIFETIME_MS = 30 * DAY;
/** Within this time of its first use, a refresh token gives the same successors again, for clients that refresh twice at once. */
export const REFRESH_GRACE_MS = 60 * SECOND;
/** How long the consent page may stay open before it is answered. */
export const CONSENT_LIFETIME_MS = 15 * 60 * SECOND;

/**
 * Clients that have no grant are deleted after this time without use: an assistant registers once, keeps what it was told for good, and cannot
 * connect any more once its client is gone.
 */
export const IDLE_CLIENT_LIFETIME_MS = 90 * DAY;
/** Clients that nobody has used yet: beyond this number, the oldest are deleted at once. */
export const MAX_UNUSED_CLIENTS = 2_000;
/** Tokens are kept for this time after their end, and grants that were never used after they were given. */
export const ENDED_KEPT_MS = DAY;
/** Registrations and metadata documents read, per minute and network address. */
export const REGISTRATIONS_PER_MINUTE = 20;
export const DOCUMENT_READS_PER_MINUTE = 20;
/**
 * Requests per minute and network to the token and revocation endpoints with invalid codes, tokens or clients: the assistants of many people
 * may share a network. Requests with a live secret are never refused because of them, and count for its grant: a client renews its tokens once
 * an hour.
 */
export const DEAD_TOKENS_PER_MINUTE = 240;
export const TOKENS_PER_MINUTE = 60;
/** After the first, a metadata document is read again; while that fails, the last copy serves until the second. */
export const DOCUMENT_FRESH_MS = 3_600 * SECOND;
export const DOCUMENT_STALE_MS = DAY;
