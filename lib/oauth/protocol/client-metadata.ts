import { z } from 'zod';
import { sha256 } from '#lib/core/crypto.ts';
import { unstorableText } from '#lib/core/input/storable-text.ts';
import { OAUTH_SCOPES } from './config.ts';
import { OAuthError } from './errors.ts';
import { redirectUriFault } from './redirect-uri.ts';
import type { Hash } from './tokens.ts';

const MAX_REDIRECTS = 20;
/** Ways of showing a secret that a registration may ask for and does not get: it is answered with `none` (RFC 7591, 2). */
const REPLACED_AUTH_METHODS: ReadonlySet<string> = new Set(['client_secret_basic', 'client_secret_post']);
const MAX_NAME_LENGTH = 80;

/** The metadata of a client that are stored: the others have no effect here. */
type ClientMetadata = { name: string; redirectUris: string[]; uri: string | null; scopes: string[] };

const texts = z.array(z.string()).max(50);
/** What is read of a client's metadata; the rest is ignored, as RFC 7591 wants. */
export const clientMetadata = z.looseObject({
  client_name: z.string().max(2000).optional(),
  client_uri: z.string().max(2000).optional(),
  grant_types: texts.optional(),
  response_types: texts.optional(),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: texts.optional(),
  scope: z.string().max(1000).optional(),
});

/**
 * Parses the metadata of a public client (RFC 7591; the same for a metadata document). In a registration, a request for a secret is read as
 * `none`, which the answer tells the client. A document must offer `none`: as its method, or among `token_endpoint_auth_methods_supported`, of
 * which its method is then a preference (ChatGPT's prefers `private_key_jwt`: cloudflare/workers-oauth-provider#293). Errors: `invalid_redirect_uri`, `invalid_client_metadata`.
 */
export function parseClientMetadata(
  value: unknown,
  { isRegistration = false }: { isRegistration?: boolean } = {},
): ClientMetadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OAuthError('invalid_client_metadata', 'Les métadonnées doivent être un objet JSON.');
  const unstorable = unstorableText(value);
  if (unstorable)
    throw new OAuthError('invalid_client_metadata', `${unstorable.field}\u00a0: ${unstorable.message}`);
  const redirectUris = parseRedirects((value as { redirect_uris?: unknown }).redirect_uris, isRegistration);
  // Some clients write null for a field that they leave out.
  const said = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  const parsed = clientMetadata.safeParse(said);
  if (!parsed.success)
    throw new OAuthError(
      'invalid_client_metadata',
      `Le champ ${parsed.error.issues[0]?.path.join('.')} n’a pas la forme attendue.`,
    );
  const metadata = parsed.data;
  if (metadata.grant_types && !metadata.grant_types.includes('authorization_code'))
    throw new OAuthError('invalid_client_metadata', 'grant_types doit contenir authorization_code.');
  if (metadata.response_types && !metadata.response_types.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types doit contenir code.');
  const method = metadata.token_endpoint_auth_method;
  const isReplaced = isRegistration && REPLACED_AUTH_METHODS.has(method ?? '');
  const offersNone = metadata.token_endpoint_auth_methods_supported?.includes('none');
  if (method && method !== 'none' && !isReplaced && !offersNone)
    throw new OAuthError(
      'invalid_client_metadata',
      'Seuls les clients publics sont acceptés\u00a0: token_endpoint_auth_method doit valoir none.',
    );
  return {
    name: displayName(metadata.client_name, redirectUris),
    redirectUris,
    uri: safeUri(metadata.client_uri),
    scopes: (metadata.scope ?? '')
      .split(' ')
      .filter((scope) => (OAUTH_SCOPES as readonly string[]).includes(scope)),
  };
}

/** The addresses that can receive an answer. A document lists those of every edition of its application: the others are left out of it. */
function parseRedirects(value: unknown, isRegistration: boolean): string[] {
  const parsed = z.array(z.string()).min(1).max(MAX_REDIRECTS).safeParse(value);
  if (!parsed.success)
    throw new OAuthError(
      'invalid_redirect_uri',
      `redirect_uris doit contenir de 1 à ${MAX_REDIRECTS} adresses.`,
    );
  const usable = parsed.data.filter((address) => redirectUriFault(address) === null);
  const [fault] = parsed.data.flatMap((address) => redirectUriFault(address) ?? []);
  if (fault !== undefined && (isRegistration || usable.length === 0))
    throw new OAuthError('invalid_redirect_uri', fault);
  return [...new Set(usable)];
}

// Shown to the member who decides on it: no control, bidirectional or invisible characters, one line, bounded length.
function displayName(text: string | undefined, redirectUris: readonly string[]): string {
  const clean = (text ?? '')
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean) return [...clean].slice(0, MAX_NAME_LENGTH).join('');
  const first = new URL(redirectUris[0] as string);
  return first.hostname || first.protocol.replace(':', '');
}

function safeUri(text: string | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && !url.username && !url.password ? url.href : null;
}

/** The hash of the stored metadata: two registrations with the same hash are the same client. */
export function metadataHash(metadata: ClientMetadata): Hash {
  const { name, redirectUris, uri, scopes } = metadata;
  return sha256(JSON.stringify([name, [...redirectUris].sort(), uri, [...scopes].sort()]));
}
