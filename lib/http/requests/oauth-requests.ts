import type { z } from 'zod';
import { utf8Json, utf8Text } from '#lib/core/text/utf8.ts';
import { OAuthError } from '#lib/oauth/protocol/errors.ts';
import { mediaTypeOf, mediaTypesOf, readPlainBytes } from './read-body.ts';

/** Largest body of an OAuth request, in bytes. */
export const MAX_OAUTH_REQUEST_BYTES = 16_384;

/** A form whose fields are those that its schema declares. */
type OAuthForm<Name extends string> = {
  /** The value of a parameter; null when absent or empty. */
  get(name: Name): string | null;
  /** The value of a parameter. Errors: `invalid_request` when it is absent. */
  need(name: Name): string;
  all(name: Name): string[];
};

/**
 * Reads a form (never JSON, never the query string). Errors: `invalid_request`, also for a repeated parameter; `payload_too_large`,
 * `unsupported_media_type` (compressed).
 */
export async function readForm<S extends z.ZodObject>(
  request: Request,
  _schema: S,
): Promise<OAuthForm<keyof z.output<S> & string>> {
  // MCP Inspector renews with its own JSON type before that of its library; the body is a form all the same.
  if (!mediaTypesOf(request).includes('application/x-www-form-urlencoded'))
    throw new OAuthError(
      'invalid_request',
      'Le corps doit être envoyé en application/x-www-form-urlencoded.',
    );
  const bytes = await readPlainBytes(request, MAX_OAUTH_REQUEST_BYTES);
  let params: URLSearchParams;
  try {
    params = new URLSearchParams(utf8Text(bytes));
  } catch {
    throw new OAuthError('invalid_request', 'Le corps n’est pas de l’UTF-8 valide.');
  }
  const seen = new Set<string>();
  for (const name of params.keys()) {
    if (name !== 'resource' && seen.has(name))
      throw new OAuthError('invalid_request', `Le paramètre ${name.slice(0, 50)} est donné deux fois.`);
    seen.add(name);
  }
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

/**
 * The identifier of a public client: `client_id`, or the name of a Basic credential with an empty password, which is how some libraries write a client
 * that has no secret (RFC 6749, 2.3.1). Errors: `invalid_client` for one that shows a secret, `invalid_request` when it is absent.
 */
export function publicClientId(
  request: Request,
  form: OAuthForm<'client_id' | 'client_secret' | 'client_assertion'>,
): string {
  const header = request.headers.get('authorization');
  const named = header === null ? null : nameWithoutPassword(header);
  const isRead = header === null || (named !== null && [null, named].includes(form.get('client_id')));
  if (isRead && form.get('client_secret') === null && form.get('client_assertion') === null)
    return named ?? form.need('client_id');
  throw new OAuthError('invalid_client', 'Les clients sont publics\u00a0: aucun secret n’est attendu.', {
    headers: header === null ? {} : { 'WWW-Authenticate': 'Basic realm="Atelier"' },
  });
}

function nameWithoutPassword(header: string): string | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim())?.[1] ?? '';
  const [, name] = /^(.+):$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? [];
  try {
    return name === undefined ? null : decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** The body as JSON, of any form. Errors: `invalid_client_metadata`, `payload_too_large`, `unsupported_media_type` (compressed). */
export async function readMetadata(request: Request): Promise<unknown> {
  if (mediaTypeOf(request) !== 'application/json')
    throw new OAuthError('invalid_client_metadata', 'Le corps doit être envoyé en application/json.');
  const bytes = await readPlainBytes(request, MAX_OAUTH_REQUEST_BYTES);
  try {
    return utf8Json(bytes);
  } catch {
    throw new OAuthError('invalid_client_metadata', 'Le corps n’est pas du JSON valide en UTF-8.');
  }
}
